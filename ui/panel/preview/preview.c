/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview: renders a view of a pipeline's result in a thread and draws it. */
#include "ui/panel/preview/preview.h"

#include <math.h>

#include "ui/panel/preview/render-schedule.h"
#include "ui/panel/preview/render-worker.h"
#include "ui/pipeline/gegl-threads.h"

struct _CapraPreview {
  GObject parent_instance;
  CapraRenderWorker *worker;
};

G_DEFINE_FINAL_TYPE (CapraPreview, capra_preview, G_TYPE_OBJECT)

enum { UPDATED, STATUS, PROBED, TABLES, LABELS, PROFILED, SAMPLED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
on_changed (CapraRenderChanges changes, gpointer data)
{
  g_autoptr (CapraPreview) self = g_object_ref (data);

  if (changes & CAPRA_RENDER_CHANGED_STATUS)
    g_signal_emit (self, signals[STATUS], 0);
  if (changes & CAPRA_RENDER_CHANGED_TILES)
    g_signal_emit (self, signals[UPDATED], 0);
  if (changes & CAPRA_RENDER_CHANGED_PROBE)
    g_signal_emit (self, signals[PROBED], 0);
  if (changes & CAPRA_RENDER_CHANGED_TABLES)
    g_signal_emit (self, signals[TABLES], 0);
  if (changes & CAPRA_RENDER_CHANGED_LABELS)
    g_signal_emit (self, signals[LABELS], 0);
  if (changes & CAPRA_RENDER_CHANGED_PROFILE)
    g_signal_emit (self, signals[PROFILED], 0);
  if (changes & CAPRA_RENDER_CHANGED_SAMPLE)
    g_signal_emit (self, signals[SAMPLED], 0);
}

static void
capra_preview_dispose (GObject *object)
{
  g_clear_pointer (&CAPRA_PREVIEW (object)->worker, capra_render_worker_stop);
  G_OBJECT_CLASS (capra_preview_parent_class)->dispose (object);
}

static void
capra_preview_class_init (CapraPreviewClass *klass)
{
  static const char *const names[N_SIGNALS] = {
    "updated", "status", "probed", "tables", "labels", "profiled", "sampled"
  };

  G_OBJECT_CLASS (klass)->dispose = capra_preview_dispose;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], CAPRA_TYPE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
capra_preview_init (CapraPreview *self)
{
}

CapraPreview *
capra_preview_new (CapraPyramid *pyramid)
{
  CapraPreview *self = g_object_new (CAPRA_TYPE_PREVIEW, NULL);

  self->worker = capra_render_worker_new (pyramid, on_changed, self);
  return self;
}

void
capra_preview_set_steps (CapraPreview *preview, GPtrArray *steps)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_steps (preview->worker, steps);
}

void
capra_preview_refresh (CapraPreview *preview)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_refresh (preview->worker);
}

void
capra_preview_set_stretch (CapraPreview *preview, const CapraDisplayStretch *stretch)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_stretch (preview->worker, stretch);
}

void
capra_preview_set_view (CapraPreview *preview, const GeglRectangle *visible, double scale)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_view (preview->worker, visible, scale);
}

void
capra_preview_probe (CapraPreview *preview, int x, int y)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_probe (preview->worker, x, y);
}

void
capra_preview_set_line (CapraPreview *preview, const CapraLine *line)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_line (preview->worker, line);
}

void
capra_preview_get_status (CapraPreview *preview, CapraPreviewStatus *status)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_get_status (preview->worker, status);
}

void
capra_preview_get_probe (CapraPreview *preview, CapraProbe *probe)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_get_probe (preview->worker, probe);
}

CapraProfile *
capra_preview_get_profile (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_profile (preview->worker);
}

GHashTable *
capra_preview_get_errors (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_errors (preview->worker);
}

GPtrArray *
capra_preview_get_tables (CapraPreview *preview, gboolean *current, gint64 *time)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_tables (preview->worker, current, time);
}

void
capra_preview_set_labels (CapraPreview *preview, guint id)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_labels (preview->worker, id);
}

CapraRegionLabels *
capra_preview_get_labels (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_labels (preview->worker);
}

void
capra_preview_set_sample (CapraPreview *preview, const CapraSampleSubject *subject)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_set_sample (preview->worker, subject);
}

CapraValueSample *
capra_preview_get_sample (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_sample (preview->worker);
}

GHashTable *
capra_preview_get_results (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_results (preview->worker);
}

CapraTimelineScope *
capra_preview_get_scope (CapraPreview *preview)
{
  g_return_val_if_fail (CAPRA_IS_PREVIEW (preview), NULL);
  return capra_render_worker_get_scope (preview->worker);
}

void
capra_preview_snapshot (CapraPreview *preview, GtkSnapshot *snapshot, GtkWidget *widget, const graphene_rect_t *visible,
                        double scale, double x, double y)
{
  CapraPreviewStatus status;
  const GeglRectangle *bounds = &status.bounds;

  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  capra_render_worker_get_status (preview->worker, &status);
  if (bounds->width <= 0) /* not known yet */
    return;
  /* Tiles of coarse levels are rounded outwards, beyond the bounds. */
  gtk_snapshot_push_clip (
    snapshot, &GRAPHENE_RECT_INIT ((float) round (bounds->x * scale + x), (float) round (bounds->y * scale + y),
                                   (float) ceil (bounds->width * scale), (float) ceil (bounds->height * scale)));
  capra_texture_tiles_snapshot (capra_render_worker_get_tiles (preview->worker), snapshot, widget, visible,
                                capra_render_schedule_get_level (scale * gtk_widget_get_scale_factor (widget)), scale,
                                x, y);
  gtk_snapshot_pop (snapshot);
}

void
capra_preview_wait_for_workers (void)
{
  capra_gegl_threads_wait ();
}

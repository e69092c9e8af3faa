/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview: renders what is in view of a pipeline's result, in a thread of its own. */
#include "ui/panel/preview/preview.h"

#include <math.h>

#include "ui/pipeline/graph/display.h"
#include "ui/panel/preview/render-worker.h"

struct _CapraPreview {
  GObject parent_instance;
  CapraWorker *worker;
};

G_DEFINE_FINAL_TYPE (CapraPreview, capra_preview, G_TYPE_OBJECT)

static void
capra_preview_dispose (GObject *object)
{
  CapraPreview *self = CAPRA_PREVIEW (object);

  if (self->worker)
    {
      g_mutex_lock (&self->worker->mutex);
      self->worker->quit = TRUE;
      g_cond_signal (&self->worker->cond);
      g_mutex_unlock (&self->worker->mutex);
      g_atomic_int_inc (&self->worker->generation); /* what is under way gives up */
      self->worker->preview = NULL;
      g_clear_pointer (&self->worker, capra_worker_unref);
    }
  G_OBJECT_CLASS (capra_preview_parent_class)->dispose (object);
}

static void
capra_preview_class_init (CapraPreviewClass *klass)
{
  static const char *const names[] = { "updated", "status", "probed" };

  G_OBJECT_CLASS (klass)->dispose = capra_preview_dispose;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_signal_new (names[i], CAPRA_TYPE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
capra_preview_init (CapraPreview *self)
{
}

CapraPreview *
capra_preview_new (CapraPyramid *pyramid)
{
  CapraPreview *self = g_object_new (CAPRA_TYPE_PREVIEW, NULL);

  self->worker = capra_worker_new (pyramid, G_OBJECT (self));
  capra_worker_start (self->worker);
  return self;
}

/* With the mutex held: the steps have changed. */
static void
bump (CapraWorker *worker)
{
  worker->wants.generation++;
  worker->wants.changed_at = g_get_monotonic_time ();
  worker->status.busy = TRUE;
  worker->status.complete = FALSE;
  worker->status.first_ms = worker->status.final_ms = -1.0;
  worker->probe.x = worker->probe.y = G_MININT; /* of the steps before */
  g_atomic_int_set (&worker->generation, (int) worker->wants.generation);
  g_cond_signal (&worker->cond);
}

void
capra_preview_set_steps (CapraPreview *preview, GPtrArray *steps)
{
  CapraWorker *worker = preview->worker;

  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  g_mutex_lock (&worker->mutex);
  g_ptr_array_unref (worker->wants.steps);
  worker->wants.steps = g_ptr_array_ref (steps);
  bump (worker);
  g_mutex_unlock (&worker->mutex);
  capra_worker_announce (worker, CAPRA_ANNOUNCE_STATUS);
}

void
capra_preview_refresh (CapraPreview *preview)
{
  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  g_mutex_lock (&preview->worker->mutex);
  preview->worker->wants.refreshes++;
  bump (preview->worker);
  g_mutex_unlock (&preview->worker->mutex);
}

void
capra_preview_set_view (CapraPreview *preview, const GeglRectangle *visible, double scale)
{
  CapraWorker *worker = preview->worker;

  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  g_mutex_lock (&worker->mutex);
  worker->wants.visible = *visible;
  worker->wants.scale = scale;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

void
capra_preview_probe (CapraPreview *preview, int x, int y)
{
  CapraWorker *worker = preview->worker;

  g_return_if_fail (CAPRA_IS_PREVIEW (preview));
  g_mutex_lock (&worker->mutex);
  worker->wants.probing = TRUE;
  worker->wants.probe_x = x;
  worker->wants.probe_y = y;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

void
capra_preview_get_status (CapraPreview *preview, CapraPreviewStatus *status)
{
  g_mutex_lock (&preview->worker->mutex);
  *status = preview->worker->status;
  g_mutex_unlock (&preview->worker->mutex);
}

void
capra_preview_get_probe (CapraPreview *preview, CapraProbe *probe)
{
  g_mutex_lock (&preview->worker->mutex);
  *probe = preview->worker->probe;
  g_mutex_unlock (&preview->worker->mutex);
}

GHashTable *
capra_preview_get_errors (CapraPreview *preview)
{
  GHashTable *errors;

  g_mutex_lock (&preview->worker->mutex);
  errors = g_hash_table_ref (preview->worker->errors);
  g_mutex_unlock (&preview->worker->mutex);
  return errors;
}

void
capra_preview_snapshot (CapraPreview *preview, GtkSnapshot *snapshot, const graphene_rect_t *visible, double scale,
                        double x, double y)
{
  CapraPreviewStatus status;
  const GeglRectangle *bounds = &status.bounds;

  capra_preview_get_status (preview, &status);
  if (bounds->width <= 0) /* nothing is known yet */
    return;
  /* Coarse patches are rounded outwards, beyond the result. */
  gtk_snapshot_push_clip (
    snapshot, &GRAPHENE_RECT_INIT ((float) round (bounds->x * scale + x), (float) round (bounds->y * scale + y),
                                   (float) ceil (bounds->width * scale), (float) ceil (bounds->height * scale)));
  capra_patches_snapshot (preview->worker->patches, snapshot, visible, scale, x, y);
  gtk_snapshot_pop (snapshot);
}

/* One component of a pixel as a number, as it stands. */
static double
read_component (const Babl *type, const guint8 *data)
{
  if (type == babl_type ("u8"))
    return *data;
  if (type == babl_type ("u16"))
    return *(const guint16 *) data;
  if (type == babl_type ("u32"))
    return *(const guint32 *) data;
  if (type == babl_type ("double"))
    return *(const double *) data;
  return *(const float *) data;
}

void
capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe)
{
  const Babl *format = gegl_buffer_get_format (buffer);
  const Babl *type = babl_format_get_type (format, 0);
  GeglRectangle rect = { x, y, 1, 1 };
  guint count = (guint) babl_format_get_n_components (format);
  guint8 data[5 * sizeof (double)];
  gsize size;

  *probe = (CapraProbe){ .x = x, .y = y };
  if (!gegl_rectangle_contains (gegl_buffer_get_extent (buffer), &rect))
    return;
  if (babl_format_is_palette (format) || count > 5 || type == babl_type ("half"))
    {
      format = babl_format ("R'G'B'A float");
      type = babl_type ("float");
      count = 4;
    }
  gegl_buffer_get (buffer, &rect, 1.0, format, data, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  size = (gsize) babl_format_get_bytes_per_pixel (format) / count;
  for (guint i = 0; i < count; i++)
    probe->values[i] = read_component (type, data + i * size);
  probe->count = count;
  probe->label = capra_format_is_labels (format);
  probe->floats = type == babl_type ("float") || type == babl_type ("double");
}

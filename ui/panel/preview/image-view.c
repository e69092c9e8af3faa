/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-view: the image with its live preview, the progress and times over it, and the status bar below. */
#include "ui/panel/preview/image-view.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/preview/canvas-input.h"
#include "ui/panel/preview/pixel-readout.h"
#include "ui/panel/preview/preview-progress.h"
#include "ui/panel/preview/profile-pane.h"
#include "ui/panel/preview/selection-view.h"
#include "ui/panel/preview/status-bar.h"
#include "ui/panel/preview/timing-overlay.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/preparation.h"
#include "ui/panel/widgets/units.h"

#define POLL 200                        /* ms between two updates of the status while rendering */
#define SETTLE (5 * G_TIME_SPAN_SECOND) /* time after a change within which building of kernels may start */

struct _CapraImageView {
  GtkBox parent_instance;
  GtkOverlay *overlay;
  AdwToastOverlay *toasts;
  CapraCanvas *canvas;
  CapraPreviewProgress *progress;
  CapraTimingOverlay *timing_overlay;
  CapraLineTool *line_tool;
  CapraProfilePane *profile_pane;
  CapraSelectionView *selection;
  CapraStatusBar *status_bar;

  CapraStepModel *pipeline;
  CapraPyramid *image;
  GFile *file; /* of the image */
  CapraPreview *before, *after;
  CapraDisplayKind kind; /* of the image */
  CapraDisplayStretch stretches[CAPRA_DISPLAY_N_KINDS];
  gint64 changed_at; /* time of the last change of the pipeline */
  guint poll_timer;  /* previews do not announce that kernels are being built */
};

G_DEFINE_FINAL_TYPE (CapraImageView, capra_image_view, GTK_TYPE_BOX)

enum { PROP_HAS_IMAGE = 1, PROP_BUSY, PROP_SHOW_TIMINGS, PROP_SHOW_SELECTION, PROP_STRETCH, PROP_LIMITS, N_PROPERTIES };
#define NO_STRETCH "none"

static GParamSpec *properties[N_PROPERTIES];
static guint errors_changed_signal, failed_signal;

static void update_status (CapraImageView *self);

static gboolean
has_steps (CapraImageView *self)
{
  return capra_step_model_get_length (self->pipeline) > 0;
}

/* Shows what is known of the pixel under the pointer. */
static void
update_pointer (CapraImageView *self)
{
  g_autofree char *text = NULL;
  int x, y;

  if (self->image && capra_canvas_get_pointer (self->canvas, &x, &y))
    text = capra_pixel_readout_describe (capra_pyramid_get_buffer (self->image, 0),
                                         has_steps (self) ? self->after : NULL, x, y);
  capra_status_bar_set_pointer_text (self->status_bar, text);
}

static gboolean
on_poll (gpointer data)
{
  CapraImageView *self = data;

  self->poll_timer = 0;
  update_status (self);
  return G_SOURCE_REMOVE;
}

static void
start_polling (CapraImageView *self)
{
  if (!self->poll_timer)
    self->poll_timer = g_timeout_add (POLL, on_poll, self);
}

/* (nullable): the first step that has failed, which may be out of sight. Its row says why. */
static char *
describe_failure (CapraImageView *self)
{
  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);
      g_autofree char *title = capra_operation_get_title (capra_step_get_operation (step));

      if (capra_step_get_enabled (step) && capra_step_get_error (step))
        /* Translators: %s is the title of a step. */
        return g_strdup_printf (_ ("%s has failed"), title);
    }
  return NULL;
}

static void
update_time (CapraImageView *self, const CapraPreviewStatus *status, const char *preparation)
{
  g_autofree char *failure = describe_failure (self);
  g_autofree char *time = status->final_ms >= 0.0 ? capra_units_time (status->render_ms) : NULL;

  if (failure)
    capra_status_bar_set_time_text (self->status_bar, failure);
  else if (preparation)
    capra_status_bar_set_time_text (self->status_bar, preparation);
  else if (!has_steps (self) || time)
    capra_status_bar_set_time_text (self->status_bar, has_steps (self) ? time : NULL);
}

static void
update_status (CapraImageView *self)
{
  const char *preparation = capra_preparation_get_message ();
  gint64 elapsed = g_get_monotonic_time () - self->changed_at;
  CapraPreviewStatus status;

  if (!self->after)
    return;
  capra_preview_get_status (self->after, &status);
  update_time (self, &status, preparation);
  if (status.busy || preparation || elapsed < SETTLE)
    start_polling (self);
  capra_status_bar_set_busy (self->status_bar, status.busy);
  capra_preview_progress_update (self->progress, &status, elapsed);
  if (status.complete && status.final_ms >= 0.0)
    {
      g_autoptr (CapraTimelineScope) scope = capra_preview_get_scope (self->after);

      capra_timing_overlay_end (self->timing_overlay, scope, status.render_ms, status.build_ms);
    }
  if (!status.busy)
    update_pointer (self); /* the result under the pointer has changed */
}

/* Gives the steps what the preview says of them. */
static void
update_steps (CapraImageView *self)
{
  g_autoptr (GHashTable) errors = capra_preview_get_errors (self->after);
  g_autoptr (GHashTable) results = capra_preview_get_results (self->after);
  gboolean changed = FALSE;

  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);
      gconstpointer id = GUINT_TO_POINTER (capra_step_get_id (step));

      changed |= capra_step_set_error (step, g_hash_table_lookup (errors, id));
      capra_step_set_results (step, g_hash_table_lookup (results, id));
    }
  if (changed)
    g_signal_emit (self, errors_changed_signal, 0);
}

static void
on_status (CapraImageView *self)
{
  update_steps (self);
  update_status (self);
}

static void
on_pipeline_changed (CapraImageView *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);

  self->changed_at = g_get_monotonic_time ();
  capra_timing_overlay_begin (self->timing_overlay);
  if (!self->after)
    return;
  capra_preview_set_steps (self->after, steps);
  start_polling (self);
}

void
capra_image_view_set_pipeline (CapraImageView *view, CapraStepModel *pipeline)
{
  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  g_return_if_fail (!view->pipeline);
  view->pipeline = g_object_ref (pipeline);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (on_pipeline_changed), view, G_CONNECT_SWAPPED);
}

static void
clear_image (CapraImageView *self)
{
  g_clear_pointer (&self->image, capra_pyramid_unref);
  if (self->after)
    g_signal_handlers_disconnect_by_data (self->after, self);
  g_clear_object (&self->before);
  g_clear_object (&self->after);
}

static const char *
get_stretch_name (CapraImageView *self)
{
  const CapraDisplayStretch *stretch = &self->stretches[self->kind];

  return stretch->enabled ? capra_stretch_curve_get_name (stretch->curve) : NO_STRETCH;
}

static void
update_stretch (CapraImageView *self)
{
  const CapraDisplayStretch *stretch = &self->stretches[self->kind];

  if (self->after)
    {
      capra_preview_set_stretch (self->before, stretch);
      capra_preview_set_stretch (self->after, stretch);
    }
  capra_status_bar_set_stretch (self->status_bar, stretch->enabled ? get_stretch_name (self) : NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STRETCH]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LIMITS]);
}

static void
set_stretch_name (CapraImageView *self, const char *name)
{
  CapraDisplayStretch *stretch = &self->stretches[self->kind];

  stretch->enabled = capra_stretch_curve_from_name (name, &stretch->curve);
  update_stretch (self);
}

static void
set_limits (CapraImageView *self, double percent)
{
  self->stretches[self->kind].percent = percent;
  update_stretch (self);
}

void
capra_image_view_set_stretch (CapraImageView *view, CapraDisplayKind kind, const CapraDisplayStretch *stretch)
{
  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  view->stretches[kind] = *stretch;
  if (kind == view->kind)
    update_stretch (view);
}

const CapraDisplayStretch *
capra_image_view_get_stretch (CapraImageView *view, CapraDisplayKind kind)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return &view->stretches[kind];
}

void
capra_image_view_show_stretch_menu (CapraImageView *view)
{
  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  capra_status_bar_show_stretch_menu (view->status_bar);
}

void
capra_image_view_set_image (CapraImageView *view, CapraPyramid *image, GFile *file)
{
  gboolean other_frame = file && view->file && g_file_equal (file, view->file);
  gboolean keep_view = other_frame || (!file && !view->file && view->image); /* or the image has changed in the host */

  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  g_set_object (&view->file, file);
  clear_image (view);
  capra_preview_progress_reset (view->progress);
  if (image)
    {
      view->kind = capra_display_kind_find (capra_pyramid_get_buffer (image, 0), file);
      view->image = capra_pyramid_ref (image);
      view->before = capra_preview_new (image);
      view->after = capra_preview_new (image);
      g_signal_connect_swapped (view->after, "status", G_CALLBACK (on_status), view);
      g_signal_connect_swapped (view->after, "probed", G_CALLBACK (update_pointer), view);
      capra_canvas_set_image (view->canvas, gegl_buffer_get_extent (capra_pyramid_get_buffer (image, 0)), view->before,
                              view->after, keep_view);
      capra_selection_view_set_selection (view->selection, capra_pyramid_get_selection (image), !keep_view);
      update_stretch (view);
      on_pipeline_changed (view);
    }
  else
    {
      capra_canvas_set_image (view->canvas, NULL, NULL, NULL, FALSE);
      capra_selection_view_set_selection (view->selection, NULL, FALSE);
    }
  capra_profile_pane_set_image (view->profile_pane, view->after, image ? capra_pyramid_get_buffer (image, 0) : NULL,
                                file);
  g_object_notify_by_pspec (G_OBJECT (view), properties[PROP_HAS_IMAGE]);
}

void
capra_image_view_refresh (CapraImageView *view)
{
  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  view->changed_at = g_get_monotonic_time ();
  capra_timing_overlay_begin (view->timing_overlay);
  if (!view->after)
    return;
  capra_preview_refresh (view->after);
  start_polling (view);
}

void
capra_image_view_add_overlay (CapraImageView *view, GtkWidget *widget)
{
  g_return_if_fail (CAPRA_IS_IMAGE_VIEW (view));
  gtk_overlay_add_overlay (view->overlay, widget);
  gtk_widget_insert_after (widget, GTK_WIDGET (view->overlay), GTK_WIDGET (view->canvas)); /* below all text */
}

CapraCanvas *
capra_image_view_get_canvas (CapraImageView *view)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return view->canvas;
}

AdwToastOverlay *
capra_image_view_get_toasts (CapraImageView *view)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return view->toasts;
}

CapraLineTool *
capra_image_view_get_line_tool (CapraImageView *view)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return view->line_tool;
}

static void
report_failure (CapraImageView *self, const char *message)
{
  g_signal_emit (self, failed_signal, 0, message);
}

CapraPreview *
capra_image_view_get_preview (CapraImageView *view)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return view->after;
}

GFile *
capra_image_view_get_file (CapraImageView *view)
{
  g_return_val_if_fail (CAPRA_IS_IMAGE_VIEW (view), NULL);
  return view->file;
}

static void
capra_image_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraImageView *self = CAPRA_IMAGE_VIEW (object);

  switch (id)
    {
    case PROP_HAS_IMAGE: g_value_set_boolean (value, self->image != NULL); break;
    case PROP_BUSY: g_object_get_property (G_OBJECT (self->status_bar), "busy", value); break;
    case PROP_SHOW_TIMINGS:
      g_value_set_boolean (value, gtk_widget_get_opacity (GTK_WIDGET (self->timing_overlay)) > 0.5);
      break;
    case PROP_SHOW_SELECTION: g_value_set_boolean (value, gtk_widget_get_visible (GTK_WIDGET (self->selection))); break;
    case PROP_STRETCH: g_value_set_string (value, get_stretch_name (self)); break;
    case PROP_LIMITS: g_value_set_double (value, self->stretches[self->kind].percent); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_image_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraImageView *self = CAPRA_IMAGE_VIEW (object);

  if (id == PROP_SHOW_TIMINGS) /* the overlay's visibility depends on what it has to show */
    gtk_widget_set_opacity (GTK_WIDGET (self->timing_overlay), g_value_get_boolean (value) ? 1.0 : 0.0);
  else if (id == PROP_SHOW_SELECTION)
    gtk_widget_set_visible (GTK_WIDGET (self->selection), g_value_get_boolean (value));
  else if (id == PROP_STRETCH)
    set_stretch_name (self, g_value_get_string (value));
  else if (id == PROP_LIMITS)
    set_limits (self, g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_image_view_dispose (GObject *object)
{
  CapraImageView *self = CAPRA_IMAGE_VIEW (object);

  g_clear_handle_id (&self->poll_timer, g_source_remove);
  clear_image (self);
  g_clear_object (&self->file);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (capra_image_view_parent_class)->dispose (object);
}

static void
notify_busy (CapraImageView *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
capra_image_view_class_init (CapraImageViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_image_view_dispose;
  object_class->get_property = capra_image_view_get_property;
  object_class->set_property = capra_image_view_set_property;
  properties[PROP_HAS_IMAGE] = g_param_spec_boolean ("has-image", NULL, NULL, FALSE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_TIMINGS] = g_param_spec_boolean ("show-timings", NULL, NULL, TRUE,
                                                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_SELECTION] = g_param_spec_boolean ("show-selection", NULL, NULL, TRUE,
                                                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STRETCH] = g_param_spec_string ("stretch", NULL, NULL, NO_STRETCH,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_LIMITS] = g_param_spec_double ("limits", NULL, NULL, 0.0, 100.0, CAPRA_DISPLAY_AUTOMATIC,
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  errors_changed_signal = g_signal_new ("errors-changed", CAPRA_TYPE_IMAGE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_IMAGE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  g_type_ensure (CAPRA_TYPE_CANVAS);
  g_type_ensure (CAPRA_TYPE_LINE_TOOL);
  g_type_ensure (CAPRA_TYPE_PREVIEW_PROGRESS);
  g_type_ensure (CAPRA_TYPE_PROFILE_PANE);
  g_type_ensure (CAPRA_TYPE_SELECTION_VIEW);
  g_type_ensure (CAPRA_TYPE_STATUS_BAR);
  g_type_ensure (CAPRA_TYPE_TIMING_OVERLAY);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "image-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, overlay);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, toasts);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, canvas);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, progress);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, timing_overlay);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, line_tool);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, profile_pane);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, selection);
  gtk_widget_class_bind_template_child (widget_class, CapraImageView, status_bar);
  gtk_widget_class_bind_template_callback (widget_class, notify_busy);
  gtk_widget_class_bind_template_callback (widget_class, update_pointer);
  gtk_widget_class_bind_template_callback (widget_class, report_failure);
}

static void
capra_image_view_init (CapraImageView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint kind = 0; kind < CAPRA_DISPLAY_N_KINDS; kind++)
    self->stretches[kind] = capra_display_stretch_get_default ((CapraDisplayKind) kind);
  capra_canvas_input_attach (self->canvas);
}

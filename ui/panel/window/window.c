/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window: the panel itself, as an application's window or within a host such as GIMP. */
#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/accessible.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/text/pipeline-text.h"
#include "ui/panel/window/window-private.h"

G_DEFINE_FINAL_TYPE (CapraPanelWindow, capra_panel_window, ADW_TYPE_APPLICATION_WINDOW)

enum { BANNER_USE = 1 };

void
capra_panel_window_toast (CapraPanelWindow *self, const char *message)
{
  g_autofree char *escaped = g_markup_escape_text (message, -1); /* titles of toasts are markup */

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

void
capra_panel_window_hide_banner (CapraPanelWindow *self)
{
  gtk_info_bar_set_revealed (self->banner, FALSE);
  g_clear_pointer (&self->offered, g_free);
}

static void
show_banner (CapraPanelWindow *self, GtkMessageType type, const char *message, const char *button)
{
  gtk_info_bar_set_message_type (self->banner, type);
  gtk_label_set_text (self->banner_text, message);
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), button != NULL);
  if (button)
    gtk_button_set_label (self->banner_button, button);
  gtk_info_bar_set_revealed (self->banner, TRUE);
}

void
capra_panel_window_show_error (CapraPanelWindow *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  g_clear_pointer (&self->offered, g_free);
  show_banner (self, GTK_MESSAGE_ERROR, message, NULL);
}

static void
on_banner_response (GtkInfoBar *bar, int response, gpointer data)
{
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (data);
  g_autofree char *xml = g_steal_pointer (&self->offered);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = NULL;

  capra_panel_window_hide_banner (self);
  if (response != BANNER_USE || !xml)
    return;
  steps = capra_steps_from_xml (xml, &error);
  if (steps)
    capra_step_model_replace (self->pipeline, steps);
  else
    capra_panel_window_show_error (self, error->message);
}

static void
on_view_changed (CapraPanelWindow *self)
{
  capra_panel_window_update_view (self);
}

static void
on_pointer_changed (CapraPanelWindow *self)
{
  capra_panel_window_update_pointer (self);
}

/* Messages go to the steps that they are of. */
static void
show_step_errors (CapraPanelWindow *self)
{
  g_autoptr (GHashTable) errors = capra_preview_get_errors (self->after);
  gboolean changed = FALSE;

  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);

      const char *error = g_hash_table_lookup (errors, GUINT_TO_POINTER (capra_step_get_id (step)));

      changed |= g_strcmp0 (error, capra_step_get_error (step)) != 0;
      capra_step_set_error (step, error);
    }
  if (changed)
    capra_panel_window_show_failures (self);
}

static void
on_status (CapraPreview *preview, CapraPanelWindow *self)
{
  capra_panel_window_update_status (self);
  show_step_errors (self);
}

static void
on_pipeline_changed (CapraStepModel *pipeline, CapraPanelWindow *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (pipeline);

  capra_panel_window_follow_raw_values (self);
  capra_panel_window_start_timing (self);
  if (self->after)
    {
      capra_preview_set_steps (self->after, steps);
      capra_panel_window_watch_status (self);
    }
  capra_panel_window_update_histogram (self);
  capra_panel_window_enable_actions (self);
}

static void
drop_previews (CapraPanelWindow *self)
{
  g_clear_pointer (&self->pyramid, capra_pyramid_unref);
  if (self->after)
    g_signal_handlers_disconnect_by_data (self->after, self);
  g_clear_object (&self->before);
  g_clear_object (&self->after);
}

/* babl names a palette, and a color space beside a format, by what is in its memory. */
static const char *
describe_format (const Babl *format)
{
  if (!babl_format_is_palette (format))
    return babl_format_get_encoding (format);
  return babl_format_has_alpha (format) ? _ ("indexed colors, transparency") : _ ("indexed colors");
}

static char *
describe_image (GeglBuffer *buffer)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  const CapraRawValues *data = capra_raw_values_get (buffer);

  if (data)
    return g_strdup_printf (_ ("%d × %d, raw values (%s)"), extent->width, extent->height,
                            capra_sample_type_get_name (data->type));
  return g_strdup_printf (_ ("%d × %d, %s"), extent->width, extent->height,
                          describe_format (gegl_buffer_get_format (buffer)));
}

void
capra_panel_window_set_image (CapraPanelWindow *self, GeglBuffer *buffer, GFile *file, const char *name)
{
  g_autofree char *subtitle = describe_image (buffer);
  g_autofree char *title = g_strdup_printf (_ ("%s — Capra"), name);

  drop_previews (self);
  g_set_object (&self->image, buffer);
  g_set_object (&self->file, file);
  self->pyramid = capra_pyramid_new (buffer);
  self->before = capra_preview_new (self->pyramid);
  self->after = capra_preview_new (self->pyramid);
  g_signal_connect (self->after, "status", G_CALLBACK (on_status), self);
  g_signal_connect_swapped (self->after, "probed", G_CALLBACK (on_pointer_changed), self);
  adw_window_title_set_title (self->title, name);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), title);
  capra_canvas_set_image (self->canvas, gegl_buffer_get_extent (buffer), self->before, self->after);
  gtk_stack_set_visible_child_name (self->stack, "image");
  on_pipeline_changed (self->pipeline, self);
}

CapraStepModel *
capra_panel_window_get_pipeline (CapraPanelWindow *self)
{
  return self->pipeline;
}

CapraCanvas *
capra_panel_window_get_canvas (CapraPanelWindow *self)
{
  return self->canvas;
}

CapraPreview *
capra_panel_window_get_preview (CapraPanelWindow *self)
{
  return self->after;
}

/* The schema of the system's folders, or from below a prefix that they do not name. Without it (not installed) nothing
 * is remembered, and all else works. */
static GSettings *
find_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchemaSource) installed = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source)
    schema = g_settings_schema_source_lookup (source, CAPRA_PANEL_ID, TRUE);
  if (!schema)
    installed = g_settings_schema_source_new_from_directory (CAPRA_SCHEMA_DIR, source, TRUE, NULL);
  if (installed)
    schema = g_settings_schema_source_lookup (installed, CAPRA_PANEL_ID, FALSE);
  return schema ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

static void
restore_settings (CapraPanelWindow *self)
{
  g_autofree char *compare = NULL, *page = NULL;

  self->settings = find_settings ();
  capra_step_list_set_settings (self->steps, self->settings);
  if (!self->settings)
    return;
  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, g_settings_get_boolean (self->settings, "sidebar"));
  g_settings_bind (self->settings, "device", adw_view_stack_get_child_by_name (self->pages, "devices"), "device",
                   G_SETTINGS_BIND_DEFAULT);
  page = g_settings_get_string (self->settings, "page");
  if (adw_view_stack_get_child_by_name (self->pages, page))
    adw_view_stack_set_visible_child_name (self->pages, page);
  g_action_group_change_action_state (
    G_ACTION_GROUP (self), "timing-overlay",
    g_variant_new_boolean (g_settings_get_boolean (self->settings, "timing-overlay")));
  compare = g_settings_get_string (self->settings, "compare");
  g_action_group_change_action_state (G_ACTION_GROUP (self), "compare", g_variant_new_string (compare));
}

static gboolean
capra_panel_window_close_request (GtkWindow *window)
{
  static const char *const names[] = { "off", "split", "side" };
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (window);

  if (capra_panel_window_stop_applying (self) || capra_panel_window_wait_for_saving (self))
    return TRUE;
  if (self->settings)
    {
      int width, height;

      gtk_window_get_default_size (window, &width, &height);
      g_settings_set_int (self->settings, "window-width", width);
      g_settings_set_int (self->settings, "window-height", height);
      g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (window));
      g_settings_set_boolean (self->settings, "sidebar", adw_flap_get_reveal_flap (self->flap));
      g_settings_set_string (self->settings, "page", adw_view_stack_get_visible_child_name (self->pages));
      g_settings_set_boolean (self->settings, "timing-overlay", gtk_widget_get_opacity (self->timing_overlay) > 0.5);
      g_settings_set_string (self->settings, "compare", names[capra_canvas_get_compare (self->canvas)]);
    }
  return GTK_WINDOW_CLASS (capra_panel_window_parent_class)->close_request (window);
}

static void
capra_panel_window_dispose (GObject *object)
{
  CapraPanelWindow *self = CAPRA_PANEL_WINDOW (object);

  if (self->loading)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_pointer (&self->toast, capra_progress_toast_free);
  g_clear_object (&self->applying);
  g_clear_handle_id (&self->histogram_timer, g_source_remove);
  g_clear_handle_id (&self->looking, g_source_remove);
  drop_previews (self);
  if (self->pipeline)
    g_signal_handlers_disconnect_by_data (self->pipeline, self);
  g_clear_object (&self->pipeline);
  g_clear_object (&self->image);
  g_clear_object (&self->file);
  g_clear_object (&self->opening);
  g_clear_pointer (&self->saved, g_free);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->offered, g_free);
  G_OBJECT_CLASS (capra_panel_window_parent_class)->dispose (object);
}

static void
capra_panel_window_finalize (GObject *object)
{
  g_ptr_array_unref (CAPRA_PANEL_WINDOW (object)->savings);
  g_free (CAPRA_PANEL_WINDOW (object)->saving);
  G_OBJECT_CLASS (capra_panel_window_parent_class)->finalize (object);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  GSList *files = g_value_get_boxed (value);

  if (!files)
    return FALSE;
  capra_panel_window_open (data, files->data);
  return TRUE;
}

static void
set_original (CapraPanelWindow *self, gboolean show)
{
  capra_canvas_set_show_original (self->canvas, show);
}

static void
on_original_pressed (GtkGestureClick *gesture, int n, double x, double y, gpointer data)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  set_original (data, TRUE);
}

static void
on_original_ended (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  set_original (data, FALSE);
}

/* B shows the image as it was while it is held, unless someone is writing. */
static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (data));

  if ((key != GDK_KEY_b && key != GDK_KEY_B) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
      || (focus && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus))))
    return FALSE;
  set_original (data, TRUE);
  return TRUE;
}

static void
on_key_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  if (key == GDK_KEY_b || key == GDK_KEY_B)
    set_original (data, FALSE);
}

static void
add_input (CapraPanelWindow *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect (key, "key-released", G_CALLBACK (on_key_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_original_pressed), self);
  g_signal_connect (press, "end", G_CALLBACK (on_original_ended), self);
  g_signal_connect (press, "cancel", G_CALLBACK (on_original_ended), self);
  gtk_widget_add_controller (self->original_button, GTK_EVENT_CONTROLLER (press));
}

static void
capra_panel_window_class_init (CapraPanelWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_panel_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_panel_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = capra_panel_window_close_request;
  g_type_ensure (CAPRA_TYPE_CANVAS);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "window.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, CapraPanelWindow, name)
  BIND (toasts);
  BIND (title);
  BIND (open_button);
  BIND (save_button);
  BIND (effects_button);
  BIND (sidebar_button);
  BIND (original_button);
  BIND (banner);
  BIND (banner_text);
  BIND (banner_button);
  BIND (flap);
  BIND (stack);
  BIND (loading_text);
  BIND (overlay);
  BIND (canvas);
  BIND (progress);
  BIND (strip);
  BIND (pointer_text);
  BIND (time_text);
  BIND (spinner);
  BIND (zoom_button);
  BIND (pages);
#undef BIND
  capra_panel_window_install_actions (klass);
  gtk_widget_class_bind_template_callback (widget_class, on_banner_response);
  gtk_widget_class_bind_template_callback (widget_class, on_view_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_pointer_changed);
}

static void
capra_panel_window_init (CapraPanelWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->savings = g_ptr_array_new ();
  self->pipeline = capra_step_model_new ();
  g_signal_connect (self->pipeline, "changed", G_CALLBACK (on_pipeline_changed), self);
  capra_panel_window_add_actions (self);
  capra_panel_window_add_pages (self);
  add_input (self);
  capra_accessible_name_buttons (GTK_WIDGET (self));
  restore_settings (self);
}

CapraPanelWindow *
capra_panel_window_new (GtkApplication *application, GeglBuffer *buffer, const char *title, CapraPanelApply apply,
                        gpointer data)
{
  CapraPanelWindow *self = g_object_new (CAPRA_TYPE_PANEL_WINDOW, "application", application, NULL);

  self->apply = apply;
  self->apply_data = data;
  if (apply)
    {
      gtk_widget_set_visible (self->open_button, FALSE);
      gtk_button_set_label (GTK_BUTTON (self->save_button), _ ("_Apply"));
      capra_accessible_name_buttons (self->save_button);
      gtk_widget_set_tooltip_text (self->save_button, _ ("Carry the steps out on the image"));
    }
  else
    {
      GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

      g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
      gtk_widget_add_controller (GTK_WIDGET (self->stack), GTK_EVENT_CONTROLLER (drop));
    }
  if (buffer)
    capra_panel_window_set_image (self, buffer, NULL, title ? title : _ ("Image"));
  capra_panel_window_enable_actions (self);
  return self;
}

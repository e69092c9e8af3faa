/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-actions: what menus, buttons and keys of the window do. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/text/pipeline-text.h"
#include "ui/panel/window/window-private.h"

static CapraPanelWindow *
window (gpointer widget)
{
  return CAPRA_PANEL_WINDOW (widget);
}

static void
on_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!window (widget)->apply)
    capra_panel_window_open_dialog (window (widget));
}

static void
on_save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (window (widget)->apply)
    capra_panel_window_apply (window (widget), CAPRA_PANEL_PIXELS);
  else
    capra_panel_window_save_dialog (window (widget));
}

static void
on_effects (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_panel_window_apply (window (widget), CAPRA_PANEL_EFFECTS);
}

static void
on_undo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_step_model_undo (window (widget)->pipeline);
}

static void
on_redo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_step_model_redo (window (widget)->pipeline);
}

static void
on_open_graph (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_panel_window_open_graph_dialog (window (widget));
}

static void
on_save_graph (GtkWidget *widget, const char *name, GVariant *parameter)
{
  capra_panel_window_save_graph_dialog (window (widget));
}

static void
on_copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CapraPanelWindow *self = window (widget);
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  gboolean xml = strcmp (name, "win.copy-xml") == 0;
  g_autofree char *text = xml ? capra_steps_to_xml (steps) : capra_steps_to_command (steps);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  capra_panel_window_toast (self, xml ? _ ("Copied as XML") : _ ("Copied as a command"));
}

static void
on_pasted (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraPanelWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, &error);
  g_autoptr (GPtrArray) steps = NULL;

  if (text && !self->pipeline)
    return; /* closed meanwhile */
  if (text)
    steps = strchr (text, '<') && strstr (text, "gegl>") ? capra_steps_from_xml (text, &error)
                                                         : capra_steps_from_command (text, &error);
  if (steps)
    capra_step_model_replace (self->pipeline, steps);
  else
    capra_panel_window_show_error (self, error ? error->message : _ ("There is no text to paste"));
}

static void
on_paste (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_pasted, g_object_ref (widget));
}

static void
on_zoom (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CapraCanvas *canvas = window (widget)->canvas;

  if (strcmp (name, "win.zoom-in") == 0)
    capra_canvas_zoom_step (canvas, 1);
  else if (strcmp (name, "win.zoom-out") == 0)
    capra_canvas_zoom_step (canvas, -1);
  else if (strcmp (name, "win.zoom-fit") == 0)
    capra_canvas_zoom_fit (canvas);
  else
    capra_canvas_zoom_to (canvas, g_variant_get_double (parameter));
}

static void
on_sidebar (GtkWidget *widget, const char *name, GVariant *parameter)
{
  AdwFlap *flap = window (widget)->flap;

  adw_flap_set_reveal_flap (flap, !adw_flap_get_reveal_flap (flap));
}

static void
on_compare (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *name = g_variant_get_string (value, NULL);
  CapraCompare compare = strcmp (name, "split") == 0  ? CAPRA_COMPARE_SPLIT
                         : strcmp (name, "side") == 0 ? CAPRA_COMPARE_SIDE
                                                      : CAPRA_COMPARE_OFF;

  capra_canvas_set_compare (window (data)->canvas, compare);
  g_simple_action_set_state (action, value);
}

static void
on_timing_overlay (GSimpleAction *action, GVariant *value, gpointer data)
{
  CapraPanelWindow *self = data;

  if (self->timing_overlay)
    gtk_widget_set_opacity (self->timing_overlay, g_variant_get_boolean (value) ? 1.0 : 0.0);
  g_simple_action_set_state (action, value);
}

/* The pipeline's choice is followed, too: see capra_panel_window_follow_raw_values(). */
static void
on_data (GSimpleAction *action, GVariant *value, gpointer data)
{
  CapraPanelWindow *self = data;

  g_simple_action_set_state (action, value);
  capra_step_model_set_raw_values (self->pipeline, g_variant_get_boolean (value));
}

static void
on_add_step (GtkWidget *widget, const char *name, GVariant *parameter)
{
  CapraPanelWindow *self = window (widget);

  adw_flap_set_reveal_flap (self->flap, TRUE);
  adw_view_stack_set_visible_child_name (self->pages, "steps");
  capra_step_list_choose (self->steps);
}

static void
install (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "win.add-step", NULL, on_add_step);
  gtk_widget_class_install_action (klass, "win.open", NULL, on_open);
  gtk_widget_class_install_action (klass, "win.save", NULL, on_save);
  gtk_widget_class_install_action (klass, "win.apply-effects", NULL, on_effects);
  gtk_widget_class_install_action (klass, "win.undo", NULL, on_undo);
  gtk_widget_class_install_action (klass, "win.redo", NULL, on_redo);
  gtk_widget_class_install_action (klass, "win.open-graph", NULL, on_open_graph);
  gtk_widget_class_install_action (klass, "win.save-graph", NULL, on_save_graph);
  gtk_widget_class_install_action (klass, "win.copy-command", NULL, on_copy);
  gtk_widget_class_install_action (klass, "win.copy-xml", NULL, on_copy);
  gtk_widget_class_install_action (klass, "win.paste-steps", NULL, on_paste);
  gtk_widget_class_install_action (klass, "win.zoom-in", NULL, on_zoom);
  gtk_widget_class_install_action (klass, "win.zoom-out", NULL, on_zoom);
  gtk_widget_class_install_action (klass, "win.zoom-fit", NULL, on_zoom);
  gtk_widget_class_install_action (klass, "win.zoom-to", "d", on_zoom);
  gtk_widget_class_install_action (klass, "win.sidebar", NULL, on_sidebar);
}

void
capra_panel_window_install_actions (gpointer klass)
{
  install (GTK_WIDGET_CLASS (klass));
}

void
capra_panel_window_add_actions (CapraPanelWindow *self)
{
  static const GActionEntry entries[] = {
    { "compare", NULL, "s", "'off'", on_compare },
    { "data", NULL, NULL, "false", on_data },
    { "timing-overlay", NULL, NULL, "true", on_timing_overlay },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
capra_panel_window_enable_actions (CapraPanelWindow *self)
{
  static const char *const with_image[] = { "win.zoom-in", "win.zoom-out", "win.zoom-fit", "win.zoom-to" };
  static const char *const with_steps[] = { "win.copy-command", "win.copy-xml", "win.save-graph" };
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean steps = capra_step_model_get_length (self->pipeline) > 0;
  gboolean result = self->image && !self->applying && !self->lost;

  gtk_widget_action_set_enabled (widget, "win.save", result && (steps || !self->apply));
  gtk_widget_action_set_enabled (widget, "win.apply-effects", result && steps);
  for (guint i = 0; i < G_N_ELEMENTS (with_image); i++)
    gtk_widget_action_set_enabled (widget, with_image[i], self->image != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (with_steps); i++)
    gtk_widget_action_set_enabled (widget, with_steps[i], steps);
  gtk_widget_action_set_enabled (widget, "win.undo", capra_step_model_can_undo (self->pipeline));
  gtk_widget_action_set_enabled (widget, "win.redo", capra_step_model_can_redo (self->pipeline));
  gtk_widget_action_set_enabled (widget, "win.open", !self->apply);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "data")),
                               !self->apply);
}

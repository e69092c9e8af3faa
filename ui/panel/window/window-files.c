/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-files: opening images and graphs. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/text/pipeline-text.h"
#include "ui/pipeline/regular-file.h"
#include "ui/panel/window/window-private.h"

static void
offer_graph (CapraPanelWindow *self, char *xml)
{
  g_autoptr (GPtrArray) steps = capra_steps_from_xml (xml, NULL);

  if (!steps || steps->len == 0)
    {
      g_free (xml);
      return;
    }
  capra_panel_window_hide_banner (self);
  self->offered = xml;
  gtk_info_bar_set_message_type (self->banner, GTK_MESSAGE_INFO);
  gtk_label_set_text (self->banner_text, _ ("This image was made with Capra and carries the steps that made it."));
  gtk_button_set_label (self->banner_button, _ ("Restore Steps"));
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), TRUE);
  gtk_info_bar_set_revealed (self->banner, TRUE);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraPanelWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_image_load_finish (result, &error);
  GFile *file = g_task_get_task_data (G_TASK (result));
  g_autofree char *name = g_file_get_basename (file);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !self->pipeline)
    return; /* another file was opened, or the window closed */
  g_clear_object (&self->loading);
  if (image || self->image)
    g_clear_object (&self->opening); /* else it is what the window was for */
  if (image)
    {
      capra_panel_window_set_image (self, image->buffer, file, name);
      if (image->warning)
        {
          g_autofree char *message = g_strdup_printf ("%s: %s", name, image->warning);

          capra_panel_window_toast (self, message);
        }
      if (image->graph)
        offer_graph (self, g_steal_pointer (&image->graph));
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, self->image ? "image" : "empty");
  if (self->image && self->file) /* which stays, as it was read */
    capra_step_model_set_raw_values (self->pipeline, capra_raw_values_get (self->image) != NULL);
  {
    g_autofree char *message = g_strdup_printf (_ ("“%s” could not be opened. %s"), name, error->message);

    capra_panel_window_show_error (self, message);
  }
}

static GPtrArray *
read_graph (GFile *file, GError **error)
{
  g_autofree char *path = g_file_get_path (file), *text = NULL, *folder = NULL;
  GPtrArray *steps;

  if (!path)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("Only files on this computer can be opened"));
      return NULL;
    }
  text = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, error);
  if (!text)
    return NULL;
  steps = capra_steps_from_xml (text, error);
  folder = g_path_get_dirname (path);
  if (steps)
    capra_steps_resolve_paths (steps, folder);
  return steps;
}

static void
open_graph (CapraPanelWindow *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = read_graph (file, &error);
  g_autofree char *name = g_file_get_basename (file);

  if (steps)
    {
      capra_panel_window_hide_banner (self);
      capra_step_model_replace (self->pipeline, steps);
      capra_panel_window_mark_saved (self, steps);
    }
  else
    {
      g_autofree char *message = g_strdup_printf (_ ("“%s” could not be opened. %s"), name, error->message);

      capra_panel_window_show_error (self, message);
    }
}

void
capra_panel_window_open (CapraPanelWindow *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = g_strdup_printf (_ ("Opening %s…"), name);

  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  if (g_str_has_suffix (name, ".xml"))
    {
      open_graph (self, file);
      return;
    }
  if (self->loading)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  self->loading = g_cancellable_new ();
  g_set_object (&self->opening, file);
  capra_panel_window_hide_banner (self);
  gtk_label_set_text (self->loading_text, text);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  if (g_str_has_suffix (name, ".npy")) /* which holds nothing else */
    capra_step_model_set_raw_values (self->pipeline, TRUE);
  self->opening_data = capra_step_model_get_raw_values (self->pipeline);
  if (self->opening_data)
    capra_raw_values_load_async (file, self->loading, on_loaded, g_object_ref (self));
  else
    capra_image_load_async (file, self->loading, on_loaded, g_object_ref (self));
}

void
capra_panel_window_follow_raw_values (CapraPanelWindow *self)
{
  gboolean data = capra_step_model_get_raw_values (self->pipeline);

  g_action_group_change_action_state (G_ACTION_GROUP (self), "data", g_variant_new_boolean (data));
  if (self->loading && self->opening)
    {
      g_autoptr (GFile) file = g_object_ref (self->opening);

      if (data != self->opening_data)
        capra_panel_window_open (self, file);
    }
  else if (self->image && self->file && data != (capra_raw_values_get (self->image) != NULL))
    {
      g_autoptr (GFile) file = g_object_ref (self->file);

      capra_panel_window_open (self, file);
    }
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

      capra_panel_window_open (data, file);
    }
}

static GtkFileChooserNative *
make_dialog (CapraPanelWindow *self, const char *title, GtkFileChooserAction action)
{
  gboolean save = action == GTK_FILE_CHOOSER_ACTION_SAVE;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action,
                                                              save ? _ ("_Save") : _ ("_Open"), _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  return dialog;
}

static void
add_filter (GtkFileChooserNative *dialog, const char *name, const char *type, const char *suffix)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  if (type)
    gtk_file_filter_add_mime_type (filter, type);
  if (suffix)
    gtk_file_filter_add_suffix (filter, suffix);
  if (!type && !suffix)
    gtk_file_filter_add_pattern (filter, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
}

void
capra_panel_window_open_dialog (CapraPanelWindow *self)
{
  GtkFileChooserNative *dialog = make_dialog (self, _ ("Open an Image"), GTK_FILE_CHOOSER_ACTION_OPEN);

  add_filter (dialog, _ ("Images"), "image/*", NULL);
  add_filter (dialog, _ ("All Files"), NULL, NULL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
on_graph_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  open_graph (data, file);
}

void
capra_panel_window_open_graph_dialog (CapraPanelWindow *self)
{
  GtkFileChooserNative *dialog = make_dialog (self, _ ("Open a Graph"), GTK_FILE_CHOOSER_ACTION_OPEN);

  add_filter (dialog, _ ("GEGL Graphs"), NULL, "xml");
  add_filter (dialog, _ ("All Files"), NULL, NULL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_graph_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
on_save_graph_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  CapraPanelWindow *self = data;
  g_autoptr (GPtrArray) steps = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *xml = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  steps = capra_step_model_snapshot (self->pipeline);
  xml = capra_steps_to_xml (steps);
  if (g_file_replace_contents (file, xml, strlen (xml), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error))
    {
      capra_panel_window_mark_saved (self, steps);
      capra_panel_window_toast (self, _ ("Graph saved"));
    }
  else
    capra_panel_window_show_error (self, error->message);
}

void
capra_panel_window_save_graph_dialog (CapraPanelWindow *self)
{
  GtkFileChooserNative *dialog = make_dialog (self, _ ("Save the Graph"), GTK_FILE_CHOOSER_ACTION_SAVE);

  add_filter (dialog, _ ("GEGL Graphs"), NULL, "xml");
  add_filter (dialog, _ ("All Files"), NULL, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "graph.xml");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_save_graph_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

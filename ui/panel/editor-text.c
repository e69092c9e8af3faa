/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-text: text, files, and all that is written as text. */
#include <glib/gi18n-lib.h>

#include "editor.h"
#include "value-text.h"

#define LINES_HEIGHT 92

static void
show_entry (CapraEditor *editor, const GValue *value)
{
  g_autofree char *text = capra_value_to_text (value);

  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (editor->widget)), text ? text : "") != 0)
    gtk_editable_set_text (GTK_EDITABLE (editor->widget), text ? text : "");
  gtk_widget_remove_css_class (editor->widget, "error");
}

static void
on_entry (GtkEditable *editable, gpointer data)
{
  CapraEditor *editor = data;

  if (!editor->showing)
    capra_editor_take_text (editor, gtk_editable_get_text (editable));
}

static void
show_lines (CapraEditor *editor, const GValue *value)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor->widget));
  g_autofree char *text = capra_value_to_text (value);
  g_autofree char *shown = NULL;

  g_object_get (buffer, "text", &shown, NULL);
  if (g_strcmp0 (shown, text ? text : "") != 0)
    gtk_text_buffer_set_text (buffer, text ? text : "", -1);
}

static void
on_lines (GtkTextBuffer *buffer, gpointer data)
{
  CapraEditor *editor = data;
  g_autofree char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  if (!editor->showing)
    capra_editor_take_text (editor, text);
}

static void
init_lines (CapraEditor *editor)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  editor->widget = gtk_text_view_new ();
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (editor->widget), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (editor->widget), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (editor->widget), 6);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (editor->widget), 6);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (editor->widget), 6);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (editor->widget), 6);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), editor->widget);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), LINES_HEIGHT);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  g_signal_connect (gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor->widget)), "changed",
                    G_CALLBACK (on_lines), editor);
  editor->below = scroller;
  editor->show = show_lines;
}

void
capra_editor_init_text (CapraEditor *editor)
{
  if (g_strcmp0 (gegl_param_spec_get_property_key (editor->property, "multiline"), "true") == 0)
    {
      init_lines (editor);
      return;
    }
  editor->below = editor->widget = gtk_entry_new ();
  g_signal_connect (editor->widget, "changed", G_CALLBACK (on_entry), editor);
  editor->show = show_entry;
}

static void
on_file_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr(GtkNativeDialog) owned = dialog;
  g_autoptr(GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  path = g_file_get_path (file);
  if (path)
    gtk_editable_set_text (GTK_EDITABLE (data), path);
}

static void
on_browse (GtkButton *button, gpointer entry)
{
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button)));
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      _("Choose a File"), parent, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Choose"), _("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_file_response), entry, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
capra_editor_init_file (CapraEditor *editor)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *browse = gtk_button_new_from_icon_name ("document-open-symbolic");

  editor->widget = gtk_entry_new ();
  gtk_widget_set_hexpand (editor->widget, TRUE);
  gtk_entry_set_placeholder_text (GTK_ENTRY (editor->widget), _("No file"));
  gtk_widget_set_tooltip_text (browse, _("Choose a file"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (browse), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Choose a file"), -1);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), editor->widget);
  gtk_box_append (GTK_BOX (box), browse);
  g_signal_connect (editor->widget, "changed", G_CALLBACK (on_entry), editor);
  g_signal_connect (browse, "clicked", G_CALLBACK (on_browse), editor->widget);
  editor->below = box;
  editor->show = show_entry;
}

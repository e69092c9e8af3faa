/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-text: text, files, and all that is written as text. */
#include "ui/panel/steps/editor.h"
#include "ui/panel/widgets/file-entry.h"
#include "ui/pipeline/text/value-text.h"

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
  g_signal_connect (gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor->widget)), "changed", G_CALLBACK (on_lines),
                    editor);
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

void
capra_editor_init_file (CapraEditor *editor)
{
  editor->below = capra_file_entry_new (&editor->widget);
  g_signal_connect (editor->widget, "changed", G_CALLBACK (on_entry), editor);
  editor->show = show_entry;
}

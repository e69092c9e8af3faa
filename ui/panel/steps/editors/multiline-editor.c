/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiline-editor: text of several lines, such as a matrix. */
#include "ui/panel/steps/editors/multiline-editor.h"

#include "ui/pipeline/text/value-text.h"

#define HEIGHT 92 /* pixels */
#define MARGIN 6

struct _CapraMultilineEditor {
  CapraEditor parent_instance;
  GtkTextBuffer *buffer;
};

G_DEFINE_FINAL_TYPE (CapraMultilineEditor, capra_multiline_editor, CAPRA_TYPE_EDITOR)

static void
on_changed (CapraMultilineEditor *self)
{
  g_autofree char *text = NULL;

  g_object_get (self->buffer, "text", &text, NULL);
  capra_editor_take_text (CAPRA_EDITOR (self), text);
}

static void
capra_multiline_editor_show (CapraEditor *editor, const GValue *value)
{
  CapraMultilineEditor *self = CAPRA_MULTILINE_EDITOR (editor);
  g_autofree char *text = capra_value_to_text (value);
  g_autofree char *shown = NULL;

  g_object_get (self->buffer, "text", &shown, NULL);
  if (g_strcmp0 (shown, text ? text : "") != 0)
    gtk_text_buffer_set_text (self->buffer, text ? text : "", -1);
}

static void
capra_multiline_editor_constructed (GObject *object)
{
  CapraMultilineEditor *self = CAPRA_MULTILINE_EDITOR (object);
  GtkWidget *scroller = gtk_scrolled_window_new (), *view = gtk_text_view_new ();

  G_OBJECT_CLASS (capra_multiline_editor_parent_class)->constructed (object);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), HEIGHT);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  capra_editor_add_below (CAPRA_EDITOR (self), scroller);
  capra_editor_set_control (CAPRA_EDITOR (self), view);
}

static void
capra_multiline_editor_class_init (CapraMultilineEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_multiline_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_multiline_editor_show;
}

static void
capra_multiline_editor_init (CapraMultilineEditor *self)
{
}

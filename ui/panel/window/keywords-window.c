/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keywords-window: the keywords of a FITS image, to read and to copy. */
#include "ui/panel/window/keywords-window.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/pipeline/read/fits-keywords.h"

#define WIDTH 720
#define HEIGHT 560
#define MARGIN 12

gboolean
capra_keywords_window_can_show (GeglBuffer *image)
{
  return image && capra_fits_keywords_get (image);
}

static gboolean
on_close (GtkWidget *window, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

static GtkWidget *
make_view (const char *text)
{
  GtkWidget *view = gtk_text_view_new (), *scrolled = gtk_scrolled_window_new ();

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), MARGIN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Image header"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

void
capra_keywords_window_show (GtkWindow *parent, GeglBuffer *image, const char *name)
{
  g_autofree char *text = capra_fits_header_to_string (capra_fits_keywords_get (image));
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_callback_action_new (on_close, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), make_view (text));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), name);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame-button: chooses the frame of a document's file. */
#include "ui/panel/window/frame-button.h"

#include <glib/gi18n-lib.h>

static void
on_value_changed (GtkSpinButton *button, gpointer document)
{
  capra_document_set_frame (document, (guint64) gtk_spin_button_get_value (button));
}

/* A frame that could not be read is not the one of the image. */
static void
update (GtkSpinButton *button, GParamSpec *property, gpointer document)
{
  guint64 count = capra_document_get_n_frames (document);
  g_autofree char *tip = g_strdup_printf (_ ("Frame of the file, from 0 to %.0f"), (double) count - 1);

  g_signal_handlers_block_by_func (button, on_value_changed, document);
  gtk_spin_button_set_range (button, 0, count > 1 ? (double) (count - 1) : 0.0);
  gtk_spin_button_set_value (button, (double) capra_document_get_frame (document));
  g_signal_handlers_unblock_by_func (button, on_value_changed, document);
  gtk_widget_set_tooltip_text (GTK_WIDGET (button), tip);
  gtk_widget_set_visible (GTK_WIDGET (button), count > 1);
}

static void
on_document_changed (gpointer document, GParamSpec *property, GtkSpinButton *button)
{
  update (button, property, document);
}

void
capra_frame_button_connect (GtkSpinButton *button, CapraDocument *document)
{
  g_signal_connect_object (button, "value-changed", G_CALLBACK (on_value_changed), document, 0);
  g_signal_connect_object (document, "notify::loading", G_CALLBACK (on_document_changed), button, 0);
  g_signal_connect_object (document, "notify::image", G_CALLBACK (on_document_changed), button, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ellipsis: drop-downs that ellipsize long texts in their button, not in their list. */
#include "ui/panel/widgets/ellipsis.h"

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkStringObject *string = gtk_list_item_get_item (item);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (string));
}

void
capra_drop_down_ellipsize (GtkDropDown *drop_down)
{
  g_autoptr (GtkListItemFactory) button_factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) list_factory = NULL;

  g_object_get (drop_down, "factory", &list_factory, NULL);
  g_signal_connect (button_factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (button_factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_list_factory (drop_down, list_factory);
  gtk_drop_down_set_factory (drop_down, button_factory);
}

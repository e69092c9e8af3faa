/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Column-view: what GTK's tables lack in version 4.8. */
#include "ui/panel/widgets/column-view.h"

#define WIDTH_KEY "capra-width" /* of a hidden column: the width that the user has chosen, or -1 */

void
capra_column_view_scroll_to (GtkColumnView *view, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view)); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/* The box of a title, and the lines of the label in it. */
static void
align_end (GtkWidget *box)
{
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  for (GtkWidget *child = gtk_widget_get_first_child (box); child; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child))
      gtk_label_set_justify (GTK_LABEL (child), GTK_JUSTIFY_RIGHT);
}

void
capra_column_view_align_title (GtkColumnView *view, GtkColumnViewColumn *column)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));

  for (guint i = 0; title; i++, title = gtk_widget_get_next_sibling (title))
    {
      g_autoptr (GtkColumnViewColumn) other = g_list_model_get_item (columns, i);

      if (other == column)
        align_end (gtk_widget_get_first_child (title));
    }
}

/* A list keeps its first visible row where it is, also if others are sorted before it. */
void
capra_column_view_sort_again (GtkColumnView *view)
{
  GtkAdjustment *scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  gboolean top = scrolled && gtk_adjustment_get_value (scrolled) == 0.0;

  gtk_sorter_changed (gtk_column_view_get_sorter (view), GTK_SORTER_CHANGE_DIFFERENT);
  if (top)
    capra_column_view_scroll_to (view, 0);
}

void
capra_column_view_wrap_name (GtkLabel *label, int chars)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (label, chars);
}

void
capra_column_view_set_shown (GtkColumnViewColumn *column, gboolean shown)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  if (gtk_column_view_column_get_visible (column) == !!shown)
    return;
  if (!shown)
    g_object_set_data (G_OBJECT (column), WIDTH_KEY, GINT_TO_POINTER (width));
  gtk_column_view_column_set_fixed_width (
    column, shown ? GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), WIDTH_KEY)) : 0);
  gtk_column_view_column_set_visible (column, shown);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns-popover: chooses the columns of a table that are shown. */
#include "ui/panel/results/columns-popover.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/accessible.h"

#define COLUMN_KEY "capra-column"
#define MAX_HEIGHT 360

struct _CapraColumnsPopover {
  GtkPopover parent_instance;
  GtkBox *box;
  CapraResultsTable *table;
};

G_DEFINE_FINAL_TYPE (CapraColumnsPopover, capra_columns_popover, GTK_TYPE_POPOVER)

static void
on_toggled (CapraColumnsPopover *self, GtkCheckButton *check)
{
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), COLUMN_KEY));

  if (column < capra_results_table_get_columns (self->table))
    capra_results_table_set_shown (self->table, column, gtk_check_button_get_active (check));
}

static void
add_check (CapraColumnsPopover *self, guint column)
{
  g_autofree char *header = capra_results_table_dup_header (self->table, column);
  GtkWidget *check = gtk_check_button_new_with_label (header);

  g_object_set_data (G_OBJECT (check), COLUMN_KEY, GUINT_TO_POINTER (column));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), capra_results_table_get_shown (self->table, column));
  g_signal_connect_swapped (check, "toggled", G_CALLBACK (on_toggled), self);
  capra_accessible_complete (check);
  gtk_box_append (self->box, check);
}

/* The columns can change while it is closed. */
static void
capra_columns_popover_show (GtkWidget *widget)
{
  CapraColumnsPopover *self = CAPRA_COLUMNS_POPOVER (widget);
  GtkWidget *child = NULL;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->box))))
    gtk_box_remove (self->box, child);
  for (guint i = 0; self->table && i < capra_results_table_get_columns (self->table); i++)
    add_check (self, i);
  GTK_WIDGET_CLASS (capra_columns_popover_parent_class)->show (widget);
}

void
capra_columns_popover_set_table (CapraColumnsPopover *popover, CapraResultsTable *table)
{
  g_return_if_fail (CAPRA_IS_COLUMNS_POPOVER (popover));
  g_set_object (&popover->table, table);
}

static void
capra_columns_popover_dispose (GObject *object)
{
  g_clear_object (&CAPRA_COLUMNS_POPOVER (object)->table);
  G_OBJECT_CLASS (capra_columns_popover_parent_class)->dispose (object);
}

static void
capra_columns_popover_class_init (CapraColumnsPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_columns_popover_dispose;
  GTK_WIDGET_CLASS (klass)->show = capra_columns_popover_show;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_DIALOG);
}

static void
capra_columns_popover_init (CapraColumnsPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scrolled = gtk_scrolled_window_new ();

  self->box = GTK_BOX (box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Columns"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_popover_set_child (GTK_POPOVER (self), scrolled);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-values: a table of one row as a list of names and values. */
#include "ui/panel/results/results-values.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/results/number-format.h"
#include "ui/panel/results/results-reason.h"

struct _CapraResultsValues {
  GtkWidget parent_instance;
  GtkWidget *scrolled;
  GtkListBox *list;
  GtkLabel *note; /* why numbers are missing */
  CapraResultsTable *table;
  GPtrArray *labels; /* of GtkLabel: the values; the list owns them */
};

G_DEFINE_FINAL_TYPE (CapraResultsValues, capra_results_values, GTK_TYPE_WIDGET)

static void
add_row (CapraResultsValues *self, const char *header)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (NULL);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), header);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  gtk_list_box_append (self->list, row);
  g_ptr_array_add (self->labels, label);
}

static gboolean
has_same_headers (CapraResultsValues *self)
{
  guint n = capra_results_table_get_columns (self->table);

  for (guint i = 0; i < n && i < self->labels->len; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, (int) i);
      g_autofree char *header = capra_results_table_dup_header (self->table, i);

      if (g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), header) != 0)
        return FALSE;
    }
  return n == self->labels->len;
}

static void
update (CapraResultsValues *self)
{
  guint n = capra_results_table_get_columns (self->table);
  g_autofree char *reason = NULL;

  if (capra_results_table_get_rows (self->table) == 0)
    return;
  if (!has_same_headers (self))
    {
      GtkListBoxRow *row = NULL;

      while ((row = gtk_list_box_get_row_at_index (self->list, 0)))
        gtk_list_box_remove (self->list, GTK_WIDGET (row));
      g_ptr_array_set_size (self->labels, 0);
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *header = capra_results_table_dup_header (self->table, i);

          add_row (self, header);
        }
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = capra_number_format_print_single (capra_results_table_get_value (self->table, 0, i));

      gtk_label_set_text (self->labels->pdata[i], text);
      if (!reason)
        reason = capra_results_dup_reason (capra_results_table_get_data (self->table), 0, i);
    }
  gtk_label_set_text (self->note, reason ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), reason != NULL);
}

void
capra_results_values_set_table (CapraResultsValues *values, CapraResultsTable *table)
{
  g_return_if_fail (CAPRA_IS_RESULTS_VALUES (values));
  if (values->table == table)
    return;
  if (values->table)
    g_signal_handlers_disconnect_by_data (values->table, values);
  g_set_object (&values->table, table);
  if (!table)
    return;
  g_signal_connect_swapped (table, "changed", G_CALLBACK (update), values);
  update (values);
}

static void
capra_results_values_dispose (GObject *object)
{
  CapraResultsValues *self = CAPRA_RESULTS_VALUES (object);

  capra_results_values_set_table (self, NULL);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_results_values_parent_class)->dispose (object);
}

static void
capra_results_values_class_init (CapraResultsValuesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_results_values_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_note (void)
{
  GtkWidget *note = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_set_visible (note, FALSE);
  return note;
}

static void
capra_results_values_init (CapraResultsValues *self)
{
  GtkWidget *list = gtk_list_box_new (), *note = make_note ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->list = GTK_LIST_BOX (list);
  self->note = GTK_LABEL (note);
  self->labels = g_ptr_array_new ();
  self->scrolled = gtk_scrolled_window_new ();
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Statistics"), -1);
  gtk_box_append (GTK_BOX (box), list);
  gtk_box_append (GTK_BOX (box), note);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), box);
  gtk_widget_set_vexpand (self->scrolled, TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

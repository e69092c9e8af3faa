/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-rows: the rows of a table in the order in which they are shown, as a list for widgets. */
#include "ui/panel/results/results-rows.h"

#include <math.h>

struct _CapraResultsRow {
  GObject parent_instance;
  guint row;
};

G_DEFINE_FINAL_TYPE (CapraResultsRow, capra_results_row, G_TYPE_OBJECT)

struct _CapraResultsRows {
  GObject parent_instance;
  CapraResultsTable *table;
  GArray *order; /* of guint: the row at each position */
  int sort_column, filter_column;
  gboolean descending;
  double low, high;
};

static guint row_chosen_signal;

static void list_init (GListModelInterface *iface);
static void selection_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CapraResultsRows, capra_results_rows, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_init)
                                 G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_init))

static void
capra_results_row_class_init (CapraResultsRowClass *klass)
{
}

static void
capra_results_row_init (CapraResultsRow *self)
{
}

guint
capra_results_row_get_row (CapraResultsRow *row)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROW (row), 0);
  return row->row;
}

static GType
get_item_type (GListModel *list)
{
  return CAPRA_TYPE_RESULTS_ROW;
}

static guint
get_n_items (GListModel *list)
{
  return CAPRA_RESULTS_ROWS (list)->order->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (list);
  CapraResultsRow *row = NULL;

  if (position >= self->order->len)
    return NULL;
  row = g_object_new (CAPRA_TYPE_RESULTS_ROW, NULL);
  row->row = g_array_index (self->order, guint, position);
  return row;
}

static void
list_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint count)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (model);
  GtkBitset *selected = capra_results_table_get_selected (self->table), *positions = gtk_bitset_new_empty ();
  guint end = MIN (position + count, self->order->len);

  if (gtk_bitset_is_empty (selected))
    return positions;
  for (guint i = position; i < end; i++)
    if (gtk_bitset_contains (selected, g_array_index (self->order, guint, i)))
      gtk_bitset_add (positions, i);
  return positions;
}

static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (model);
  g_autoptr (GtkBitset) rows = gtk_bitset_copy (capra_results_table_get_selected (self->table));
  GtkBitsetIter iter;
  guint position, chosen = 0, n_chosen = 0;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &position); more && position < self->order->len;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      guint row = g_array_index (self->order, guint, position);

      if (!gtk_bitset_contains (selected, position))
        gtk_bitset_remove (rows, row);
      else if (gtk_bitset_add (rows, row))
        {
          chosen = row;
          n_chosen++;
        }
    }
  capra_results_table_set_selected (self->table, rows);
  if (n_chosen == 1)
    g_signal_emit (self, row_chosen_signal, 0, chosen);
  return TRUE;
}

static void
selection_init (GtkSelectionModelInterface *iface)
{
  iface->get_selection_in_range = get_selection_in_range;
  iface->set_selection = set_selection;
}

typedef struct {
  double value;
  guint row;
} Entry;

static int
compare (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Entry *first = a, *second = b;
  int nan = isnan (first->value) - isnan (second->value);
  int order = (first->value > second->value) - (first->value < second->value);

  if (nan)
    return nan;
  if (order)
    return descending ? -order : order;
  return (first->row > second->row) - (first->row < second->row);
}

static gboolean
passes (CapraResultsRows *self, guint row)
{
  double value;

  if (self->filter_column < 0)
    return TRUE;
  value = capra_results_table_get_value (self->table, row, (guint) self->filter_column);
  return value >= self->low && value <= self->high;
}

static void
update (CapraResultsRows *self)
{
  guint rows = capra_results_table_get_rows (self->table), before = self->order->len;
  int columns = (int) capra_results_table_get_columns (self->table);
  int column = self->sort_column < columns ? self->sort_column : -1;
  g_autoptr (GArray) entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), rows);

  if (self->filter_column >= columns)
    self->filter_column = -1;
  for (guint row = 0; row < rows; row++)
    {
      Entry entry = { column < 0 ? 0.0 : capra_results_table_get_value (self->table, row, (guint) column), row };

      if (passes (self, row))
        g_array_append_val (entries, entry);
    }
  if (column >= 0)
    g_array_sort_with_data (entries, compare, GINT_TO_POINTER (self->descending));
  g_array_set_size (self->order, entries->len);
  for (guint i = 0; i < entries->len; i++)
    g_array_index (self->order, guint, i) = g_array_index (entries, Entry, i).row;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, self->order->len);
}

static void
on_selection_changed (CapraResultsRows *self)
{
  if (self->order->len > 0)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), 0, self->order->len);
}

CapraResultsTable *
capra_results_rows_get_table (CapraResultsRows *rows)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), NULL);
  return rows->table;
}

guint
capra_results_rows_get_row (CapraResultsRows *rows, guint position)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows) && position < rows->order->len, 0);
  return g_array_index (rows->order, guint, position);
}

int
capra_results_rows_find (CapraResultsRows *rows, guint row)
{
  g_return_val_if_fail (CAPRA_IS_RESULTS_ROWS (rows), -1);
  for (guint i = 0; i < rows->order->len; i++)
    if (g_array_index (rows->order, guint, i) == row)
      return (int) i;
  return -1;
}

void
capra_results_rows_sort (CapraResultsRows *rows, int column, gboolean descending)
{
  g_return_if_fail (CAPRA_IS_RESULTS_ROWS (rows));
  if (rows->sort_column == column && rows->descending == !!descending)
    return;
  rows->sort_column = column;
  rows->descending = !!descending;
  update (rows);
}

void
capra_results_rows_filter (CapraResultsRows *rows, int column, double low, double high)
{
  g_return_if_fail (CAPRA_IS_RESULTS_ROWS (rows));
  rows->filter_column = column;
  rows->low = low;
  rows->high = high;
  update (rows);
}

static void
capra_results_rows_finalize (GObject *object)
{
  CapraResultsRows *self = CAPRA_RESULTS_ROWS (object);

  g_object_unref (self->table);
  g_array_unref (self->order);
  G_OBJECT_CLASS (capra_results_rows_parent_class)->finalize (object);
}

static void
capra_results_rows_class_init (CapraResultsRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_results_rows_finalize;
  row_chosen_signal = g_signal_new ("row-chosen", CAPRA_TYPE_RESULTS_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
capra_results_rows_init (CapraResultsRows *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->sort_column = self->filter_column = -1;
}

CapraResultsRows *
capra_results_rows_new (CapraResultsTable *table)
{
  CapraResultsRows *self = g_object_new (CAPRA_TYPE_RESULTS_ROWS, NULL);

  self->table = g_object_ref (table);
  g_signal_connect_object (table, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (table, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-order: which rows of a table are shown, and in which order. */
#include "ui/panel/results/results-order.h"

#include <math.h>

typedef struct {
  double value;
  guint row;
} Entry;

gboolean
capra_results_order_equal (const CapraResultsOrder *a, const CapraResultsOrder *b)
{
  return a->sort_column == b->sort_column && a->descending == b->descending && a->filter_column == b->filter_column
         && a->low == b->low && a->high == b->high;
}

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
passes (const CapraResultsOrder *order, const CapraTable *data, guint row)
{
  double value = capra_table_get (data, row, (guint) order->filter_column);

  return value >= order->low && value <= order->high;
}

GArray *
capra_results_order_list (const CapraResultsOrder *order, const CapraTable *data)
{
  guint rows = (guint) capra_table_get_rows (data);
  int columns = (int) capra_table_get_columns (data);
  gboolean filtered = order->filter_column >= 0 && order->filter_column < columns;
  gboolean sorted = order->sort_column >= 0 && order->sort_column < columns;
  g_autoptr (GArray) entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), rows);
  GArray *list = NULL;

  for (guint row = 0; row < rows; row++)
    {
      Entry entry = { sorted ? capra_table_get (data, row, (guint) order->sort_column) : 0.0, row };

      if (!filtered || passes (order, data, row))
        g_array_append_val (entries, entry);
    }
  if (sorted)
    g_array_sort_with_data (entries, compare, GINT_TO_POINTER (order->descending));
  list = g_array_sized_new (FALSE, FALSE, sizeof (guint), entries->len);
  for (guint i = 0; i < entries->len; i++)
    g_array_append_val (list, g_array_index (entries, Entry, i).row);
  return list;
}

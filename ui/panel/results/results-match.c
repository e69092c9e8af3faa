/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-match: finds regions again in a table of the same image, whose regions may have other numbers. */
#include "ui/panel/results/results-match.h"

#include <math.h>

typedef struct {
  double x, y;
  guint row;
} Center;

int
capra_results_find_column (const CapraTable *table, const char *name)
{
  for (guint column = 0; table && column < capra_table_get_columns (table); column++)
    if (g_str_equal (capra_table_get_name (table, column), name))
      return (int) column;
  return -1;
}

gboolean
capra_results_is_of_regions (const CapraTable *table)
{
  return capra_results_find_column (table, "label") >= 0 && capra_results_find_column (table, "centroid_x") >= 0;
}

static int
compare_centers (gconstpointer a, gconstpointer b)
{
  const Center *first = a, *second = b;

  return (first->x > second->x) - (first->x < second->x);
}

/* (element-type Center): by rising x. */
static GArray *
get_centers (const CapraTable *table)
{
  guint rows = (guint) capra_table_get_rows (table);
  guint x = (guint) capra_results_find_column (table, "centroid_x");
  guint y = (guint) capra_results_find_column (table, "centroid_y");
  GArray *centers = g_array_sized_new (FALSE, FALSE, sizeof (Center), rows);

  for (guint row = 0; row < rows; row++)
    {
      Center center = { capra_table_get (table, row, x), capra_table_get (table, row, y), row };

      g_array_append_val (centers, center);
    }
  g_array_sort (centers, compare_centers);
  return centers;
}

/* The index of the first center at @x or to the right of it. */
static guint
find_first (const GArray *centers, double x)
{
  guint low = 0, high = centers->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (centers, Center, middle).x < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The row of @centers nearest to the center of the region in @row of @table and within its box; -1 without one. */
static gint64
find_nearest (const CapraTable *table, const guint *columns, guint row, const GArray *centers)
{
  double x = capra_table_get (table, row, columns[0]), y = capra_table_get (table, row, columns[1]);
  double left = capra_table_get (table, row, columns[2]), top = capra_table_get (table, row, columns[3]);
  double right = capra_table_get (table, row, columns[4]), bottom = capra_table_get (table, row, columns[5]);
  double nearest = INFINITY;
  gint64 best = -1;

  for (guint i = find_first (centers, left); i < centers->len; i++)
    {
      const Center *center = &g_array_index (centers, Center, i);
      double distance;

      if (center->x > right)
        break;
      if (center->y < top || center->y > bottom)
        continue;
      distance = hypot (center->x - x, center->y - y);
      if (distance >= nearest)
        continue;
      nearest = distance;
      best = center->row;
    }
  return best;
}

GtkBitset *
capra_results_match (const CapraTable *before, const CapraTable *after, const GtkBitset *rows)
{
  static const char *const names[] = { "centroid_x", "centroid_y", "min_x", "min_y", "max_x", "max_y" };
  guint columns[G_N_ELEMENTS (names)];
  g_autoptr (GArray) centers = NULL;
  GtkBitset *found = NULL;
  GtkBitsetIter iter;
  guint row;

  if (!capra_results_is_of_regions (before) || !capra_results_is_of_regions (after))
    return before && after && capra_table_get_rows (before) == capra_table_get_rows (after) ? gtk_bitset_copy (rows)
                                                                                            : gtk_bitset_new_empty ();
  found = gtk_bitset_new_empty ();
  if (!gtk_bitset_iter_init_first (&iter, rows, &row))
    return found;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    columns[i] = (guint) capra_results_find_column (before, names[i]);
  centers = get_centers (after);
  do
    {
      gint64 nearest = find_nearest (before, columns, row, centers);

      if (nearest >= 0)
        gtk_bitset_add (found, (guint) nearest);
    }
  while (gtk_bitset_iter_next (&iter, &row));
  return found;
}

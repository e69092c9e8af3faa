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

static double
get_value (const CapraTable *table, guint row, const char *name)
{
  return capra_table_get (table, row, (guint) capra_results_find_column (table, name));
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

GtkBitset *
capra_results_match (const CapraTable *before, const CapraTable *after, const GtkBitset *rows)
{
  GtkBitset *found = gtk_bitset_new_empty ();
  g_autoptr (GArray) centers = NULL;
  GtkBitsetIter iter;
  guint row;

  if (!gtk_bitset_iter_init_first (&iter, rows, &row))
    return found;
  centers = get_centers (after);
  do
    {
      double x = get_value (before, row, "centroid_x"), y = get_value (before, row, "centroid_y");
      double top = get_value (before, row, "min_y"), bottom = get_value (before, row, "max_y");
      double right = get_value (before, row, "max_x"), nearest = INFINITY;
      guint best = 0;

      for (guint i = find_first (centers, get_value (before, row, "min_x")); i < centers->len; i++)
        {
          const Center *center = &g_array_index (centers, Center, i);
          double distance = hypot (center->x - x, center->y - y);

          if (center->x > right)
            break;
          if (center->y < top || center->y > bottom || distance >= nearest)
            continue;
          nearest = distance;
          best = center->row;
        }
      if (isfinite (nearest))
        gtk_bitset_add (found, best);
    }
  while (gtk_bitset_iter_next (&iter, &row));
  return found;
}

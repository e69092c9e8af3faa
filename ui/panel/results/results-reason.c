/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-reason: why a number of a table is not finite, in plain words. */
#include "ui/panel/results/results-reason.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/results/results-match.h"

/* The number in the column @name of the row; @missing without that column. */
static double
get (const CapraTable *table, gsize row, const char *name, double missing)
{
  int column = capra_results_find_column (table, name);

  return column >= 0 ? capra_table_get (table, row, (guint) column) : missing;
}

static const char *
get_region_reason (const CapraTable *table, gsize row, const char *name)
{
  double low = get (table, row, "min", 0), high = get (table, row, "max", 0);

  if (isinf (low) || isinf (high))
    return _ ("The region has infinite intensities");
  if (isnan (low) && isnan (high))
    return _ ("The region has no intensities other than NaN");
  if (g_str_has_prefix (name, "weighted") && get (table, row, "sum", NAN) == 0)
    return _ ("The intensities of the region have the sum 0");
  return _ ("The region has intensities that are NaN");
}

/* With the numbers of values that are the cause. */
static char *
dup_values_reason (const CapraTable *table, gsize row)
{
  double count = get (table, row, "count", 1), nan = get (table, row, "nan_count", 0);
  double infinite = get (table, row, "inf_count", 0);
  g_autofree char *text = NULL, *left_out = NULL;

  if (count == 0)
    return g_strdup_printf (_ ("There are no values other than NaN (%.0f)"), nan);
  if (infinite == 0)
    return g_strdup (_ ("Not defined for these values"));
  text = g_strdup_printf (_ ("%.0f of %.0f values are infinite: numbers that are shown as “–” are not defined"),
                          infinite, count);
  if (nan == 0)
    return g_steal_pointer (&text);
  left_out = g_strdup_printf (_ ("%.0f more are NaN, and left out"), nan);
  return g_strdup_printf ("%s. %s", text, left_out);
}

char *
capra_results_dup_reason (const CapraTable *table, gsize row, guint column)
{
  const char *name = capra_table_get_name (table, column);

  if (isfinite (capra_table_get (table, row, column)))
    return NULL;
  if (g_str_equal (name, "ra") || g_str_equal (name, "dec"))
    return g_strdup (_ ("The sky coordinates of the image are not defined here"));
  if (capra_results_is_of_regions (table))
    return g_strdup (get_region_reason (table, row, name));
  return dup_values_reason (table, row);
}

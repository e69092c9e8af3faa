/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-columns: which columns of a table are drawn. */
#include "ui/cli/plot/plot-columns.h"

#include "ui/pipeline/error.h"

/* Returns the column with the first of these names that the table has. */
static int
find_first (const CapraColumns *table, const char *const *names, int other)
{
  for (guint i = 0; names[i]; i++)
    if (capra_columns_find (table, names[i]) >= 0)
      return capra_columns_find (table, names[i]);
  return other;
}

/* By its name, or by its number from 1. */
static int
find (const CapraColumns *table, const char *text)
{
  int column = capra_columns_find (table, text);
  char *end;
  guint64 number = g_ascii_strtoull (text, &end, 10);

  if (column >= 0 || *end || end == text)
    return column;
  return number >= 1 && number <= table->n_columns ? (int) number - 1 : -1;
}

static gboolean
refuse (const CapraColumns *table, const char *missing, GError **error)
{
  g_autofree char *names = table->names ? g_strjoinv (", ", table->names) : NULL;

  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_VALUE,
               "it has no column \"%s\"; it has %u column%s%s%s", missing, table->n_columns,
               table->n_columns == 1 ? "" : "s", names ? ": " : "", names ? names : "");
  return FALSE;
}

gboolean
plot_columns_choose (const CapraColumns *table, const char *names, PlotColumns *columns, GError **error)
{
  static const char *const values[] = { "I", "intensity", "mean", NULL };
  static const char *const errors[] = { "sem", "standard error of the mean", "sigma", "error", "std", NULL };
  g_auto (GStrv) parts = names ? g_strsplit (names, ",", -1) : NULL;
  guint count = parts ? g_strv_length (parts) : 0;
  int found[3] = { 0, find_first (table, values, 1), find_first (table, errors, -1) };

  if (parts && (count < 2 || count > 3))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--columns needs two or three columns: for x, y and the error");
      return FALSE;
    }
  if (parts)
    found[2] = -1;
  for (guint i = 0; i < count; i++)
    if ((found[i] = find (table, g_strstrip (parts[i]))) < 0)
      return refuse (table, parts[i], error);
  if (found[1] >= (int) table->n_columns)
    return refuse (table, "2", error);
  *columns = (PlotColumns){ found[0], found[1], found[2] };
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-columns: the columns of tables in plain words, with their units. */
#include "ui/panel/results/results-columns.h"

#include <glib/gi18n-lib.h>

typedef struct {
  const char *name;
  const char *title;
  const char *unit;
  gboolean common; /* shown at first in a table of regions */
} Column;

/* Translators: px is pixels. Intensities have no unit: they are the values of the image that is measured. */
static const Column columns[] = {
  /* The first one has the numbers of the regions. */
  { "label", N_ ("Region"), "", TRUE },
  { "area", N_ ("Area"), N_ ("px"), TRUE },
  { "centroid_x", N_ ("Center X"), N_ ("px"), TRUE },
  { "centroid_y", N_ ("Center Y"), N_ ("px"), TRUE },
  { "weighted_centroid_x", N_ ("Weighted Center X"), N_ ("px"), FALSE },
  { "weighted_centroid_y", N_ ("Weighted Center Y"), N_ ("px"), FALSE },
  { "min_x", N_ ("Left"), N_ ("px"), FALSE },
  { "min_y", N_ ("Top"), N_ ("px"), FALSE },
  { "max_x", N_ ("Right"), N_ ("px"), FALSE },
  { "max_y", N_ ("Bottom"), N_ ("px"), FALSE },
  { "ra", N_ ("Right Ascension"), N_ ("°"), FALSE },
  { "dec", N_ ("Declination"), N_ ("°"), FALSE },
  { "count", N_ ("Count"), "", FALSE },
  { "min", N_ ("Minimum"), "", FALSE },
  { "max", N_ ("Maximum"), "", FALSE },
  { "mean", N_ ("Mean"), "", TRUE },
  { "std", N_ ("Standard Deviation"), "", FALSE },
  { "median", N_ ("Median"), "", FALSE },
  { "sum", N_ ("Sum"), "", FALSE },
  { "nan_count", N_ ("NaN Values"), "", FALSE },
  { "inf_count", N_ ("Infinite Values"), "", FALSE },
  { "radial", N_ ("Radius"), "", FALSE },
  { "azimuth", N_ ("Azimuth"), N_ ("°"), FALSE },
  { "intensity", N_ ("Intensity"), "", FALSE },
  { "sem", N_ ("Standard Error"), "", FALSE },
};

static const Column *
find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (g_str_equal (columns[i].name, name))
      return &columns[i];
  return NULL;
}

const char *
capra_results_column_get_title (const char *name)
{
  const Column *column = find (name);

  return column ? _ (column->title) : name;
}

const char *
capra_results_column_get_unit (const char *name)
{
  const Column *column = find (name);

  return column && *column->unit ? _ (column->unit) : "";
}

char *
capra_results_column_dup_short_header (const char *name)
{
  const Column *column = find (name);

  if (column == columns)
    return g_strdup (C_ ("region", "No."));
  if (!column || !*column->unit)
    return g_strdup (capra_results_column_get_title (name));
  return g_strdup_printf ("%s\n%s", _ (column->title), _ (column->unit));
}

gboolean
capra_results_column_is_common (const char *name, gboolean regions)
{
  const Column *column = find (name);

  return !regions || (column && column->common);
}

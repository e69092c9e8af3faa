/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: the regions of arrays, and a table of them for printing and saving. */
#include "algorithms/measure/measure.h"

GArray *
capra_measure (CapraArray *labels, CapraArray *intensities, int origin_x, int origin_y, GError **error)
{
  CapraBandSource label_bands, value_bands;

  g_return_val_if_fail (labels != NULL, NULL);

  label_bands = capra_band_source_from_array (labels);
  if (intensities)
    value_bands = capra_band_source_from_array (intensities);
  return capra_measure_bands (&label_bands, intensities ? &value_bands : NULL, origin_x, origin_y, error);
}

/* Their order is that of the values in capra_measure_table(). */
static const struct {
  const char *name;
  gboolean intensities; /* whether it needs them */
} columns[] = {
  { "label", FALSE },
  { "area", FALSE },
  { "centroid_x", FALSE },
  { "centroid_y", FALSE },
  { "weighted_centroid_x", TRUE },
  { "weighted_centroid_y", TRUE },
  { "min_x", FALSE },
  { "min_y", FALSE },
  { "max_x", FALSE },
  { "max_y", FALSE },
  { "sum", TRUE },
  { "mean", TRUE },
  { "min", TRUE },
  { "max", TRUE },
  { "std", TRUE },
};

CapraTable *
capra_measure_table (const GArray *regions, gboolean intensities)
{
  const char *names[G_N_ELEMENTS (columns) + 1] = { NULL };
  CapraTable *table = NULL;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (intensities || !columns[i].intensities)
      names[n++] = columns[i].name;
  table = capra_table_new (names);
  g_return_val_if_fail (regions != NULL, table);

  for (guint row = 0; row < regions->len; row++)
    {
      const CapraRegion *r = &g_array_index (regions, CapraRegion, row);
      const double values[G_N_ELEMENTS (columns)] = { r->label,
                                                      (double) r->area,
                                                      r->centroid_x,
                                                      r->centroid_y,
                                                      r->weighted_centroid_x,
                                                      r->weighted_centroid_y,
                                                      r->min_x,
                                                      r->min_y,
                                                      r->max_x,
                                                      r->max_y,
                                                      r->sum,
                                                      r->mean,
                                                      r->min,
                                                      r->max,
                                                      r->std };
      double kept[G_N_ELEMENTS (columns)];

      n = 0;
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        if (intensities || !columns[i].intensities)
          kept[n++] = values[i];
      capra_table_add_row (table, kept);
    }
  return table;
}

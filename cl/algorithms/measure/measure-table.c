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

CapraTable *
capra_measure_table (const GArray *regions)
{
  static const char *const columns[] = { "label",
                                         "area",
                                         "centroid_x",
                                         "centroid_y",
                                         "weighted_centroid_x",
                                         "weighted_centroid_y",
                                         "min_x",
                                         "min_y",
                                         "max_x",
                                         "max_y",
                                         "sum",
                                         "mean",
                                         "min",
                                         "max",
                                         "std",
                                         NULL };
  CapraTable *table = capra_table_new (columns);

  g_return_val_if_fail (regions != NULL, table);

  for (guint i = 0; i < regions->len; i++)
    {
      const CapraRegion *r = &g_array_index (regions, CapraRegion, i);
      const double values[] = { r->label,
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

      capra_table_add_row (table, values);
    }
  return table;
}

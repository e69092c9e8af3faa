/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: a table with one row for each labeled region. */
#pragma once

#include "algorithms/common/band-source.h"
#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * CapraRegion:
 * @label: the region's number
 * @area: number of pixels
 * @centroid_x: mean column of the pixels; columns and rows are counted from 0
 * @centroid_y: mean row
 * @weighted_centroid_x: mean column weighted by intensity; NaN if the intensities sum to 0
 * @weighted_centroid_y: mean row weighted by intensity
 * @min_x: first column of the bounding box; @max_x is the last one, @min_y and @max_y are rows
 * @sum: sum of the intensities; @mean, @min, @max and @std (of the population) refer to them, too. All are NaN if an
 *   intensity is NaN, except @min and @max, which ignore NaN
 */
typedef struct {
  guint32 label;
  guint64 area;
  double centroid_x, centroid_y, weighted_centroid_x, weighted_centroid_y;
  gint32 min_x, min_y, max_x, max_y;
  double sum, mean, min, max, std;
} CapraRegion;

/**
 * capra_measure:
 * @labels: a u32 image (depth 1, one channel), 0 is background
 * @intensities: (nullable): an image of the same size and one channel, any type; without it, all fields
 *   that refer to intensities are NaN
 * @origin_x: column of the first pixel of the array; added to all columns
 * @origin_y: row of the first pixel of the array; added to all rows
 *
 * Sums are exact integers or fixed-point numbers, so that the rows are the same, byte for byte, on every run
 * and device. Labels that do not occur have no row.
 *
 * Returns: (transfer full) (element-type CapraRegion): the regions by rising label, or %NULL with @error set
 */
CAPRA_API
GArray *capra_measure (CapraArray *labels, CapraArray *intensities, int origin_x, int origin_y, GError **error);

/**
 * capra_measure_bands: (skip)
 * @labels: as for capra_measure()
 * @intensities: (nullable): an image of the same size, in bands of the same rows
 *
 * As capra_measure(), with the same rows.
 */
CAPRA_API
GArray *capra_measure_bands (const CapraBandSource *labels, const CapraBandSource *intensities, int origin_x,
                             int origin_y, GError **error);

/**
 * capra_measure_table:
 * @regions: (element-type CapraRegion): the result of capra_measure()
 * @intensities: whether there were any; otherwise the table lacks the fields that need them
 *
 * Returns: (transfer full): a table with a column for each field, for printing and saving
 */
CAPRA_API
CapraTable *capra_measure_table (const GArray *regions, gboolean intensities);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: a table with one row for each labelled region. */
#pragma once

#include "algorithms/common/table.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraRegion:
 * @label: the region's number
 * @area: pixels
 * @centroid_x: mean column of its pixels (their centres count: the first column is 0), and row
 * @weighted_centroid_x: mean column weighted by intensity; NaN if the intensities sum to 0
 * @min_x: bounding box, all four inclusive
 * @sum: of the intensities; @mean, @min, @max, @std (of the population) likewise. NaN
 *   if a pixel is NaN (@min and @max leave NaN out)
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
 * @intensities: (nullable): an image of the same size and one channel, any type; without it the columns of
 *   intensities are NaN
 * @origin_x: added to all columns of positions: where the array's first pixel lies
 * @origin_y: likewise
 *
 * Sums are exact integers or fixed-point numbers, so that the rows are the same, byte for byte, on every run
 * and device. Labels that do not occur have no row.
 *
 * Returns: (transfer full) (element-type CapraRegion): rows by rising label, or %NULL with @error set
 */
CAPRA_API
GArray *capra_measure (CapraArray *labels, CapraArray *intensities, int origin_x, int origin_y, GError **error);

/**
 * capra_measure_table:
 * @regions: (element-type CapraRegion): what capra_measure() gave
 *
 * Returns: (transfer full): the table with the field's column names, for printing and saving
 */
CAPRA_API
CapraTable *capra_measure_table (const GArray *regions);

G_END_DECLS

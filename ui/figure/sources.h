/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources: the rows of a table as marks on an image. */
#pragma once

#include "ui/figure/columns.h"
#include "ui/figure/image-figure.h"

G_BEGIN_DECLS

/**
 * capra_sources_new:
 * @table: with columns for positions: weighted_centroid_x and _y, centroid_x and _y, or x and y in pixels, as
 *   capra:measure writes them; or ra and dec in degrees, which need @sky. Ellipses have the size of
 *   axis_major_length, axis_minor_length and orientation, or of min_x, min_y, max_x and max_y, or of area.
 * @sky: (nullable)
 *
 * Marks are numbered in the order of the rows. A row without a position has no mark.
 *
 * Returns: (transfer full) (element-type CapraMark): or %NULL with @error set if columns are missing
 */
GArray *capra_sources_new (const CapraColumns *table, const CapraSky *sky, GError **error);

G_END_DECLS

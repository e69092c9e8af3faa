/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: numbers the connected regions of a mask, and gives each number a color. */
#pragma once

#include "algorithms/common/band-source.h"
#include "algorithms/label/label-options.h"

G_BEGIN_DECLS

/**
 * capra_label:
 * @input: an image (depth 1) of one channel, any type; values above 0 are foreground (NaN is background)
 * @count: (out) (optional): the number of regions
 *
 * Labels are 1 … @count in the raster order of the regions' first pixels, background is 0.
 * Exact for any number of labels. Union-find on the device; no pass waits for the host.
 *
 * Returns: (transfer full): a u32 array, or u8 with 4 channels for colors, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_label (CapraArray *input, const CapraLabelOptions *options, guint32 *count, GError **error);

/**
 * capra_label_bands: (skip)
 * @store: takes each band of the result, from first to last
 *
 * As capra_label(), with the same labels. The number of regions in all bands together is limited to 4294967295.
 */
CAPRA_API
gboolean capra_label_bands (const CapraBandSource *input, const CapraLabelOptions *options, CapraBandStoreFunc store,
                            gpointer data, guint32 *count, GError **error);

/**
 * capra_label_color:
 *
 * Returns: the color of @label, R'G'B'A as 0xAARRGGBB; 0 for label 0, other labels are opaque. Neighboring numbers
 *   have clearly different colors.
 */
CAPRA_API
guint32 capra_label_color (guint32 label);

/**
 * capra_label_colors:
 * @labels: u32 labels
 *
 * Returns: (transfer full): a u8 array with 4 channels, R'G'B'A: the colors of capra_label_color()
 */
CAPRA_API
CapraArray *capra_label_colors (CapraArray *labels, GError **error);

G_END_DECLS

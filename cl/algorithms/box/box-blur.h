/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur: the mean of the (2 r + 1)² neighbors, at a cost independent of r. */
#pragma once

#include "algorithms/common/convert.h"
#include "algorithms/common/window.h"

G_BEGIN_DECLS

/**
 * capra_box_blur:
 * @input: any shape and type; channels are blurred separately
 * @radius: how far the box reaches to each side along x, y, z in samples, 0 to leave an axis alone
 * @window: (nullable): %NULL for the whole array
 *
 * A NaN or infinity changes only outputs within twice the size of the box. Outputs are the same to the byte whatever
 * window they are made in; but where the box reaches further than the image is long, results beyond the image's edges
 * may differ by rounding (1e-6 of the values' range).
 *
 * Returns: (transfer full): an f32 array of the size of the window's result and the channels and
 *   depth of @input, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_box_blur (CapraArray *input, const int radius[3], CapraBorder border, const CapraWindow *window,
                            GError **error);

/**
 * capra_box_blur_converted:
 * @input: (transfer full): freed as soon as it is not needed
 * @conversions: (nullable): applied to @input before it is blurred, and to the result; %NULL for none
 *
 * As capra_box_blur() between two calls of capra_convert_by(), whose results are not stored where the kernels can
 * convert what they load and store.
 */
CAPRA_API
CapraArray *capra_box_blur_converted (CapraArray *input, const CapraConversions *conversions, const int radius[3],
                                      CapraBorder border, const CapraWindow *window, GError **error);

G_END_DECLS

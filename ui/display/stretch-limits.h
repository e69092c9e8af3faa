/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch-limits: the values between which an image is stretched. */
#pragma once

#include "ui/display/stretch.h"

G_BEGIN_DECLS

/**
 * capra_stretch_limits_find:
 * @values: NaN and infinities are ignored
 * @percentiles: of the low and of the high limit, 0 to 100
 * @limits: (out caller-allocates): the low one is less than the high one
 *
 * Finds percentiles, exactly. If both are equal (a constant, or a mask with few pixels set), uses the minimum and the
 * maximum; for a constant, the high limit is 1 more. Without finite values, the limits are 0 and 1.
 */
void capra_stretch_limits_find (const float *values, gsize count, const double percentiles[2], double limits[2]);

/**
 * capra_stretch_limits_choose:
 * @limits: (out caller-allocates): as those of capra_stretch_limits_find()
 *
 * Finds the limits that a curve has by default: the percentiles 0.2 and 99.8. Between them, a logarithmic curve would
 * make the noise of a background bright. If most values are a background, its limits are two standard deviations of the
 * background above its median, and the percentile 99.99. The standard deviation is that of the lower half of the
 * values, to which sources do not contribute: the distance from the median to the percentile 15.87. Values are a
 * background if the percentile 99.99 is more than 20 standard deviations above the median.
 */
void capra_stretch_limits_choose (const float *values, gsize count, CapraStretchCurve curve, double limits[2]);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch-limits: the values between which an image is stretched. */
#pragma once

#include <glib.h>

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

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convert: conversion between the color layouts of operations, on the device. */
#pragma once

#include "algorithms/common/color.h"

G_BEGIN_DECLS

/**
 * capra_convert:
 * @input: an array of any shape with the channels of @from: f32, or u8 or u16, whose range stands for 0 to 1
 * @from: the encoding of @input
 * @to: the encoding of the result
 * @luminance: (nullable): the weights of R, G and B in Y, which depend on the color space and sum to 1; required only
 *   if colors become luminance
 *
 * Converts as babl does. If @to has no alpha, associated colors are divided by alpha, and alpha is dropped; a new alpha
 * is 1. Colors become luminance by @luminance; luminance becomes three equal channels. Where alpha is 0, associated
 * values are preserved as in babl.
 *
 * Returns: (transfer full): an f32 array, which is a new reference to @input if nothing changes; or %NULL with @error
 *   set
 */
CAPRA_API
CapraArray *capra_convert (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3],
                           GError **error);

/**
 * capra_convert_by:
 * @conversion: (nullable): %NULL to return a new reference to @input
 *
 * The same for a conversion in one argument.
 */
CAPRA_API
CapraArray *capra_convert_by (CapraArray *input, const CapraConversion *conversion, GError **error);

/**
 * capra_convert_to_type:
 * @type: f32, u8 or u16
 *
 * The same to another type than f32. In u8 and u16 the range stands for 0 to 1; values are rounded, and those outside
 * are clipped.
 */
CAPRA_API
CapraArray *capra_convert_to_type (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3],
                                   CapraType type, GError **error);

G_END_DECLS

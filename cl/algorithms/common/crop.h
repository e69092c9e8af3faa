/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Crop: copies rectangles of arrays, on the device. */
#pragma once

#include "algorithms/common/window.h"

G_BEGIN_DECLS

/**
 * capra_crop:
 * @input: any shape and type
 * @rect: the rectangle to copy, relative to the first sample of @input; it may be partly or wholly outside
 *
 * Returns: (transfer full): an array of the size of @rect and the type, channels and depth of @input,
 *   zero where @rect lies outside; @input with a new reference if that is all of it; or %NULL with
 *   @error set
 */
CAPRA_API
CapraArray *capra_crop (CapraArray *input, const CapraRect *rect, GError **error);

G_END_DECLS

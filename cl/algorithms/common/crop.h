/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Crop: copies a rectangle out of an array, on the device. */
#pragma once

#include "algorithms/common/window.h"

G_BEGIN_DECLS

/**
 * capra_crop:
 * @input: any shape and type
 * @rect: the rectangle to copy, relative to the first pixel of @input; it may be partly or wholly outside
 *
 * Returns: (transfer full): an array with the size of @rect and the type, channels and depth of @input, zero outside
 *   @input; a new reference to @input if @rect is all of it; or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_crop (CapraArray *input, const CapraRect *rect, GError **error);

G_END_DECLS

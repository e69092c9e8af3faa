/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fill: arrays of one value. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_new:
 * @shape: within the limits that #CapraShape states
 *
 * Returns: (transfer full): an array of zeros on @device, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_array_new (CapraDevice *device, const CapraShape *shape, GError **error);

/**
 * capra_array_fill:
 * @value: becomes every value; rounded to the nearest and clamped to the range of an integer type
 */
CAPRA_API
gboolean capra_array_fill (CapraArray *array, double value, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fill: sets all values of an array. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_new:
 * @shape: within the limits of #CapraShape
 *
 * Returns: (transfer full): an array of zeros on @device, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_array_new (CapraDevice *device, const CapraShape *shape, GError **error);

/**
 * capra_array_fill:
 * @value: the new value; for integer types it is rounded and clamped to the type's range, and NaN becomes 0
 *
 * Sets all values of @array to @value.
 */
CAPRA_API
gboolean capra_array_fill (CapraArray *array, double value, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Array: values in the memory of a device, with 1 to 3 dimensions and 1 to 4 interleaved channels. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/array-types.h"

G_BEGIN_DECLS

/**
 * capra_type_size:
 * Returns: the size of a value in bytes
 */
CAPRA_API
gsize capra_type_size (CapraType type);

/**
 * capra_type_name:
 * Returns: "u8", "i8", "u16", "i16", "u32", "i32" or "f32"
 */
CAPRA_API
const char *capra_type_name (CapraType type);

/**
 * capra_shape_count:
 * Returns: the number of values: width·height·depth·channels
 */
CAPRA_API
gsize capra_shape_count (const CapraShape *shape);

/**
 * capra_shape_bytes:
 * Returns: the size of an array of this shape in bytes
 */
CAPRA_API
gsize capra_shape_bytes (const CapraShape *shape);

/**
 * capra_array_new_for_upload:
 *
 * The contents are undefined: for arrays that the host writes completely right away, with capra_array_map_write(),
 * capra_array_write_rows() or capra_array_upload(). capra_array_new() returns an array of zeros.
 *
 * Returns: (transfer full): a new array, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_array_new_for_upload (CapraDevice *device, const CapraShape *shape, GError **error);

CAPRA_API
CapraArray *capra_array_ref (CapraArray *array);
CAPRA_API
void capra_array_unref (CapraArray *array);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraArray, capra_array_unref)

CAPRA_API
const CapraShape *capra_array_get_shape (CapraArray *array);
CAPRA_API
CapraDevice *capra_array_get_device (CapraArray *array);

/**
 * capra_array_wait:
 *
 * Waits until all commands enqueued so far that read or write @array have ended.
 */
CAPRA_API
gboolean capra_array_wait (CapraArray *array, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Mapping: the contents of an array as memory of the host. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_map_write:
 *
 * Maps the whole array for writing: into pinned staging memory, or in place where host and device share memory. The
 * previous contents are lost. capra_array_unmap() ends the mapping and uploads; until then nobody else may use @array.
 *
 * Returns: (nullable): capra_shape_bytes() bytes, aligned to 64; %NULL with @error set
 */
CAPRA_API
gpointer capra_array_map_write (CapraArray *array, GError **error);

/**
 * capra_array_map_read:
 *
 * Maps the contents for reading: downloaded into pinned staging memory, or in place where host and device share memory.
 * Several readers share one mapping. The array must not be written to until the last one has called
 * capra_array_unmap(); the array stays alive until then.
 *
 * Returns: (nullable): capra_shape_bytes() bytes; %NULL with @error set
 */
CAPRA_API
gconstpointer capra_array_map_read (CapraArray *array, GError **error);

/**
 * capra_array_unmap:
 *
 * Ends a mapping, once for each call that returned one. Uploads what was written, without waiting for the end.
 */
CAPRA_API
gboolean capra_array_unmap (CapraArray *array, GError **error);

G_END_DECLS

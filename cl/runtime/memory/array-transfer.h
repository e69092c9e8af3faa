/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Transfers of whole arrays from and to ordinary memory of the host. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_new_from_data:
 * @data: capra_shape_bytes() bytes, in the order that #CapraShape defines
 *
 * Returns: (transfer full): a new array with a copy of @data, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_array_new_from_data (CapraDevice *device, const CapraShape *shape, gconstpointer data,
                                       GError **error);

/**
 * capra_array_upload:
 * @data: capra_shape_bytes() bytes
 *
 * Copies @data to the device. Returns when @data may be reused.
 */
CAPRA_API
gboolean capra_array_upload (CapraArray *array, gconstpointer data, GError **error);

/**
 * capra_array_upload_doubles:
 * @data: capra_shape_count() values
 *
 * Rounds float64 data to an array of type f32; any other type is an error.
 */
CAPRA_API
gboolean capra_array_upload_doubles (CapraArray *array, const double *data, GError **error);

/**
 * capra_array_download:
 * @data: (out caller-allocates): room for capra_shape_bytes() bytes
 *
 * Waits for all commands that write to @array, then copies it to the host.
 */
CAPRA_API
gboolean capra_array_download (CapraArray *array, gpointer data, GError **error);

G_END_DECLS

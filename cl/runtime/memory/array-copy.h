/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Copies from array to array. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_copy:
 * @target: an array of the same shape and type as @source, on any device
 *
 * Between two devices the bytes go through pinned host memory.
 */
CAPRA_API
gboolean capra_array_copy (CapraArray *target, CapraArray *source, GError **error);

/**
 * capra_array_copy_rows:
 * @target: an image (of depth 1) on any device
 * @to: the first row of @target to write
 * @source: another image of the same width, channels and type
 * @from: the first row of @source to copy
 * @rows: the number of rows
 *
 * As capra_array_copy(), for some rows. Of an evicted array, too, only these rows are moved.
 */
CAPRA_API
gboolean capra_array_copy_rows (CapraArray *target, gsize to, CapraArray *source, gsize from, gsize rows,
                                GError **error);

G_END_DECLS

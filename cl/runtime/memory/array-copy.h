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
 * @target: an image or volume on any device
 * @to: the first row of @target to write
 * @source: another one of the same width, depth, channels and type
 * @from: the first row of @source to copy
 * @rows: the number of rows
 *
 * As capra_array_copy(), for some rows, of each plane in volumes. Of an evicted array, too, only these rows are moved.
 */
CAPRA_API
gboolean capra_array_copy_rows (CapraArray *target, gsize to, CapraArray *source, gsize from, gsize rows,
                                GError **error);

/**
 * capra_array_copy_rect:
 * @target: an image (of depth 1) on any device
 * @to_x: the first column of @target to write
 * @to_y: its first row to write
 * @source: another image of the same channels and type
 * @x: the first column of @source to copy
 * @y: its first row to copy
 * @width: the number of columns
 * @height: the number of rows
 *
 * As capra_array_copy(), for a rectangle.
 */
CAPRA_API
gboolean capra_array_copy_rect (CapraArray *target, gsize to_x, gsize to_y, CapraArray *source, gsize x, gsize y,
                                gsize width, gsize height, GError **error);

G_END_DECLS

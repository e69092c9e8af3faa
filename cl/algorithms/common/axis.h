/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Axis: the geometry of a filter along one axis: the image, the part in the input, and the outputs. Private. */
#pragma once

#include "algorithms/common/window.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/**
 * CapraAxis:
 * @number: 0 for x, 1 for y, 2 for z
 * @length: number of samples of the image
 * @source: position of the first sample in the input; all positions count from the image's first sample
 * @n_source: number of samples in the input
 * @result: position of the first output
 * @n_result: number of outputs
 * @planes: the number of planes of the array
 * @stride: distance between neighboring outputs, in samples
 * @image: the length by which variants are chosen; the same as @length, except for axes without an end
 * @border: border rule
 */
typedef struct {
  int number, length, source, n_source, result, n_result, planes, stride, image;
  CapraBorder border;
} CapraAxis;

/* Sets @axis to axis @number of @input. @window must come from capra_window_resolve(). */
void capra_axis_init (CapraAxis *axis, int number, CapraArray *input, const CapraWindow *window, CapraBorder border);

/* Whether a filter with @reach along x and y reads no pixel of the image, so that all results are zeros. */
gboolean capra_axis_misses (const CapraWindow *window, const int reach[2], CapraBorder border);
/* An array of zeros with the size of the result of @window. */
CapraArray *capra_axis_zeros (CapraArray *input, const CapraWindow *window, GError **error);

/* Whether the outputs have the same positions as the samples of the input. */
gboolean capra_axis_is_whole (const CapraAxis *axis);

/* The distance between neighboring samples along axis @number, in values. */
guint64 capra_axis_pitch (const CapraShape *shape, int number);
/* Whether neighboring pixels along the axis are neighbors in memory. This holds for x, and for y if the width is 1.
 */
gboolean capra_axis_is_row (const CapraShape *shape, int number);
/* The number of slabs along axis @number. A slab is a contiguous block of pitch · samples values: a row for x, a plane
 * for y, the volume for z. */
guint64 capra_axis_slabs (const CapraShape *shape, int number);

/* @shape with type f32 and @count samples along axis @number. */
CapraShape capra_axis_shape (const CapraShape *shape, int number, int count);

G_END_DECLS

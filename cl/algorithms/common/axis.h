/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Axis: one axis of a separable filter: how long it is, what of it is held, what is wanted. Private. */
#pragma once

#include "algorithms/common/window.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/**
 * CapraAxis:
 * @number: 0 for x, 1 for y, 2 for z
 * @length: samples of the whole image
 * @source: the first of them that the input holds; all positions count from the image's first sample
 * @n_source: how many it holds
 * @result: the position of the first output
 * @n_result: how many outputs
 * @stride: positions from one output to the next
 * @border: what lies beyond
 * @image: how long the image is for whoever chooses a variant by it: @length, but of axes without an end
 */
typedef struct {
  int number, length, source, n_source, result, n_result, stride, image;
  CapraBorder border;
} CapraAxis;

/* Axis @number of @input under @window, which was resolved. */
void capra_axis_init (CapraAxis *axis, int number, CapraArray *input, const CapraWindow *window, CapraBorder border);

/* Whether a filter of that @reach along x and y meets nothing of the image: all results are zeros. */
gboolean capra_axis_misses (const CapraWindow *window, const int reach[2], CapraBorder border);
/* The zeros of @window's result. */
CapraArray *capra_axis_zeros (CapraArray *input, const CapraWindow *window, GError **error);

/* Whether the outputs stand where the inputs do. */
gboolean capra_axis_is_whole (const CapraAxis *axis);

/* How far apart neighbours along axis @number are, in values. */
guint64 capra_axis_pitch (const CapraShape *shape, int number);
/* Whether neighbours along the axis are neighbours in memory: so along x, and along y of a column. */
gboolean capra_axis_is_row (const CapraShape *shape, int number);
/* How many slabs of @pitch · samples values there are. */
guint64 capra_axis_slabs (const CapraShape *shape, int number);

/* @shape as f32 with @count samples along @number. */
CapraShape capra_axis_shape (const CapraShape *shape, int number, int count);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Taps: a weighted sum of neighbours along one axis, the pass that separable filters are made of.
 * Private. */
#pragma once

#include "algorithms/common/axis.h"

G_BEGIN_DECLS

/**
 * CapraWeightSum:
 * @filter: the filter
 * @first: an offset from the output's position, within the filter's reach
 * @step: how far from one offset to the next
 * @count: how many offsets, all within the reach
 *
 * Returns: the sum of the weights at @first, @first + @step, …
 */
typedef double (*CapraWeightSum) (gconstpointer filter, gint64 first, gint64 step, gint64 count);

/**
 * CapraTaps:
 * @first: the position on the axis that the first weight of the first output is for
 * @count: how many weights
 * @weights: theirs, in the order of positions
 *
 * Output i is Σ weights[k] · input[first + i·stride + k].
 */
typedef struct {
  int first, count;
  float *weights;
} CapraTaps;

/* The taps of a filter that reaches @left and @right on @axis. However far that is, they are at most
 * twice the axis' length and its outputs: weights that the border rule leads to the same samples of all
 * outputs are summed here, in double precision. */
CapraTaps *capra_taps_new (const CapraAxis *axis, gint64 left, gint64 right, CapraWeightSum sum, gconstpointer filter);
/* One weight of 1: copies, converts to f32, and crops or extends to the result. */
CapraTaps *capra_taps_new_identity (const CapraAxis *axis);
/* A filter of @left + 1 + @right explicit @weights, each times @scale. */
CapraTaps *capra_taps_new_weights (const CapraAxis *axis, int left, int right, const double *weights, double scale);
/* Whether a pass would change nothing but the type. */
gboolean capra_taps_is_identity (const CapraTaps *taps, const CapraAxis *axis);
void capra_taps_free (CapraTaps *taps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraTaps, capra_taps_free)

/* Runs @taps along @axis of @input, whose stride is 1; @offset is added to each output. */
CapraArray *capra_taps_run (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, float offset,
                            GError **error);

/* Gives @count numbers to a kernel as `WEIGHTS const float *`: as constants if they fit (then
 * *@array stays NULL), else as an array that must live until the launch has run. The macro WEIGHTS of
 * the build must be capra_taps_space (@count). */
void capra_taps_pass_weights (CapraLaunch *launch, const float *weights, gsize count, CapraArray **array);
const char *capra_taps_space (gsize count);

G_END_DECLS

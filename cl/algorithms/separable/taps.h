/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Taps: a weighted sum of neighbors along one axis (an FIR filter), the pass that separable filters consist of.
 * Private. */
#pragma once

#include "algorithms/common/axis.h"

G_BEGIN_DECLS

/**
 * CapraWeightSum:
 * @filter: the filter
 * @first: an offset from the output's position, within the filter's reach
 * @step: the distance between offsets
 * @count: the number of offsets, all within the reach
 *
 * Returns: the sum of the weights at @first, @first + @step, …
 */
typedef double (*CapraWeightSum) (gconstpointer filter, gint64 first, gint64 step, gint64 count);

/**
 * CapraTaps:
 * @first: the position on the axis of the first weight for the first output
 * @count: the number of weights
 * @weights: the weights, in the order of positions
 * @n_result: the number of outputs
 * @next: (nullable): the taps of the outputs after these
 *
 * Output i is Σ weights[k] · input[first + i·stride + k].
 */
typedef struct _CapraTaps CapraTaps;
struct _CapraTaps {
  int first, count;
  float *weights;
  int n_result;
  CapraTaps *next;
};

/* The taps of a filter that reaches @left and @right samples on @axis. Weights that apply to the same samples for all
 * outputs, by the border rule, are added up in double precision. An axis of an image that is shorter than the reach has
 * taps of their own for outputs before, on and behind it, so that an output does not depend on the others. */
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

/* Passes @count weights to a kernel as `WEIGHTS const float *`: as constants if they fit (then *@array stays NULL),
 * else as an array that must live until the launch has run. The program must be built with WEIGHTS defined as
 * capra_taps_space (@count). */
void capra_taps_pass_weights (CapraLaunch *launch, const float *weights, gsize count, CapraArray **array);
const char *capra_taps_space (gsize count);

G_END_DECLS

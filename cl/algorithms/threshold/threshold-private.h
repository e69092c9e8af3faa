/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The parts of the search for a threshold. Private. */
#pragma once

#include "algorithms/threshold/threshold.h"
#include "algorithms/common/reduction.h"

G_BEGIN_DECLS

#define CAPRA_THRESHOLD_BINS 256

/* Counts of the values between 257 edges, and the middles of the bins. */
typedef struct {
  double counts[CAPRA_THRESHOLD_BINS], centres[CAPRA_THRESHOLD_BINS];
} CapraHistogram;

/* How kernels/position.clh places the values of an array between @min and @max on [0, @cells]:
 * (value · @pre - @min · @pre) · @scale. */
typedef struct {
  CapraType type;
  double min, max;
  float pre, scale;
} CapraPlacement;

CapraPlacement capra_placement (CapraType type, double min, double max, int cells);

/* Gives @min to a kernel, in the type that it compares with. */
void capra_placement_least (CapraLaunch *launch, const CapraPlacement *placement);

/* Gives @min, @pre and @scale to a kernel. */
void capra_placement_arguments (CapraLaunch *launch, const CapraPlacement *placement);

/* The value found in a histogram with at least two bins in use; any method but mean and li. */
double capra_threshold_search (const CapraHistogram *histogram, CapraThresholdMethod method);

/* Whether a value can be found for @input by @method. */
gboolean capra_threshold_check (CapraArray *input, CapraThresholdMethod method, GError **error);

/* Whether the device finds Otsu's value of @input itself. */
gboolean capra_threshold_otsu_fits (CapraArray *input, CapraThresholdMethod method);

/* Starts the search for Otsu's value on the device: the words of kernels/otsu.cl. */
CapraArray *capra_threshold_otsu_start (CapraArray *input, GError **error);

/* Waits for the value in @words. */
gboolean capra_threshold_otsu_finish (CapraArray *words, double *value, GError **error);

/* The mask, of @type, of what is above the value in @words. */
CapraArray *capra_threshold_planned (CapraArray *input, CapraArray *words, CapraType type, GError **error);

/* Says that @input has no finite value. */
void capra_threshold_set_nothing (GError **error);

/* Li's iteration over the finite values of @input, which lie between @min and @max, with the mean @mean. */
gboolean capra_threshold_li (CapraArray *input, double min, double max, double mean, double *value, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the methods that find a value. To add one, write threshold-METHOD.c with its functions, declare these in
 * threshold-finders.h, and add a member to CapraThresholdMethod and its row to the table in threshold-method.c.
 * Private. */
#pragma once

#include "algorithms/statistics/moments.h"
#include "algorithms/threshold/threshold-histogram.h"
#include "algorithms/threshold/threshold-whole-histogram.h"
#include "algorithms/threshold/threshold.h"

G_BEGIN_DECLS

/**
 * CapraThresholdFinder:
 * @from_histogram: (nullable): the value from a histogram with bins of equal width, at least two of which are used
 * @from_moments: instead of @from_histogram: the value of an image with different values, whose moments are given
 * @from_whole: the value from a histogram with a bin for each whole number
 */
typedef struct {
  double (*from_histogram) (const CapraHistogram *histogram);
  gboolean (*from_moments) (CapraArray *input, const CapraMoments *moments, double *value, GError **error);
  double (*from_whole) (const CapraWholeHistogram *histogram);
} CapraThresholdFinder;

/* %NULL for a manual threshold, and for what is not a method. */
const CapraThresholdFinder *capra_threshold_get_finder (CapraThresholdMethod method);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the methods that compute a threshold. Private.
 *
 * A new method needs changes in these places:
 * - threshold-METHOD.c, a new file with its functions, which is added to cl/algorithms/meson.build;
 * - threshold-finders.h, which declares them, and the table in threshold-method.c;
 * - threshold.h: a member of CapraThresholdMethod, and the publication under "Sources";
 * - plugin/operations/threshold.c: a value of CapraThresholdChoice, and the assertion that both enumerations agree;
 * - plugin/operations/operations.ini: the summary, and a chain with the method; README.md repeats the summary;
 * - the lists of methods in tests/algorithms/test-threshold-find.c, test-threshold-whole.c and test-threshold.c, and in
 *   tests/hosts/test-capra-run-data.c; for new kernels also tests/algorithms/test-kernels.c;
 * - the translations in po. */
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
  gboolean (*from_moments) (const CapraBandSource *input, const CapraMoments *moments, double *value, GError **error);
  double (*from_whole) (const CapraWholeHistogram *histogram);
} CapraThresholdFinder;

/* %NULL for a manual threshold, and for what is not a method. */
const CapraThresholdFinder *capra_threshold_get_finder (CapraThresholdMethod method);

G_END_DECLS

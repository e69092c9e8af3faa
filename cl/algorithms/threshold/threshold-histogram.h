/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: histograms with bins of equal width. Private. */
#pragma once

#include "algorithms/common/band-source.h"
#include "algorithms/threshold/histogram-params.h"

G_BEGIN_DECLS

/* The numbers of values between the edges of the bins, and the centers of the bins. */
typedef struct {
  double counts[HISTOGRAM_BINS], centers[HISTOGRAM_BINS];
} CapraHistogram;

/* The histogram of the finite values of @input, the smallest of which is @min, the largest @max. */
gboolean capra_histogram_find (const CapraBandSource *input, double min, double max, CapraHistogram *histogram,
                               GError **error);

G_END_DECLS

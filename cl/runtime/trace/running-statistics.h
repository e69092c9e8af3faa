/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Series: running statistics of times that come one by one. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_SERIES_SAMPLES 4096

/* Starts as zeros. Times are in milliseconds; @mean and @squares are Welford's running mean and sum of
 * squared deviations. */
typedef struct {
  guint64 count, bytes;
  double min, max, total, mean, squares;
  float samples[CAPRA_SERIES_SAMPLES]; /* a ring, for the median */
} CapraSeries;

void capra_series_add (CapraSeries *series, double time, guint64 bytes);

/* The median of the latest samples, which are sorted for it: for a copy that takes no more. */
double capra_series_take_median (CapraSeries *series);

/* The standard deviation of the population. */
double capra_series_std (const CapraSeries *series);

G_END_DECLS

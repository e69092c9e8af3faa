/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Running statistics: count, extremes, mean, deviation and median of times that are added one by one. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_RUNNING_STATISTICS_SAMPLES 4096

/* All fields start as 0. Times are in milliseconds. @mean and @squares are Welford's running mean and sum of squared
 * deviations. */
typedef struct {
  guint64 count, bytes;
  double min, max, total, mean, squares;
  float samples[CAPRA_RUNNING_STATISTICS_SAMPLES]; /* a ring of the latest times */
} CapraRunningStatistics;

void capra_running_statistics_add (CapraRunningStatistics *statistics, double time, guint64 bytes);

/* The median of the latest samples. Sorts them, so that nothing can be added afterwards: call it on a copy. */
double capra_running_statistics_median (CapraRunningStatistics *statistics);

/* The population standard deviation. */
double capra_running_statistics_std (const CapraRunningStatistics *statistics);

G_END_DECLS

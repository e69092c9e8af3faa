/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Running statistics, by Welford's method (Technometrics 4, 1962, 419). */
#include <math.h>
#include <stdlib.h>

#include "runtime/trace/running-statistics.h"

void
capra_running_statistics_add (CapraRunningStatistics *statistics, double time, guint64 bytes)
{
  double delta = time - statistics->mean;

  statistics->min = statistics->count ? MIN (statistics->min, time) : time;
  statistics->max = MAX (statistics->max, time);
  statistics->samples[statistics->count % CAPRA_RUNNING_STATISTICS_SAMPLES] = (float) time;
  statistics->count++;
  statistics->bytes += bytes;
  statistics->total += time;
  statistics->mean += delta / (double) statistics->count;
  statistics->squares += delta * (time - statistics->mean);
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

double
capra_running_statistics_median (CapraRunningStatistics *statistics)
{
  gsize n = (gsize) MIN (statistics->count, (guint64) CAPRA_RUNNING_STATISTICS_SAMPLES);
  const float *sorted = statistics->samples;
  double median = 0;

  if (n == 0)
    return 0;
  qsort (statistics->samples, n, sizeof (float), compare_floats);
  median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
  return CLAMP (median, statistics->min, statistics->max); /* samples are rounded to float */
}

double
capra_running_statistics_std (const CapraRunningStatistics *statistics)
{
  return statistics->count ? sqrt (statistics->squares / (double) statistics->count) : 0;
}

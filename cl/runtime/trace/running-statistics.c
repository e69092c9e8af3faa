/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Series: running statistics, by Welford's method (Technometrics 4, 1962, 419). */
#include <math.h>
#include <stdlib.h>

#include "runtime/trace/running-statistics.h"

void
capra_series_add (CapraSeries *series, double time, guint64 bytes)
{
  double delta = time - series->mean;

  series->min = series->count ? MIN (series->min, time) : time;
  series->max = MAX (series->max, time);
  series->samples[series->count % CAPRA_SERIES_SAMPLES] = (float) time;
  series->count++;
  series->bytes += bytes;
  series->total += time;
  series->mean += delta / (double) series->count;
  series->squares += delta * (time - series->mean);
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

double
capra_series_take_median (CapraSeries *series)
{
  gsize n = (gsize) MIN (series->count, (guint64) CAPRA_SERIES_SAMPLES);
  const float *sorted = series->samples;
  double median = 0;

  if (n == 0)
    return 0;
  qsort (series->samples, n, sizeof (float), compare_floats);
  median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
  return CLAMP (median, series->min, series->max); /* samples are rounded */
}

double
capra_series_std (const CapraSeries *series)
{
  return series->count ? sqrt (series->squares / (double) series->count) : 0;
}

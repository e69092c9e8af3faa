/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: T. Ridler, S. Calvard 1978: the first bin that is midway between the means of both classes. */
#include <math.h>

#include "algorithms/threshold/threshold-finders.h"

/* The first bin that is midway between the means of both classes, within one bin. There always is one: the first bin is
 * below that point, the last but one within a bin of it or above, and the distance decreases by at most one bin from
 * each bin to the next. */
static int
search_histogram (const CapraHistogram *h)
{
  double width = (h->centers[HISTOGRAM_BINS - 1] - h->centers[0]) / (HISTOGRAM_BINS - 1);
  double total = 0, total_sum = 0, weight = 0, sum = 0;

  for (int i = 0; i < HISTOGRAM_BINS; i++)
    {
      total += h->counts[i];
      total_sum += h->counts[i] * h->centers[i];
    }
  for (int i = 0; i < HISTOGRAM_BINS - 1; i++)
    {
      double distance;

      weight += h->counts[i];
      sum += h->counts[i] * h->centers[i];
      distance = (sum / weight + (total_sum - sum) / (total - weight)) / 2 - h->centers[i];
      if (distance >= 0 && distance < width)
        return i;
    }
  return HISTOGRAM_BINS - 2;
}

double
capra_isodata_histogram (const CapraHistogram *histogram)
{
  return histogram->centers[search_histogram (histogram)];
}

static gsize
search_whole (const CapraWholeHistogram *c)
{
  CapraValueClass all = capra_whole_histogram_sum (c), below = { 0, 0 };

  for (gsize i = 0; i + 1 < c->bins; i++)
    {
      double distance;

      below.count += c->counts[i];
      below.sum += c->counts[i] * (c->least + (double) i);
      distance = (below.sum / below.count + (all.sum - below.sum) / (all.count - below.count)) / 2
                 - (c->least + (double) i);
      if (distance >= 0 && distance < 1)
        return i;
    }
  return c->bins - 2;
}

double
capra_isodata_whole (const CapraWholeHistogram *histogram)
{
  return histogram->least + (double) search_whole (histogram);
}

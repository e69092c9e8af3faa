/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: N. Otsu 1979: the largest variance between the two classes. */
#include <math.h>

#include "algorithms/threshold/threshold-finders.h"

/* sums[i] = the sum of the values up to the i-th, or with @back from the i-th on: sums within blocks of 16 bins first,
 * then those of the preceding blocks, in the order of otsu-search.clh. */
static void
add_up (const double *values, double *sums, gboolean back)
{
  const int block = 16, turn = back ? HISTOGRAM_BINS - 1 : 0;
  double before = 0;

  for (int first = 0; first < HISTOGRAM_BINS; first += block)
    {
      double sum = 0;

      for (int i = first; i < first + block; i++)
        {
          sum += values[i ^ turn];
          sums[i ^ turn] = sum + before;
        }
      before += sum;
    }
}

static int
search_histogram (const CapraHistogram *h)
{
  double values[HISTOGRAM_BINS], below[HISTOGRAM_BINS], sum_below[HISTOGRAM_BINS], above[HISTOGRAM_BINS],
    sum_above[HISTOGRAM_BINS], best = -1;
  int found = 0;

  for (int i = 0; i < HISTOGRAM_BINS; i++)
    values[i] = h->counts[i] * h->centers[i];
  add_up (h->counts, below, FALSE);
  add_up (h->counts, above, TRUE);
  add_up (values, sum_below, FALSE);
  add_up (values, sum_above, TRUE);
  for (int i = 0; i < HISTOGRAM_BINS - 1; i++)
    {
      double apart = sum_below[i] / below[i] - sum_above[i + 1] / above[i + 1];
      double variance = below[i] * above[i + 1] * (apart * apart);

      if (variance > best)
        {
          best = variance;
          found = i;
        }
    }
  return found;
}

double
capra_otsu_histogram (const CapraHistogram *histogram)
{
  return histogram->centers[search_histogram (histogram)];
}

static gsize
search_whole (const CapraWholeHistogram *c)
{
  CapraValueClass all = capra_whole_histogram_sum (c), below = { 0, 0 };
  double best = -1;
  gsize found = 0;

  for (gsize i = 0; i + 1 < c->bins; i++)
    {
      double apart, variance;

      below.count += c->counts[i];
      below.sum += c->counts[i] * (c->least + (double) i);
      apart = below.sum / below.count - (all.sum - below.sum) / (all.count - below.count);
      variance = below.count * (all.count - below.count) * (apart * apart);
      if (c->counts[i] > 0 && variance > best) /* an empty bin gives the same classes as the one before */
        {
          best = variance;
          found = i;
        }
    }
  return found;
}

double
capra_otsu_whole (const CapraWholeHistogram *histogram)
{
  return histogram->least + (double) search_whole (histogram);
}

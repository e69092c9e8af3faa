/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: J. Yen, F. Chang, S. Chang 1995: the largest entropic correlation. */
#include <math.h>

#include "algorithms/threshold/threshold-finders.h"

static int
search_histogram (const CapraHistogram *h)
{
  double squares_above[HISTOGRAM_BINS], total = 0, squares = 0, below = 0, best = -INFINITY;
  int found = 0;

  for (int i = 0; i < HISTOGRAM_BINS; i++)
    total += h->counts[i];
  for (int i = HISTOGRAM_BINS - 1; i >= 0; i--)
    {
      double p = h->counts[i] / total;

      squares += p * p;
      squares_above[i] = squares;
    }
  squares = 0;
  for (int i = 0; i < HISTOGRAM_BINS - 1; i++)
    {
      double p = h->counts[i] / total, criterion;

      below += p;
      squares += p * p;
      criterion = log (pow (below * (1 - below), 2) / (squares * squares_above[i + 1]));
      if (criterion > best)
        {
          best = criterion;
          found = i;
        }
    }
  return found;
}

double
capra_yen_histogram (const CapraHistogram *histogram)
{
  return histogram->centers[search_histogram (histogram)];
}

static gsize
search_whole (const CapraWholeHistogram *c)
{
  double total = capra_whole_histogram_sum (c).count, below = 0, best = -INFINITY;
  long double all = 0, squares = 0; /* integers: what is above is the difference */
  gsize found = 0;

  for (gsize i = 0; i < c->bins; i++)
    all += (long double) c->counts[i] * c->counts[i];
  for (gsize i = 0; i + 1 < c->bins; i++)
    {
      double criterion;

      below += c->counts[i];
      squares += (long double) c->counts[i] * c->counts[i];
      criterion = 2 * (log (below / total) + log ((total - below) / total))
                  - (log ((double) squares) + log ((double) (all - squares)));
      if (c->counts[i] > 0 && criterion > best)
        {
          best = criterion;
          found = i;
        }
    }
  return found;
}

double
capra_yen_whole (const CapraWholeHistogram *histogram)
{
  return histogram->least + (double) search_whole (histogram);
}

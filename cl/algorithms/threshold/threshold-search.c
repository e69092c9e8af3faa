/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the searches in a histogram of 256 bins, as scikit-image defines them. */
#include <math.h>
#include <stdlib.h>

#include "algorithms/threshold/threshold-private.h"

#define BINS CAPRA_THRESHOLD_BINS

/* sums[i] = the values up to the i-th, or with @back from it to the last: blocks of 16 bins first, then what is
 * before each of them, in the order of kernels/otsu-search.clh. */
static void
add_up (const double *values, double *sums, gboolean back)
{
  const int block = 16, turn = back ? BINS - 1 : 0;
  double before = 0;

  for (int first = 0; first < BINS; first += block)
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

/* N. Otsu 1979: the largest variance between the two classes. */
static int
search_otsu (const CapraHistogram *h)
{
  double values[BINS], below[BINS], sum_below[BINS], above[BINS], sum_above[BINS], best = -1;
  int found = 0;

  for (int i = 0; i < BINS; i++)
    values[i] = h->counts[i] * h->centres[i];
  add_up (h->counts, below, FALSE);
  add_up (h->counts, above, TRUE);
  add_up (values, sum_below, FALSE);
  add_up (values, sum_above, TRUE);
  for (int i = 0; i < BINS - 1; i++)
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

/* G. Zack, W. Rogers, S. Latt 1977: the bin farthest below the line from the peak to the end of
 * the longer tail. */
static int
search_triangle (const CapraHistogram *h)
{
  int peak = 0, low = 0, high = BINS - 1, step, found;
  double height, width, length, best = -INFINITY;

  for (int i = 1; i < BINS; i++)
    if (h->counts[i] > h->counts[peak])
      peak = i;
  while (h->counts[low] == 0)
    low++;
  while (h->counts[high] == 0)
    high--;

  /* From the tail's end towards the peak; the right tail is the longer one if it is strictly so. */
  step = peak - low < high - peak ? -1 : 1;
  found = step > 0 ? low : high;
  width = abs (peak - found);
  length = sqrt (h->counts[peak] * h->counts[peak] + width * width);
  height = h->counts[peak] / length;
  width /= length;
  for (int i = found, x = 0; i != peak; i += step, x++)
    {
      double distance = height * x - width * h->counts[i];

      if (distance > best)
        {
          best = distance;
          found = i;
        }
    }
  return found;
}

/* J. Yen, F. Chang, S. Chang 1995: the largest entropic correlation. */
static int
search_yen (const CapraHistogram *h)
{
  double squares_above[BINS], total = 0, squares = 0, below = 0, best = -INFINITY;
  int found = 0;

  for (int i = 0; i < BINS; i++)
    total += h->counts[i];
  for (int i = BINS - 1; i >= 0; i--)
    {
      double p = h->counts[i] / total;

      squares += p * p;
      squares_above[i] = squares;
    }
  squares = 0;
  for (int i = 0; i < BINS - 1; i++)
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

/* T. Ridler, S. Calvard 1978: the first bin that is midway between the means of both classes, within
 * one bin. There always is one: the first bin lies below that point, the last but one within a bin
 * of it or above, and the distance shrinks by at most a bin from one to the next. */
static int
search_isodata (const CapraHistogram *h)
{
  double width = (h->centres[BINS - 1] - h->centres[0]) / (BINS - 1);
  double total = 0, total_sum = 0, weight = 0, sum = 0;

  for (int i = 0; i < BINS; i++)
    {
      total += h->counts[i];
      total_sum += h->counts[i] * h->centres[i];
    }
  for (int i = 0; i < BINS - 1; i++)
    {
      double distance;

      weight += h->counts[i];
      sum += h->counts[i] * h->centres[i];
      distance = (sum / weight + (total_sum - sum) / (total - weight)) / 2 - h->centres[i];
      if (distance >= 0 && distance < width)
        return i;
    }
  return BINS - 2;
}

double
capra_threshold_search (const CapraHistogram *histogram, CapraThresholdMethod method)
{
  switch (method)
    {
    case CAPRA_THRESHOLD_TRIANGLE: return histogram->centres[search_triangle (histogram)];
    case CAPRA_THRESHOLD_YEN: return histogram->centres[search_yen (histogram)];
    case CAPRA_THRESHOLD_ISODATA: return histogram->centres[search_isodata (histogram)];
    default: return histogram->centres[search_otsu (histogram)];
    }
}

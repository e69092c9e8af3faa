/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: G. Zack, W. Rogers, S. Latt 1977: the bin farthest below the line from the peak to the end of the longer
 * tail. */
#include <math.h>
#include <stdlib.h>

#include "algorithms/threshold/threshold-finders.h"

static int
search_histogram (const CapraHistogram *h)
{
  int peak = 0, low = 0, high = HISTOGRAM_BINS - 1, step, found;
  double height, width, length, best = -INFINITY;

  for (int i = 1; i < HISTOGRAM_BINS; i++)
    if (h->counts[i] > h->counts[peak])
      peak = i;
  while (h->counts[low] == 0)
    low++;
  while (h->counts[high] == 0)
    high--;

  /* From the tail's end toward the peak; the right tail is the longer one if it is strictly so. */
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

double
capra_triangle_histogram (const CapraHistogram *histogram)
{
  return histogram->centers[search_histogram (histogram)];
}

static gsize
search_whole (const CapraWholeHistogram *c)
{
  gsize peak = 0, found;
  double height, width, length, best = -INFINITY;
  gboolean right;

  for (gsize i = 1; i < c->bins; i++)
    if (c->counts[i] > c->counts[peak])
      peak = i;
  right = peak < c->bins - 1 - peak; /* the longer tail; the left one if they are equal */
  found = right ? c->bins - 1 : 0;
  height = c->counts[peak];
  width = right ? (double) (c->bins - 1 - peak) : (double) peak;
  length = sqrt (height * height + width * width);
  for (gsize x = 0; x < (gsize) width; x++)
    {
      gsize i = right ? c->bins - 1 - x : x;
      double distance = height / length * (double) x - width / length * c->counts[i];

      if (distance > best)
        {
          best = distance;
          found = i;
        }
    }
  return found;
}

double
capra_triangle_whole (const CapraWholeHistogram *histogram)
{
  return histogram->least + (double) search_whole (histogram);
}

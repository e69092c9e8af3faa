/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic thresholds: searches over all bins of a histogram. */
#include "ui/cli/check/reference-threshold.h"

#include <math.h>
#include <stdlib.h>

ReferenceThreshold
reference_threshold_new (CapraType type, gconstpointer data, gsize count)
{
  ReferenceThreshold r = { .values = g_new (double, count), .min = INFINITY, .max = -INFINITY };
  double edges[257];
  long double sum = 0;

  for (gsize i = 0; i < count; i++)
    {
      double v = reference_value (type, data, i);

      if (!isfinite (v))
        continue;
      r.values[r.count++] = v;
      r.min = MIN (r.min, v);
      r.max = MAX (r.max, v);
      sum += v;
    }
  r.mean = (double) (sum / r.count);
  for (int i = 0; i <= 256; i++)
    {
      edges[i] = i == 256 ? r.max : r.min + i * ((r.max - r.min) / 256);
      if (type == CAPRA_F32)
        edges[i] = (float) edges[i];
    }
  for (int i = 0; i < 256; i++)
    r.centers[i] = (edges[i] + edges[i + 1]) / 2;
  for (gsize i = 0; i < r.count; i++)
    {
      int low = 0, high = 256;

      while (high - low > 1)
        {
          int middle = (low + high) / 2;

          if (r.values[i] >= edges[middle])
            low = middle;
          else
            high = middle;
        }
      r.counts[low]++;
    }
  return r;
}

/* The number of values, their sum, and the sum of the squared counts in the bins from @first to @last. */
static void
sum_class (const ReferenceThreshold *r, int first, int last, double *n, double *sum, double *squares)
{
  *n = *sum = *squares = 0;
  for (int i = first; i <= last; i++)
    {
      *n += r->counts[i];
      *sum += r->counts[i] * r->centers[i];
      *squares += r->counts[i] * r->counts[i];
    }
}

/* The criterion that the method maximizes, if the lower class ends with bin @i. */
static double
merit_of (const ReferenceThreshold *r, CapraThresholdMethod method, int i)
{
  double n[2], sum[2], squares[2], distance, width = (r->max - r->min) / 256;

  sum_class (r, 0, i, &n[0], &sum[0], &squares[0]);
  sum_class (r, i + 1, 255, &n[1], &sum[1], &squares[1]);
  switch (method)
    {
    case CAPRA_THRESHOLD_OTSU: return n[0] * n[1] * pow (sum[0] / n[0] - sum[1] / n[1], 2);
    case CAPRA_THRESHOLD_YEN:
      return 2 * log (n[0] / r->count * (n[1] / r->count)) - log (squares[0]) - log (squares[1]);
    default: distance = (sum[0] / n[0] + sum[1] / n[1]) / 2 - r->centers[i]; return distance >= 0 && distance < width;
    }
}

/* The bin with the largest distance from the line between the peak and the end of the longer tail. */
static int
find_triangle (const ReferenceThreshold *r)
{
  int peak = 0, first = 256, last = 0, end, best = -1;
  double farthest = -INFINITY;

  for (int i = 0; i < 256; i++)
    {
      peak = r->counts[i] > r->counts[peak] ? i : peak;
      first = r->counts[i] > 0 ? MIN (first, i) : first;
      last = r->counts[i] > 0 ? i : last;
    }
  end = peak - first < last - peak ? last : first;
  for (int i = end; i != peak; i += peak > end ? 1 : -1)
    {
      double line = r->counts[peak] * abs (i - end) / abs (peak - end);

      if (line - r->counts[i] > farthest)
        {
          farthest = line - r->counts[i];
          best = i;
        }
    }
  return best;
}

static double
find_li (const ReferenceThreshold *r)
{
  double gap = INFINITY, value = r->mean - r->min, before = -INFINITY;

  qsort (r->values, r->count, sizeof *r->values, reference_compare);
  for (gsize i = 1; i < r->count; i++)
    if (r->values[i] > r->values[i - 1])
      gap = MIN (gap, r->values[i] - r->values[i - 1]);

  while (fabs (value - before) > gap / 2)
    {
      double n[2] = { 0, 0 }, sum[2] = { 0, 0 };

      for (gsize i = 0; i < r->count; i++)
        {
          int class = r->values[i] - r->min > value;

          n[class]++;
          sum[class] += r->values[i] - r->min;
        }
      before = value;
      value = (sum[0] / n[0] - sum[1] / n[1]) / (log (sum[0] / n[0]) - log (sum[1] / n[1]));
    }
  return value + r->min;
}

double
reference_threshold_find (const ReferenceThreshold *r, CapraThresholdMethod method)
{
  int best = 0;

  if (method == CAPRA_THRESHOLD_MEAN)
    return r->mean;
  if (method == CAPRA_THRESHOLD_LI)
    return find_li (r);
  if (method == CAPRA_THRESHOLD_TRIANGLE)
    return r->centers[find_triangle (r)];
  for (int i = 1; i < 255; i++)
    {
      double merit = merit_of (r, method, i), most = merit_of (r, method, best);

      if (merit > most + 1e-12 * fabs (most))
        best = i;
    }
  return r->centers[best];
}

gboolean
reference_threshold_accepts (const ReferenceThreshold *r, CapraThresholdMethod method, double wanted, double value)
{
  double tolerance = 1e-5 * (r->max - r->min), merit[2] = { NAN, NAN };

  if (fabs (value - wanted) <= tolerance)
    return TRUE;
  if (method != CAPRA_THRESHOLD_OTSU && method != CAPRA_THRESHOLD_YEN)
    return FALSE;
  for (int i = 0; i < 255; i++)
    {
      if (fabs (r->centers[i] - wanted) <= tolerance)
        merit[0] = merit_of (r, method, i);
      if (fabs (r->centers[i] - value) <= tolerance)
        merit[1] = merit_of (r, method, i);
    }
  return merit[1] >= merit[0] - 1e-12 * fabs (merit[0]);
}

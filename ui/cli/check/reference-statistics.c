/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics and kappa-sigma clipping: sorted values, two passes in extended precision. */
#include "ui/cli/check/reference-statistics.h"

#include <math.h>
#include <stdlib.h>

CapraStatistics
reference_statistics (CapraType type, gconstpointer data, gsize count)
{
  g_autofree double *values = g_new (double, count);
  CapraStatistics s = { 0, NAN, NAN, NAN, NAN, NAN, 0, 0, 0 };
  long double sum = 0, squares = 0;

  for (gsize i = 0; i < count; i++)
    if (isnan (reference_value (type, data, i)))
      s.nan_count++;
    else
      values[s.count++] = reference_value (type, data, i);
  for (gsize i = 0; i < s.count; i++)
    s.inf_count += isinf (values[i]) != 0;
  if (s.count == 0)
    return s;

  qsort (values, s.count, sizeof *values, reference_compare);
  for (gsize i = 0; i < s.count; i++)
    sum += values[i];
  s.sum = (double) sum;
  s.mean = (double) (sum / s.count);
  for (gsize i = 0; i < s.count; i++)
    squares += (values[i] - sum / s.count) * (values[i] - sum / s.count);
  s.std = (double) sqrtl (squares / s.count);
  s.min = values[0];
  s.max = values[s.count - 1];
  s.median = 0.5 * (values[(s.count - 1) / 2] + values[s.count / 2]);
  return s;
}

/* Keeps and copies what is strictly within the bounds, until the number of values stays the same. Two passes for the
 * deviation. */
ReferenceClip
reference_clip (const double *data, gsize count, double kappa)
{
  g_autofree double *values = g_new (double, count);
  ReferenceClip r = { .kappa = kappa };
  gsize n = 0, before;

  for (gsize i = 0; i < count; i++)
    if (isfinite (data[i]))
      values[n++] = data[i];
  qsort (values, n, sizeof *values, reference_compare);
  do
    {
      long double sum = 0, squares = 0;
      gsize kept = 0;

      for (gsize i = 0; i < n; i++)
        sum += values[i];
      r.mean = (double) (sum / n);
      for (gsize i = 0; i < n; i++)
        squares += ((long double) values[i] - sum / n) * ((long double) values[i] - sum / n);
      r.sigma = (double) sqrtl (squares / n);
      r.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
      r.pixels = before = n;
      r.iterations++;
      for (gsize i = 0; i < n; i++)
        kept += values[i] > r.median - kappa * r.sigma && values[i] < r.median + kappa * r.sigma;
      if (kept > 0 && kept < n)
        {
          gsize to = 0;

          for (gsize i = 0; i < n; i++)
            if (values[i] > r.median - kappa * r.sigma && values[i] < r.median + kappa * r.sigma)
              values[to++] = values[i];
          n = to;
        }
    }
  while (n < before);
  return r;
}

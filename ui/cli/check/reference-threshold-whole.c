/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic thresholds of whole numbers: searches over all numbers. */
#include <math.h>

#include "ui/cli/check/reference-threshold.h"

/* The values of a class: their number, their sum, and the sum of the squared counts of equal values. */
typedef struct {
  double count, sum, squares;
} Class;

static Class
class_of (const double *values, gsize count, double from, double to)
{
  Class class = { 0, 0, 0 };

  for (double level = from; level <= to; level++)
    {
      double equal = 0;

      for (gsize i = 0; i < count; i++)
        equal += values[i] == level;
      class.count += equal;
      class.sum += equal * level;
      class.squares += equal * equal;
    }
  return class;
}

/* The criterion that the method maximizes, if the lower class has the values up to @t. */
static double
merit (const double *values, gsize count, CapraThresholdMethod method, double min, double max, double t)
{
  Class low = class_of (values, count, min, t), high = class_of (values, count, t + 1, max);
  double middle;

  switch (method)
    {
    case CAPRA_THRESHOLD_OTSU: return low.count * high.count * pow (low.sum / low.count - high.sum / high.count, 2);
    case CAPRA_THRESHOLD_YEN:
      return 2 * log (low.count / count * high.count / count) - log (low.squares) - log (high.squares);
    default: /* isodata */
      middle = (low.sum / low.count + high.sum / high.count) / 2 - t;
      return middle >= 0 && middle < 1;
    }
}

static double
find_triangle (const double *values, gsize count, double min, double max)
{
  double peak = min, most = 0, end, best = -INFINITY, found = min;

  for (double level = min; level <= max; level++)
    {
      double equal = class_of (values, count, level, level).count;

      if (equal > most)
        {
          most = equal;
          peak = level;
        }
    }
  end = peak - min < max - peak ? max : min;
  found = end;
  for (double level = end; level != peak; level += peak > end ? 1 : -1)
    {
      double under = most * fabs (level - end) / fabs (peak - end) - class_of (values, count, level, level).count;

      if (under > best + 1e-9)
        {
          best = under;
          found = level;
        }
    }
  return found;
}

static double
find_li (const double *values, gsize count, double min, double max)
{
  Class all = class_of (values, count, min, max);
  double now = -1, next = all.sum / all.count - min;

  while (fabs (next - now) > 0.5)
    {
      Class low = class_of (values, count, min, min + floor (next));
      Class high = class_of (values, count, min + floor (next) + 1, max);
      double a = low.sum / low.count - min, b = high.sum / high.count - min;

      now = next;
      next = a > 0 ? (a - b) / (log (a) - log (b)) : 0;
    }
  return next + min;
}

double
reference_threshold_whole (const double *values, gsize count, CapraThresholdMethod method)
{
  double min = INFINITY, max = -INFINITY, best = -G_MAXDOUBLE / 2, found = 0, sum = 0;

  for (gsize i = 0; i < count; i++)
    {
      min = MIN (min, values[i]);
      max = MAX (max, values[i]);
      sum += values[i];
    }
  if (min == max)
    return min;
  if (method == CAPRA_THRESHOLD_MEAN)
    return sum / count;
  if (method == CAPRA_THRESHOLD_TRIANGLE)
    return find_triangle (values, count, min, max);
  if (method == CAPRA_THRESHOLD_LI)
    return find_li (values, count, min, max);
  found = min;
  for (double t = min; t < max; t++)
    {
      double m = merit (values, count, method, min, max, t);

      if (m > best + 1e-12 * fabs (best))
        {
          best = m;
          found = t;
        }
    }
  return found;
}

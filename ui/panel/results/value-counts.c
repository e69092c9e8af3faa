/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-counts: how many numbers are in intervals of one width. */
#include "ui/panel/results/value-counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INTERVALS 200

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The value below which @share of the sorted values are, interpolated. */
static double
get_quantile (const double *sorted, gsize count, double share)
{
  double position = share * (double) (count - 1);
  gsize index = (gsize) position;
  double next = index + 1 < count ? sorted[index + 1] : sorted[index];

  return sorted[index] + (position - (double) index) * (next - sorted[index]);
}

/* Without a spread in the middle half of the values, the number follows that of the values alone (Sturges' rule). */
static guint
choose_number (const double *sorted, gsize count)
{
  double range = sorted[count - 1] - sorted[0];
  double spread = get_quantile (sorted, count, 0.75) - get_quantile (sorted, count, 0.25);
  double number = spread > 0.0 ? range * cbrt ((double) count) / (2.0 * spread) : log2 ((double) count) + 1.0;

  return range > 0.0 ? (guint) CLAMP (ceil (number), 1.0, MAX_INTERVALS) : 1;
}

static void
count_values (CapraValueCounts *counts, const double *sorted)
{
  for (gsize i = 0; i < counts->total; i++)
    {
      double at = floor ((sorted[i] - counts->low) / counts->width);

      counts->counts[(gsize) CLAMP (at, 0.0, counts->n - 1.0)]++;
      counts->mean += sorted[i] / (double) counts->total;
    }
}

CapraValueCounts *
capra_value_counts_new (const double *values, gsize count)
{
  CapraValueCounts *counts = g_new0 (CapraValueCounts, 1);
  g_autofree double *sorted = g_new (double, count);

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      sorted[counts->total++] = values[i];
  if (counts->total == 0)
    return counts;
  qsort (sorted, counts->total, sizeof *sorted, compare);
  counts->min = sorted[0];
  counts->max = sorted[counts->total - 1];
  counts->n = choose_number (sorted, counts->total);
  counts->counts = g_new0 (gsize, counts->n);
  counts->width = (counts->max - counts->min) / counts->n;
  counts->low = counts->min;
  if (!(counts->width > 0.0)) /* one value */
    {
      counts->width = MAX (fabs (counts->min), 1.0);
      counts->low -= counts->width / 2;
    }
  count_values (counts, sorted);
  return counts;
}

void
capra_value_counts_free (CapraValueCounts *counts)
{
  g_free (counts->counts);
  g_free (counts);
}

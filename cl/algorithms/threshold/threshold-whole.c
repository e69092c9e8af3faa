/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: values found for images of whole numbers, with a bin for each number, as scikit-image does it for images
 * of integers. The device counts; there are few bins, so that the host searches. */
#include <math.h>

#include "algorithms/threshold/threshold-private.h"
#include "algorithms/common/extremes.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/fill.h"

#define MOST_BINS (1u << 24) /* floats hold the numbers up to it */
#define MOST_STEPS 10000
#define LI_TOLERANCE 0.5

/* Counts of @least and the numbers that follow it; the first and the last are not 0. */
typedef struct {
  guint32 *counts;
  gsize bins;
  double least;
} Counts;

/* Numbers of values up to a bin, and their sum. */
typedef struct {
  double count, sum;
} Class;

static Class
class_of_all (const Counts *c)
{
  Class all = { 0, 0 };

  for (gsize i = 0; i < c->bins; i++)
    {
      all.count += c->counts[i];
      all.sum += c->counts[i] * (c->least + (double) i);
    }
  return all;
}

static gsize
search_otsu (const Counts *c)
{
  Class all = class_of_all (c), below = { 0, 0 };
  double best = -1;
  gsize found = 0;

  for (gsize i = 0; i + 1 < c->bins; i++)
    {
      double apart, variance;

      below.count += c->counts[i];
      below.sum += c->counts[i] * (c->least + (double) i);
      apart = below.sum / below.count - (all.sum - below.sum) / (all.count - below.count);
      variance = below.count * (all.count - below.count) * (apart * apart);
      if (c->counts[i] > 0 && variance > best) /* an empty bin is as good as the one before */
        {
          best = variance;
          found = i;
        }
    }
  return found;
}

static gsize
search_triangle (const Counts *c)
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

static gsize
search_yen (const Counts *c)
{
  double total = class_of_all (c).count, below = 0, best = -INFINITY;
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

static gsize
search_isodata (const Counts *c)
{
  Class all = class_of_all (c), below = { 0, 0 };

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

/* C. Li, P. Tam 1998, from the mean on, all relative to the least value. */
static double
search_li (const Counts *c)
{
  Class all = class_of_all (c);
  double now = -2 * LI_TOLERANCE, next;

  all.sum -= all.count * c->least;
  next = all.sum / all.count;
  for (guint step = 0; step < MOST_STEPS && fabs (next - now) > LI_TOLERANCE; step++)
    {
      Class below = { 0, 0 };
      double low, high;

      now = next;
      for (gsize i = 0; i < c->bins && (double) i <= now; i++)
        {
          below.count += c->counts[i];
          below.sum += (double) c->counts[i] * (double) i;
        }
      low = below.sum / below.count;
      high = (all.sum - below.sum) / (all.count - below.count);
      next = low > 0 ? (low - high) / (log (low) - log (high)) : 0;
    }
  return next + c->least;
}

static double
search (const Counts *c, CapraThresholdMethod method)
{
  Class all = class_of_all (c);

  switch (method)
    {
    case CAPRA_THRESHOLD_MEAN: return all.sum / all.count;
    case CAPRA_THRESHOLD_LI: return search_li (c);
    case CAPRA_THRESHOLD_TRIANGLE: return c->least + (double) search_triangle (c);
    case CAPRA_THRESHOLD_YEN: return c->least + (double) search_yen (c);
    case CAPRA_THRESHOLD_ISODATA: return c->least + (double) search_isodata (c);
    default: return c->least + (double) search_otsu (c);
    }
}

/* @fraction: whether there are values that are not whole, which were not counted. */
static gboolean
count (CapraArray *input, Counts *c, guint32 *fraction, GError **error)
{
  CapraDevice *device = input->context->device;
  CapraPlacement placement = { input->shape.type, c->least, 0, 1, 1 };
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  g_autoptr (CapraArray) counts = capra_array_new (device, &CAPRA_SHAPE_2D (c->bins, 1, CAPRA_U32), error);
  g_autoptr (CapraArray) flag = counts ? capra_array_new (device, &CAPRA_SHAPE_2D (1, 1, CAPRA_U32), error) : NULL;
  CapraLaunch launch;

  if (!flag)
    return FALSE;
  capra_launch_begin (&launch, input->context, "whole", options, "whole");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_placement_least (&launch, &placement);
  capra_launch_write (&launch, counts);
  capra_launch_write (&launch, flag);
  return capra_reduction_run (&launch, input, &reduction, error)
         && capra_array_download_first (flag, fraction, sizeof *fraction, error)
         && (*fraction || capra_array_download_first (counts, c->counts, c->bins * sizeof *c->counts, error));
}

gboolean
capra_threshold_find_whole (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  double min, max;
  guint32 fraction = 0;
  Counts c = { NULL };
  gboolean good;

  g_return_val_if_fail (input && value, FALSE);

  if (!capra_threshold_check (input, method, error) || !capra_extremes (input, TRUE, &min, &max, error))
    return FALSE;
  if (isnan (min))
    {
      capra_threshold_set_nothing (error);
      return FALSE;
    }
  if (min == max)
    {
      *value = min;
      return TRUE;
    }
  if (min != rint (min) || max - min >= MOST_BINS)
    return capra_threshold_find (input, method, value, error);
  c.least = min;
  c.bins = (gsize) (max - min) + 1;
  c.counts = g_new (guint32, c.bins);
  good = count (input, &c, &fraction, error);
  if (good && !fraction)
    *value = search (&c, method);
  g_free (c.counts);
  return good && (!fraction || capra_threshold_find (input, method, value, error));
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: finds a value from the range, the mean or the histogram of an image. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "algorithms/statistics/statistics-private.h"
#include "algorithms/threshold/threshold-private.h"
#include "algorithms/common/extremes.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/fill.h"

#define BINS CAPRA_THRESHOLD_BINS
#define PLAN_WORDS (8 + BINS + 1) /* what kernels/histogram.cl takes of the bins */

CapraPlacement
capra_placement (CapraType type, double min, double max, int cells)
{
  CapraPlacement placement = { type, min, max, 1, 1 };
  int exponent = ilogb (max - min);

  if (ABS (exponent) > 60)
    placement.pre = ldexpf (1, CLAMP (-exponent, -126, 126));
  placement.scale = (float) (cells / ((max - min) * placement.pre));
  return placement;
}

void
capra_placement_least (CapraLaunch *launch, const CapraPlacement *placement)
{
  switch (placement->type)
    {
    case CAPRA_F32: capra_launch_float (launch, (float) placement->min); break;
    case CAPRA_I8:
    case CAPRA_I16:
    case CAPRA_I32: capra_launch_int (launch, (gint32) placement->min); break;
    default: capra_launch_uint (launch, (guint32) placement->min); break;
    }
}

void
capra_placement_arguments (CapraLaunch *launch, const CapraPlacement *placement)
{
  capra_placement_least (launch, placement);
  capra_launch_float (launch, placement->pre);
  capra_launch_float (launch, placement->scale);
}

/* The ends and middles of the bins as numpy and scikit-image compute them: edges evenly spaced in
 * double, for a float image rounded to floats before anything else is done with them. Kernels get the
 * edges in the type that they compare with. */
static void
histogram_edges (CapraType type, double min, double max, guint32 edges[BINS + 1], CapraHistogram *histogram)
{
  double last = 0;

  for (int i = 0; i <= BINS; i++)
    {
      double edge = i == BINS ? max : i * ((max - min) / BINS) + min;
      union {
        float real;
        gint32 integer;
        guint32 natural;
      } word;

      if (type == CAPRA_F32)
        edge = word.real = (float) edge;
      else if (type == CAPRA_I8 || type == CAPRA_I16 || type == CAPRA_I32)
        word.integer = (gint32) ceil (edge);
      else
        word.natural = (guint32) ceil (edge);
      edges[i] = word.natural;
      if (i > 0)
        histogram->centres[i - 1] = (last + edge) / 2;
      if (i > 0 && type == CAPRA_F32)
        histogram->centres[i - 1] = (float) ((last + edge) / 2);
      last = edge;
    }
}

/* The plan of a histogram between @min and @max, and the middles of its bins. */
static void
histogram_plan (CapraType type, double min, double max, guint32 *plan, CapraHistogram *histogram)
{
  CapraPlacement placement = capra_placement (type, min, max, BINS);
  double near = 1e-4;
  float numbers[4];

  histogram_edges (type, min, max, plan + 8, histogram);
  plan[0] = plan[8];
  /* Rounded edges may lie off by half a unit of the largest value's last place. */
  if (type == CAPRA_F32)
    near += MAX (fabs (min), fabs (max)) * FLT_EPSILON / 2 * BINS / (max - min);
  numbers[0] = placement.pre;
  numbers[1] = placement.scale;
  numbers[2] = (float) MIN (near, 1);
  numbers[3] = near < 0.5 ? (float) near : -1; /* else any bin may be the wrong one */
  memcpy (plan + 1, numbers, sizeof numbers);
}

static gboolean
histogram_find (CapraArray *input, double min, double max, CapraHistogram *histogram, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 1u << 31);
  guint64 span = (1u << 31) / (reduction.chunk * reduction.vector);
  gsize spans = (reduction.groups + span - 1) / span;
  g_autofree guint32 *counts = g_new (guint32, BINS * spans);
  g_autoptr (CapraArray) array = capra_array_new (input->context->device, &CAPRA_SHAPE_2D (BINS, spans, CAPRA_U32),
                                                  error);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  g_autoptr (CapraArray) plan = capra_array_new_uninitialized (input->context,
                                                               &CAPRA_SHAPE_2D (PLAN_WORDS, 1, CAPRA_U32), error);
  guint32 words[PLAN_WORDS] = { 0 };
  CapraLaunch launch;

  if (!array || !plan)
    return FALSE;
  histogram_plan (input->shape.type, min, max, words, histogram);
  if (!capra_array_upload_first (plan, words, sizeof words, error))
    return FALSE;
  capra_launch_begin (&launch, input->context, "histogram", options, "histogram");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_launch_ulong (&launch, span);
  capra_launch_read (&launch, plan);
  capra_launch_write (&launch, array);
  if (!capra_reduction_run (&launch, input, &reduction, error)
      || !capra_array_download_first (array, counts, BINS * spans * sizeof *counts, error))
    return FALSE;

  for (int i = 0; i < BINS; i++)
    {
      histogram->counts[i] = 0;
      for (gsize j = 0; j < spans; j++)
        histogram->counts[i] += counts[j * BINS + i];
    }
  return TRUE;
}

gboolean
capra_threshold_check (CapraArray *input, CapraThresholdMethod method, GError **error)
{
  if (input->shape.channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "a threshold needs one channel, not %u: convert colours to luminance first", input->shape.channels);
  else if (method <= CAPRA_THRESHOLD_MANUAL || method > CAPRA_THRESHOLD_ISODATA)
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         "a threshold is found by otsu, mean, triangle, li, yen or isodata; "
                         "a manual one is known already");
  else
    return TRUE;
  return FALSE;
}

void
capra_threshold_set_nothing (GError **error)
{
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       "no threshold can be found: the image has no finite value");
}

gboolean
capra_threshold_find (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  gboolean by_mean = method == CAPRA_THRESHOLD_MEAN || method == CAPRA_THRESHOLD_LI;
  CapraStatistics s = { 0 };
  CapraHistogram histogram;

  g_return_val_if_fail (input && value, FALSE);

  if (!capra_threshold_check (input, method, error))
    return FALSE;
  if (capra_threshold_otsu_fits (input, method))
    {
      g_autoptr (CapraArray) plan = capra_threshold_otsu_start (input, error);

      return plan && capra_threshold_otsu_finish (plan, value, error);
    }
  if (by_mean ? !capra_statistics_moments (input, TRUE, &s, error)
              : !capra_extremes (input, TRUE, &s.min, &s.max, error))
    return FALSE;
  if (isnan (s.min))
    {
      capra_threshold_set_nothing (error);
      return FALSE;
    }

  if (s.min == s.max)
    *value = s.min;
  else if (method == CAPRA_THRESHOLD_MEAN)
    *value = s.mean;
  else if (method == CAPRA_THRESHOLD_LI)
    return capra_threshold_li (input, s.min, s.max, s.mean, value, error);
  else if (histogram_find (input, s.min, s.max, &histogram, error))
    *value = capra_threshold_search (&histogram, method);
  else
    return FALSE;
  return TRUE;
}

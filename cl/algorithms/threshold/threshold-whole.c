/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: finds the value of an image of whole numbers, with a bin for each number, as scikit-image does for images
 * of integers. The device counts, the host searches the bins. */
#include <math.h>

#include "algorithms/common/fill.h"
#include "algorithms/common/extremes.h"
#include "algorithms/common/reduction.h"
#include "algorithms/threshold/threshold-check.h"
#include "algorithms/threshold/threshold-method.h"
#include "algorithms/threshold/threshold-position.h"

/* Floats represent all whole numbers up to this one. */
#define MAX_BINS (1u << 24)

/* Adds the values of a band to @counts. */
static gboolean
count_band (CapraArray *input, double least, CapraArray *counts, CapraArray *flag, GError **error)
{
  CapraPositionScale scale = { input->shape.type, least, 0, 1, 1 };
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "histogram-whole", options, "histogram_whole");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_position_scale_least (&launch, &scale);
  capra_launch_write (&launch, counts);
  capra_launch_write (&launch, flag);
  return capra_reduction_run (&launch, input, &reduction, error);
}

/* @fraction is set if there are values that are not whole; they are not counted. */
static gboolean
count (const CapraBandSource *input, CapraWholeHistogram *c, guint32 *fraction, GError **error)
{
  g_autoptr (CapraArray) counts = capra_array_new (input->device, &CAPRA_SHAPE_2D (c->bins, 1, CAPRA_U32), error);
  g_autoptr (CapraArray) flag = counts ? capra_array_new (input->device, &CAPRA_SHAPE_2D (1, 1, CAPRA_U32), error)
                                       : NULL;

  if (!flag)
    return FALSE;
  for (gsize i = 0; i < capra_band_source_count (input); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (input, i, error);

      if (!band || !count_band (band, c->least, counts, flag, error))
        return FALSE;
    }
  return capra_array_download_first (flag, fraction, sizeof *fraction, error)
         && (*fraction || capra_array_download_first (counts, c->counts, c->bins * sizeof *c->counts, error));
}

gboolean
capra_threshold_find_whole (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  CapraBandSource source;

  g_return_val_if_fail (input && value, FALSE);

  source = capra_band_source_from_array (input);
  return capra_threshold_find_whole_bands (&source, method, value, error);
}

gboolean
capra_threshold_find_whole_bands (const CapraBandSource *input, CapraThresholdMethod method, double *value,
                                  GError **error)
{
  double min, max;
  guint32 fraction = 0;
  CapraWholeHistogram c = { NULL };
  gboolean good;

  g_return_val_if_fail (input && value, FALSE);

  if (!capra_threshold_check (&input->shape, method, error) || !capra_extremes (input, TRUE, &min, &max, error))
    return FALSE;
  if (isnan (min))
    {
      capra_threshold_set_no_value (error);
      return FALSE;
    }
  if (min == max)
    {
      *value = min;
      return TRUE;
    }
  if (min != rint (min) || max - min >= MAX_BINS || capra_shape_count (&input->shape) > G_MAXUINT32)
    return capra_threshold_find_bands (input, method, value, error);
  c.least = min;
  c.bins = (gsize) (max - min) + 1;
  c.counts = g_new (guint32, c.bins);
  good = count (input, &c, &fraction, error);
  if (good && !fraction)
    *value = capra_threshold_get_finder (method)->from_whole (&c);
  g_free (c.counts);
  return good && (!fraction || capra_threshold_find_bands (input, method, value, error));
}

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

typedef struct {
  const CapraWholeHistogram *histogram;
  guint32 *fractions; /* for each part: set if it has values that are not whole */
  guint32 **counts;   /* of each part */
} Count;

/* A CapraBandPartFunc. Values that are not whole are not counted. */
static gboolean
count_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Count *c = data;
  gsize bins = c->histogram->bins;
  g_autoptr (CapraArray) counts = capra_array_new (part->device, &CAPRA_SHAPE_2D (bins, 1, CAPRA_U32), error);
  g_autoptr (CapraArray) flag = counts ? capra_array_new (part->device, &CAPRA_SHAPE_2D (1, 1, CAPRA_U32), error)
                                       : NULL;

  if (!flag)
    return FALSE;
  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || !count_band (band, c->histogram->least, counts, flag, error))
        return FALSE;
    }
  c->counts[index] = g_new (guint32, bins);
  return capra_array_download_first (flag, &c->fractions[index], sizeof (guint32), error)
         && (c->fractions[index]
             || capra_array_download_first (counts, c->counts[index], bins * sizeof (guint32), error));
}

/* Sets the counts of @histogram, which are owned. @fraction is set if there are values that are not whole. */
static gboolean
count (const CapraBandSource *input, CapraWholeHistogram *histogram, guint32 *fraction, GError **error)
{
  guint n = capra_band_source_get_n_parts (input);
  g_autofree guint32 *fractions = g_new0 (guint32, n);
  g_autofree guint32 **counts = g_new0 (guint32 *, n);
  Count c = { histogram, fractions, counts };
  gboolean done = capra_band_source_run (input, count_part, &c, error);

  for (guint k = 0; k < n; k++)
    {
      *fraction |= fractions[k];
      for (gsize i = 0; done && !*fraction && k > 0 && i < histogram->bins; i++)
        counts[0][i] += counts[k][i];
      if (k > 0)
        g_free (counts[k]);
    }
  histogram->counts = counts[0];
  return done;
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
  good = count (input, &c, &fraction, error);
  if (good && !fraction)
    *value = capra_threshold_get_finder (method)->from_whole (&c);
  g_free (c.counts);
  return good && (!fraction || capra_threshold_find_bands (input, method, value, error));
}

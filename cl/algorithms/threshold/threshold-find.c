/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: finds a value from the moments or the histogram of an image. */
#include <math.h>

#include "algorithms/common/extremes.h"
#include "algorithms/statistics/moments.h"
#include "algorithms/threshold/threshold-check.h"
#include "algorithms/threshold/threshold-method.h"
#include "algorithms/threshold/threshold-otsu-device.h"

gboolean
capra_threshold_find (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  CapraBandSource source;

  g_return_val_if_fail (input && value, FALSE);

  if (!capra_threshold_check (capra_array_get_shape (input), method, error))
    return FALSE;
  if (capra_otsu_device_fits (input, method))
    {
      g_autoptr (CapraArray) words = capra_otsu_device_start (input, error);

      return words && capra_otsu_device_finish (words, value, error);
    }
  source = capra_band_source_from_array (input);
  return capra_threshold_find_bands (&source, method, value, error);
}

gboolean
capra_threshold_find_bands (const CapraBandSource *input, CapraThresholdMethod method, double *value, GError **error)
{
  CapraMoments s = { 0 };
  const CapraThresholdFinder *finder = capra_threshold_get_finder (method);
  CapraHistogram histogram;

  g_return_val_if_fail (input && value, FALSE);

  if (!capra_threshold_check (&input->shape, method, error))
    return FALSE;
  if (finder->from_moments ? !capra_moments_compute (input, TRUE, &s, error)
                           : !capra_extremes (input, TRUE, &s.min, &s.max, error))
    return FALSE;
  if (isnan (s.min))
    {
      capra_threshold_set_no_value (error);
      return FALSE;
    }

  if (s.min == s.max)
    *value = s.min;
  else if (finder->from_moments)
    return finder->from_moments (input, &s, value, error);
  else if (capra_histogram_find (input, s.min, s.max, &histogram, error))
    *value = finder->from_histogram (&histogram);
  else
    return FALSE;
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the mean of all values. */
#include "algorithms/threshold/threshold-finders.h"

gboolean
capra_mean_moments (const CapraBandSource *input, const CapraMoments *moments, double *value, GError **error)
{
  *value = moments->mean;
  return TRUE;
}

double
capra_mean_whole (const CapraWholeHistogram *histogram)
{
  CapraValueClass all = capra_whole_histogram_sum (histogram);

  return all.sum / all.count;
}

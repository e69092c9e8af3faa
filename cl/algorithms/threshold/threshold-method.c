/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the table of methods. */
#include "algorithms/threshold/threshold-finders.h"
#include "algorithms/threshold/threshold-method.h"

static const CapraThresholdFinder finders[] = {
  [CAPRA_THRESHOLD_OTSU] = { .from_histogram = capra_otsu_histogram, .from_whole = capra_otsu_whole },
  [CAPRA_THRESHOLD_MEAN] = { .from_moments = capra_mean_moments, .from_whole = capra_mean_whole },
  [CAPRA_THRESHOLD_TRIANGLE] = { .from_histogram = capra_triangle_histogram, .from_whole = capra_triangle_whole },
  [CAPRA_THRESHOLD_LI] = { .from_moments = capra_li_moments, .from_whole = capra_li_whole },
  [CAPRA_THRESHOLD_YEN] = { .from_histogram = capra_yen_histogram, .from_whole = capra_yen_whole },
  [CAPRA_THRESHOLD_ISODATA] = { .from_histogram = capra_isodata_histogram, .from_whole = capra_isodata_whole },
};

const CapraThresholdFinder *
capra_threshold_get_finder (CapraThresholdMethod method)
{
  const CapraThresholdFinder *finder = (guint) method < G_N_ELEMENTS (finders) ? &finders[method] : NULL;

  return finder && finder->from_whole ? finder : NULL;
}

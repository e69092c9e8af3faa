/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Statistics: moments and median, and their table. */
#include "algorithms/statistics/statistics.h"

#include <math.h>

#include "algorithms/statistics/median.h"
#include "algorithms/statistics/moments.h"

static gboolean
add_moments (const CapraBandSource *input, CapraStatistics *statistics, GError **error)
{
  CapraMoments moments, finite;

  if (!capra_moments_compute (input, FALSE, &moments, error))
    return FALSE;
  /* Images without infinities do not take this second pass. */
  if (isinf (moments.min) || isinf (moments.max))
    {
      if (!capra_moments_compute (input, TRUE, &finite, error))
        return FALSE;
      statistics->inf_count = moments.count - finite.count;
    }
  statistics->count = moments.count;
  statistics->min = moments.min;
  statistics->max = moments.max;
  statistics->mean = moments.mean;
  statistics->std = moments.std;
  statistics->sum = moments.sum;
  return TRUE;
}

gboolean
capra_statistics (CapraArray *input, CapraStatisticsFlags flags, CapraStatistics *statistics, GError **error)
{
  CapraBandSource source;

  g_return_val_if_fail (input && statistics, FALSE);

  source = capra_band_source_from_array (input);
  return capra_statistics_bands (&source, flags, statistics, error);
}

gboolean
capra_statistics_bands (const CapraBandSource *input, CapraStatisticsFlags flags, CapraStatistics *statistics,
                        GError **error)
{
  CapraStatistics result = { 0, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0 };

  g_return_val_if_fail (input && statistics, FALSE);

  if ((flags & CAPRA_STATISTICS_MOMENTS) && !add_moments (input, &result, error))
    return FALSE;
  if ((flags & CAPRA_STATISTICS_MEDIAN) && !capra_median (input, &result.count, &result.median, error))
    return FALSE;
  if (flags & CAPRA_STATISTICS_ALL)
    result.nan_count = capra_shape_count (&input->shape) - result.count;
  *statistics = result;
  return TRUE;
}

CapraTable *
capra_statistics_table (const CapraStatistics *statistics)
{
  static const char *const columns[] = { "count",  "min", "max",       "mean",      "std",
                                         "median", "sum", "nan_count", "inf_count", NULL };
  g_autoptr (CapraTable) table = capra_table_new (columns);

  g_return_val_if_fail (statistics, NULL);

  capra_table_add_row (table, (double[]){ (double) statistics->count, statistics->min, statistics->max,
                                          statistics->mean, statistics->std, statistics->median, statistics->sum,
                                          (double) statistics->nan_count, (double) statistics->inf_count });
  return g_steal_pointer (&table);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Statistics of all values of an image. */
#pragma once

#include "algorithms/common/band-source.h"
#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * CapraStatistics:
 * @count: number of values that are not NaN
 * @min: smallest value
 * @max: largest value
 * @mean: mean
 * @std: standard deviation of the population
 * @median: median; the mean of the two middle values if @count is even
 * @sum: sum
 * @nan_count: number of values that are NaN
 * @inf_count: number of values that are infinite, which are values for all other fields, too
 *
 * Of the fields that are not numbers of values, all except @sum are NaN if @count is 0. Where values are infinite, @std
 * is NaN, and so are @mean and @sum if there are infinities of both signs.
 */
typedef struct {
  guint64 count;
  double min, max, mean, std, median, sum;
  guint64 nan_count, inf_count;
} CapraStatistics;

/* The fields to compute; the median takes further passes. */
typedef enum {
  CAPRA_STATISTICS_MOMENTS = 1 << 0, /* all fields but the median */
  CAPRA_STATISTICS_MEDIAN = 1 << 1,
  CAPRA_STATISTICS_ALL = (1 << 0) | (1 << 1),
} CapraStatisticsFlags;

/**
 * capra_statistics:
 * @input: any shape and type; the values of all channels are used
 * @statistics: (out): fields that were not requested are NaN; the median alone comes with @count and @nan_count, while
 *   @inf_count is 0
 */
CAPRA_API
gboolean capra_statistics (CapraArray *input, CapraStatisticsFlags flags, CapraStatistics *statistics, GError **error);

/**
 * capra_statistics_bands: (skip)
 *
 * As capra_statistics(). Sum and mean may differ from those of the whole image by 1e-12 of their values, and the
 * standard deviation by 1e-6 of its value, since values are added up in another order.
 */
CAPRA_API
gboolean capra_statistics_bands (const CapraBandSource *input, CapraStatisticsFlags flags, CapraStatistics *statistics,
                                 GError **error);

CAPRA_API
CapraTable *capra_statistics_table (const CapraStatistics *statistics);

G_END_DECLS

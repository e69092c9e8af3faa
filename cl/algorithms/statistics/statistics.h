/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Statistics of a whole array. */
#pragma once

#include "algorithms/common/table.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraStatistics:
 * @count: values counted: all but NaN
 * @min: smallest; @max, @mean, @std (of the population), @median (the mean of the two middle ones
 *   if the count is even), @sum. All but @count and @sum are NaN if @count is 0
 */
typedef struct {
  guint64 count;
  double min, max, mean, std, median, sum;
} CapraStatistics;

/* What is wanted; the median costs further passes. */
typedef enum {
  CAPRA_STATISTICS_MOMENTS = 1 << 0, /* count, min, max, mean, std, sum */
  CAPRA_STATISTICS_MEDIAN = 1 << 1,
  CAPRA_STATISTICS_ALL = (1 << 0) | (1 << 1),
} CapraStatisticsFlags;

/**
 * capra_statistics:
 * @input: any shape and type; all channels count
 * @statistics: (out): the fields not wanted are NaN
 */
CAPRA_API
gboolean capra_statistics (CapraArray *input, CapraStatisticsFlags flags, CapraStatistics *statistics, GError **error);

CAPRA_API
CapraTable *capra_statistics_table (const CapraStatistics *statistics);

G_END_DECLS

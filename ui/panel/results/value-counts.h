/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-counts: how many numbers are in intervals of one width. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraValueCounts:
 * @low: the lower end of the first interval
 * @width: of each interval, which contains its lower end; the last one also contains its upper end
 * @n: number of intervals; 0 without finite values
 * @total: number of finite values; likewise @mean
 * @min: the smallest one; likewise @max
 */
typedef struct {
  double low, width;
  guint n;
  gsize *counts;
  gsize total;
  double mean, min, max;
} CapraValueCounts;

/* Counts finite values. The width of the intervals follows the rule of Freedman and Diaconis: twice the interquartile
 * range by the cube root of the number of values. */
CapraValueCounts *capra_value_counts_new (const double *values, gsize count);
void capra_value_counts_free (CapraValueCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraValueCounts, capra_value_counts_free)

G_END_DECLS

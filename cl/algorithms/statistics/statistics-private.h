/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Statistics: functions for other algorithms. Private. */
#pragma once

#include "algorithms/statistics/statistics.h"

G_BEGIN_DECLS

/* All fields of @statistics except the median. With @finite, infinities are ignored as well as NaN. */
gboolean capra_statistics_moments (CapraArray *input, gboolean finite, CapraStatistics *statistics, GError **error);

/* The median of all values except NaN, and their number. */
gboolean capra_median (CapraArray *input, guint64 *count, double *median, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What other algorithms use of the statistics. Private. */
#pragma once

#include "algorithms/statistics/statistics.h"

G_BEGIN_DECLS

/* All of @statistics but the median, without the pull of any image; with @finite infinities are not
 * counted either. */
gboolean capra_statistics_moments (CapraArray *input, gboolean finite, CapraStatistics *statistics, GError **error);

/* The median of all values but NaN, and how many they are. */
gboolean capra_median (CapraArray *input, guint64 *count, double *median, GError **error);

G_END_DECLS

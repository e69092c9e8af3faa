/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Extremes: the smallest and the largest value of an array. Private. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* NaN is ignored, with @finite infinities are too. Both results are NaN if no value is left. */
gboolean capra_extremes (CapraArray *array, gboolean finite, double *min, double *max, GError **error);

G_END_DECLS

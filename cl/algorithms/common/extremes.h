/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Extremes: the smallest and the largest value of an image. Private. */
#pragma once

#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

/* NaN is ignored, with @finite infinities are too. Both results are NaN if no value is left. */
gboolean capra_extremes (const CapraBandSource *source, gboolean finite, double *min, double *max, GError **error);

G_END_DECLS

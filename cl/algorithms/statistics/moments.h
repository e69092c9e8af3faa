/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Moments: of all values of an image. Not installed. */
#pragma once

#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

/* As the fields of CapraStatistics of the same names. */
typedef struct {
  guint64 count;
  double min, max, mean, std, sum;
} CapraMoments;

/* NaN is ignored; with @finite, infinities, too. */
gboolean capra_moments_compute (const CapraBandSource *input, gboolean finite, CapraMoments *moments, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics and kappa-sigma clipping, over sorted values. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

CapraStatistics reference_statistics (CapraType type, gconstpointer data, gsize count);

typedef struct {
  double kappa, median, mean, sigma;
  guint64 pixels;
  guint iterations;
} ReferenceClip;

/* Infinities and NaN are left out. */
ReferenceClip reference_clip (const double *data, gsize count, double kappa);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-scale: the ranges of curves, as positions on a plot. */
#pragma once

#include "ui/figure/curve.h"

G_BEGIN_DECLS

typedef struct {
  double low, high;
  gboolean log;
} CapraScale;

/* Finds the ranges of all points that can be shown. FALSE with @error set if there are none. */
gboolean capra_scale_find (const CapraCurveFigure *figure, CapraScale *x, CapraScale *y, GError **error);

/* 0 for the low end, 1 for the high one; NaN if the scale cannot show the value. A CapraAxisShare. */
double capra_scale_get_share (double value, gconstpointer scale);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-figure: curves with error bands, axes and a legend. */
#pragma once

#include "ui/figure/curve.h"
#include "ui/figure/page.h"

G_BEGIN_DECLS

/* %NULL with @error set if no point can be shown: without finite values, or positive ones for a logarithmic axis. */
CapraPage *capra_curve_figure_draw (const CapraCurveFigure *figure, GError **error);

/* The color of a curve, as 0xRRGGBB: those of Okabe and Ito, which color-blind readers distinguish. */
guint32 capra_curve_figure_get_color (guint curve);

G_END_DECLS

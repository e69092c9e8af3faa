/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve: what a figure of curves shows. */
#pragma once

#include "ui/figure/page.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_CURVE_LINE,
  CAPRA_CURVE_DOTS, /* the points alone */
  CAPRA_CURVE_AREA, /* the area between the line and 0 */
} CapraCurveStyle;

/**
 * CapraCurve:
 * @error: (nullable): half the height of the band at each point
 * @name: (nullable): in the legend
 * @color: as 0xRRGGBB; 0 for capra_curve_figure_get_color()
 */
typedef struct {
  const double *x, *y, *error;
  gsize count;
  const char *name;
  CapraCurveStyle style;
  guint32 color;
} CapraCurve;

/**
 * CapraCurveFigure:
 * @x_log: whether the axis is logarithmic; likewise @y_log
 * @title: (nullable)
 * @x_label: (nullable): in Pango's markup; likewise @y_label
 * @width: of the figure in pixels; likewise @height
 * @style: (nullable): as capra_fit_draw()
 */
typedef struct {
  const CapraCurve *curves;
  guint n_curves;
  gboolean x_log, y_log;
  const char *title, *x_label, *y_label;
  double width, height;
  const CapraPageStyle *style;
} CapraCurveFigure;

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve: what a figure of curves shows. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraCurve:
 * @error: (nullable): half the height of the band at each point
 * @name: (nullable): in the legend
 */
typedef struct {
  const double *x, *y, *error;
  gsize count;
  const char *name;
} CapraCurve;

/**
 * CapraCurveFigure:
 * @x_log: whether the axis is logarithmic; likewise @y_log
 * @title: (nullable)
 * @x_label: (nullable): in Pango's markup; likewise @y_label
 * @width: of the figure in pixels; likewise @height
 */
typedef struct {
  const CapraCurve *curves;
  guint n_curves;
  gboolean x_log, y_log;
  const char *title, *x_label, *y_label;
  double width, height;
} CapraCurveFigure;

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart-picture: the curves of a chart, and the drawn figure of them. Threads share both. */
#pragma once

#include <gtk/gtk.h>

#include "ui/figure/curve-scale.h"

G_BEGIN_DECLS

/**
 * CapraChartData:
 * @curves: (element-type CapraCurve): with arrays and names of their own
 *
 * Is not modified once it was created.
 */
typedef struct {
  GArray *curves;
  gboolean x_log, y_log;
  char *x_label, *y_label;
} CapraChartData;

/* Copies @figure without its title, size and style. */
CapraChartData *capra_chart_data_new (const CapraCurveFigure *figure);
CapraChartData *capra_chart_data_ref (CapraChartData *data);
void capra_chart_data_unref (CapraChartData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraChartData, capra_chart_data_unref)

/* The number of points of all curves. */
gsize capra_chart_data_count (const CapraChartData *data);

/**
 * CapraChartLook:
 * @width: of the widget; likewise @height
 * @factor: pixels by units of the widget
 */
typedef struct {
  CapraPageStyle style;
  int width, height, factor;
} CapraChartLook;

gboolean capra_chart_look_equal (const CapraChartLook *a, const CapraChartLook *b);

/**
 * CapraChartPicture:
 * @texture: (nullable): %NULL if the curves have no values that can be shown
 * @x: the range from the left to the right of @plot; likewise @y upward
 * @plot: the area inside the axes, on the widget
 */
typedef struct {
  CapraChartData *data;
  CapraChartLook look;
  GdkTexture *texture;
  CapraScale x, y;
  cairo_rectangle_t plot;
} CapraChartPicture;

/* Draws the figure. It can be called by any thread. */
CapraChartPicture *capra_chart_picture_new (CapraChartData *data, const CapraChartLook *look);
void capra_chart_picture_free (CapraChartPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraChartPicture, capra_chart_picture_free)

/* Where a point is on the widget; FALSE if the picture does not show it. */
gboolean capra_chart_picture_find_point (const CapraChartPicture *picture, double x, double y, double *widget_x,
                                         double *widget_y);

G_END_DECLS

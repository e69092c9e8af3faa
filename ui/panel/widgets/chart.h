/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart: a figure of curves in the colors and the font of the theme. */
#pragma once

#include "ui/panel/widgets/chart-picture.h"

G_BEGIN_DECLS

/**
 * CapraChart:
 *
 * Many points are drawn in a thread: the chart shows what it showed before until that is done.
 *
 * Signal "clicked" (uint curve, uint64 point, flags of GdkModifierType): the user clicked near a point.
 */
#define CAPRA_TYPE_CHART (capra_chart_get_type ())
G_DECLARE_FINAL_TYPE (CapraChart, capra_chart, CAPRA, CHART, GtkWidget)

/* @data: (nullable) */
void capra_chart_set_data (CapraChart *chart, CapraChartData *data);
/* @figure: (nullable): is copied, without its title, size and style */
void capra_chart_set_figure (CapraChart *chart, const CapraCurveFigure *figure);
/* The position of a point on the widget; FALSE if the chart does not show it, or not yet. */
gboolean capra_chart_find_point (CapraChart *chart, double x, double y, double *widget_x, double *widget_y);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-chart: the histogram of one column of a table, or one column over another. */
#pragma once

#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsChart:
 *
 * Shows the rows that the table shows. A click on a point of a scatter plot selects its row; with Control, it adds the
 * row to the selection or removes it. The points are found in a thread.
 *
 * Property: "rows" (CapraResultsRows, nullable): the table.
 * Signal "picked" (uint): a click has selected a row of the table; the selection has changed already.
 */
#define CAPRA_TYPE_RESULTS_CHART (capra_results_chart_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsChart, capra_results_chart, CAPRA, RESULTS_CHART, GtkBox)

/* @x: a column; @y: a column for a scatter plot, or -1 for a histogram */
void capra_results_chart_show (CapraResultsChart *chart, guint x, int y);
/* Whether other points will be shown. */
gboolean capra_results_chart_get_busy (CapraResultsChart *chart);

G_END_DECLS

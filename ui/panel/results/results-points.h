/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-points: what a chart of a table's columns shows. */
#pragma once

#include "ui/panel/results/results-rows.h"
#include "ui/panel/results/value-counts.h"
#include "ui/panel/widgets/chart-picture.h"

G_BEGIN_DECLS

/**
 * CapraResultsPoints:
 * @chart: %NULL until the points are found; likewise @points
 * @counts: of a histogram
 * @points: (element-type guint): the row of the table of each point of a curve of a scatter plot. Rows that are
 *   selected are a curve of their own, on top.
 */
typedef struct {
  CapraTable *table;
  GArray *order; /* of guint: the rows that are shown */
  GtkBitset *selected;
  guint x;
  int y;
  char *x_header, *y_header;
  CapraChartData *chart;
  CapraValueCounts *counts;
  GArray *points[2];
} CapraResultsPoints;

/* What is needed to find the points. The table must have data. @x, @y: as in capra_results_chart_show() */
CapraResultsPoints *capra_results_points_new (CapraResultsRows *rows, guint x, int y);
/* It can be called by any thread. */
void capra_results_points_find (CapraResultsPoints *points);
void capra_results_points_free (CapraResultsPoints *points);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraResultsPoints, capra_results_points_free)

G_END_DECLS

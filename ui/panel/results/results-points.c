/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-points: what a chart of a table's columns shows. */
#include "ui/panel/results/results-points.h"

#include <glib/gi18n-lib.h>

CapraResultsPoints *
capra_results_points_new (CapraResultsRows *rows, guint x, int y)
{
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  CapraResultsPoints *points = g_new0 (CapraResultsPoints, 1);

  points->table = capra_table_ref (capra_results_table_get_data (table));
  points->order = g_array_ref (capra_results_rows_get_order (rows));
  points->selected = gtk_bitset_copy (capra_results_table_get_selected (table));
  points->x = x;
  points->y = y;
  points->x_header = capra_results_table_dup_header (table, x);
  points->y_header = y < 0 ? g_strdup (_ ("Rows")) : capra_results_table_dup_header (table, (guint) y);
  return points;
}

/* The outline of the bars, which begins and ends at 0. */
static void
fill_bars (const CapraValueCounts *counts, double *x, double *y)
{
  gsize at = 0;

  for (guint i = 0; i < counts->n; i++)
    for (guint end = 0; end < 2; end++)
      {
        x[++at] = counts->low + (i + end) * counts->width;
        y[at] = (double) counts->counts[i];
      }
  x[0] = x[1];
  x[at + 1] = x[at];
  y[0] = y[at + 1] = 0.0;
}

static void
find_histogram (CapraResultsPoints *self, CapraCurveFigure *figure)
{
  guint count = self->order->len;
  g_autofree double *values = g_new (double, count), *x = NULL, *y = NULL;
  CapraCurve curve = { .style = CAPRA_CURVE_AREA };

  for (guint i = 0; i < count; i++)
    values[i] = capra_table_get (self->table, g_array_index (self->order, guint, i), self->x);
  self->counts = capra_value_counts_new (values, count);
  if (self->counts->n > 0)
    {
      curve.count = 2 * (gsize) self->counts->n + 2;
      curve.x = x = g_new (double, curve.count);
      curve.y = y = g_new (double, curve.count);
      fill_bars (self->counts, x, y);
    }
  figure->curves = &curve;
  figure->n_curves = 1;
  self->chart = capra_chart_data_new (figure);
}

static void
find_scatter (CapraResultsPoints *self, CapraCurveFigure *figure)
{
  guint count = self->order->len, at = 0;
  g_autofree double *x = g_new (double, count), *y = g_new (double, count);
  CapraCurve curves[2];

  for (guint chosen = 0; chosen < 2; chosen++)
    {
      curves[chosen] = (CapraCurve){ .x = x + at, .y = y + at, .style = CAPRA_CURVE_DOTS };
      for (guint i = 0; i < count; i++)
        {
          guint row = g_array_index (self->order, guint, i);

          if (gtk_bitset_contains (self->selected, row) != (gboolean) chosen)
            continue;
          x[at] = capra_table_get (self->table, row, self->x);
          y[at++] = capra_table_get (self->table, row, (guint) self->y);
          curves[chosen].count++;
          g_array_append_val (self->points[chosen], row);
        }
    }
  figure->curves = curves;
  figure->n_curves = G_N_ELEMENTS (curves);
  self->chart = capra_chart_data_new (figure);
}

void
capra_results_points_find (CapraResultsPoints *points)
{
  g_autofree char *x_label = g_markup_escape_text (points->x_header, -1);
  g_autofree char *y_label = g_markup_escape_text (points->y_header, -1);
  CapraCurveFigure figure = { .x_label = x_label, .y_label = y_label };

  for (guint i = 0; i < G_N_ELEMENTS (points->points); i++)
    points->points[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  (points->y < 0 ? find_histogram : find_scatter) (points, &figure);
}

void
capra_results_points_free (CapraResultsPoints *points)
{
  capra_table_unref (points->table);
  g_array_unref (points->order);
  gtk_bitset_unref (points->selected);
  g_free (points->x_header);
  g_free (points->y_header);
  g_clear_pointer (&points->chart, capra_chart_data_unref);
  g_clear_pointer (&points->counts, capra_value_counts_free);
  for (guint i = 0; i < G_N_ELEMENTS (points->points); i++)
    g_clear_pointer (&points->points[i], g_array_unref);
  g_free (points);
}

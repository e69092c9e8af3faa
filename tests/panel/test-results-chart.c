/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of a table's columns, and what is copied of a table. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/figure/curve-figure.h"
#include "ui/panel/results/results-chart.h"
#include "ui/panel/results/results-export.h"
#include "ui/panel/results/results-view.h"
#include "ui/panel/results/value-counts.h"
#include "ui/panel/widgets/chart.h"
#include "ui/panel/window/application.h"

#define ROWS 400

/* Rows are sorted and filtered in a thread. */
static void
settle (CapraResultsRows *rows)
{
  SHOT_WAIT_FOR (!capra_results_rows_get_busy (rows));
}

/* Regions with an area and a mean that follow no order. */
static CapraResultsRows *
make_rows (guint count)
{
  static const char *const names[] = { "label", "area", "centroid_x", "centroid_y", "mean", NULL };
  g_autoptr (CapraTable) data = capra_table_new (names);
  g_autoptr (CapraResultsTable) table = capra_results_table_new ("Regions");
  CapraResultsRows *rows = NULL;

  for (guint i = 0; i < count; i++)
    {
      const double row[] = { i + 1, 20 + (i * 37) % 101, i % 20, (guint) (i / 20), 0.25 + ((i * 53) % 211) * 0.001 };

      capra_table_add_row (data, row);
    }
  capra_results_table_set_data (table, data);
  rows = capra_results_rows_new (table);
  settle (rows);
  return rows;
}

/* Every finite value is in the interval whose ends are around it. */
static void
check_counts (const double *values, gsize count)
{
  g_autoptr (CapraValueCounts) counts = capra_value_counts_new (values, count);
  gsize finite = 0, total = 0;
  double sum = 0.0;

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      {
        finite++;
        sum += values[i];
      }
  g_assert_cmpuint (counts->total, ==, finite);
  g_assert_true ((counts->n == 0) == (finite == 0));
  for (guint b = 0; b < counts->n; b++)
    {
      double low = counts->low + b * counts->width, high = low + counts->width, slack = counts->width * 1e-9;
      gsize least = 0, most = 0; /* values on an edge may be on either side of it */

      for (gsize i = 0; i < count; i++)
        {
          gboolean last = b + 1 == counts->n;

          least += values[i] >= low + slack && values[i] < high - slack;
          most += values[i] >= low - slack && values[i] < (last ? high + 2 * slack : high + slack);
        }
      g_assert_cmpuint (counts->counts[b], >=, least);
      g_assert_cmpuint (counts->counts[b], <=, most);
      total += counts->counts[b];
    }
  g_assert_cmpuint (total, ==, finite);
  if (finite > 0)
    g_assert_cmpfloat_with_epsilon (counts->mean, sum / (double) finite, 1e-9 * (1.0 + fabs (sum)));
}

static void
test_counts (void)
{
  static const double missing[] = { NAN, INFINITY, -INFINITY }, one[] = { 7, NAN }, two[] = { -1, 3 };
  static const double same[] = { 0, 0, 0, 0, 5 }, uniform[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree double *values = g_new (double, 10000);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (CapraValueCounts) counts = NULL;

  check_counts (missing, 0);
  check_counts (missing, 3);
  check_counts (one, 2);
  check_counts (two, 2);
  check_counts (same, 5);
  for (guint i = 0; i < 10000; i++)
    values[i] = i % 17 ? pow (g_rand_double_range (random, -3, 3), 3) : NAN;
  check_counts (values, 10000);
  check_counts (values, 999);
  /* Interquartile range 3.5, so the width is 2 * 3.5 / 2: two intervals for a range of 7. */
  counts = capra_value_counts_new (uniform, 8);
  g_assert_cmpuint (counts->n, ==, 2);
  g_assert_cmpuint (counts->counts[0], ==, 4);
  g_assert_cmpuint (counts->counts[1], ==, 4);
}

static void
test_file_names (void)
{
  g_autoptr (CapraResultsTable) statistics = capra_results_table_new ("2. Azimuthal Statistics (Capra)");
  g_autoptr (CapraResultsRows) regions = make_rows (1);
  g_autofree char *one = capra_results_export_describe (statistics);
  g_autofree char *many = capra_results_export_describe (capra_results_rows_get_table (regions));

  g_assert_cmpstr (one, ==, "azimuthal-statistics");
  g_assert_cmpstr (many, ==, "regions");
}

/* The usual columns fit into the narrowest sidebar. */
static void
test_width (void)
{
  static const char *const names[] = { "label", "area", "centroid_x", "centroid_y", "mean", "sum", NULL };
  static const double values[] = { 16, 7551, 541.636, 150.365, 0.510324, 3853.45 };
  g_autoptr (CapraTable) data = capra_table_new (names);
  g_autoptr (CapraResultsTable) table = capra_results_table_new ("Regions");
  g_autoptr (CapraResultsRows) rows = NULL;
  GtkWidget *view = g_object_new (CAPRA_TYPE_RESULTS_VIEW, NULL), *scrolled = NULL;
  GtkWidget *window = shot_window (view, 300, 300);
  GtkAdjustment *across = NULL;

  capra_table_add_row (data, values);
  capra_results_table_set_data (table, data);
  rows = capra_results_rows_new (table);
  settle (rows);
  capra_results_view_set_rows (CAPRA_RESULTS_VIEW (view), rows);
  scrolled = shot_find (view, GTK_TYPE_SCROLLED_WINDOW);
  across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled));
  SHOT_WAIT_FOR (shot_find_label (view, "Center X\npx"));
  SHOT_WAIT_FOR (gtk_adjustment_get_page_size (across) > 100);
  shot_take (window, "results-narrow");
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across));
  capra_results_view_set_rows (CAPRA_RESULTS_VIEW (view), NULL);
  shot_close (window);
}

/* The selected rows, or all, in the order in which they are shown; the columns that are shown. */
static void
test_shown (void)
{
  g_autoptr (CapraResultsRows) rows = make_rows (30);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  g_autoptr (CapraTable) all = NULL, some = NULL, none = NULL, filtered = NULL;
  g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
  guint columns = capra_results_table_get_columns (table);

  capra_results_table_set_shown (table, 2, FALSE);
  capra_results_rows_sort (rows, 1, TRUE);
  settle (rows);
  all = capra_results_export_get_shown (rows);
  g_assert_cmpuint (capra_table_get_rows (all), ==, 30);
  g_assert_cmpuint (capra_table_get_columns (all), ==, columns - 1);
  g_assert_cmpstr (capra_table_get_name (all, 2), ==, "centroid_y");
  for (guint i = 0; i + 1 < 30; i++)
    g_assert_cmpfloat (capra_table_get (all, i, 1), >=, capra_table_get (all, i + 1, 1));
  gtk_bitset_add (selected, 3);
  gtk_bitset_add (selected, 7);
  capra_results_table_set_selected (table, selected);
  some = capra_results_export_get_shown (rows);
  g_assert_cmpuint (capra_table_get_rows (some), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      guint row = (guint) capra_table_get (some, i, 0) - 1;

      g_assert_true (row == 3 || row == 7);
      g_assert_cmpfloat (capra_table_get (some, i, 1), ==, capra_results_table_get_value (table, row, 1));
    }
  for (guint column = 0; column < columns; column++)
    capra_results_table_set_shown (table, column, FALSE);
  none = capra_results_export_get_shown (rows);
  g_assert_null (none);
  for (guint column = 0; column < columns; column++)
    capra_results_table_set_shown (table, column, TRUE);
  capra_results_rows_filter (rows, 0, 4.0, 6.0);
  settle (rows);
  filtered = capra_results_export_get_shown (rows); /* the other row that was selected is hidden */
  g_assert_cmpuint (capra_table_get_rows (filtered), ==, 1);
  g_assert_cmpfloat (capra_table_get (filtered, 0, 0), ==, 4);
}

/* The points are found in a thread, too, and many are drawn in one. */
static void
settle_chart (CapraResultsRows *rows, CapraResultsChart *results)
{
  settle (rows);
  SHOT_WAIT_FOR (!capra_results_chart_get_busy (results));
}

static gboolean
shows_point (CapraChart *chart, double x, double y)
{
  double widget_x, widget_y;

  return capra_chart_find_point (chart, x, y, &widget_x, &widget_y) && widget_x >= 0 && widget_y >= 0
         && widget_x < gtk_widget_get_width (GTK_WIDGET (chart))
         && widget_y < gtk_widget_get_height (GTK_WIDGET (chart));
}

/* Whether a point of the chart has the color of the curve. A tick can lie over half of the dot. */
static gboolean
has_dot (CapraChart *chart, double x, double y, guint curve)
{
  guint32 color = capra_curve_figure_get_color (curve);
  double widget_x = 0.0, widget_y = 0.0;
  int width, height;
  g_autofree guint32 *pixels = shot_draw_pixels (GTK_WIDGET (chart), &width, &height);
  gboolean found = FALSE;

  g_assert_true (capra_chart_find_point (chart, x, y, &widget_x, &widget_y));
  for (int i = MAX ((int) widget_y - 2, 0); i < MIN ((int) widget_y + 2, height); i++)
    for (int j = MAX ((int) widget_x - 2, 0); j < MIN ((int) widget_x + 2, width); j++)
      found |= (pixels[i * width + j] & 0xffffff) == color;
  return found;
}

static void
click (CapraResultsChart *results, guint curve, guint64 point, GdkModifierType state)
{
  CapraResultsRows *rows = NULL;

  g_object_get (results, "rows", &rows, NULL);
  g_signal_emit_by_name (shot_find (GTK_WIDGET (results), CAPRA_TYPE_CHART), "clicked", curve, point, state);
  settle_chart (rows, results);
  g_object_unref (rows);
}

static void
note_picked (GArray *picked, guint row)
{
  g_array_append_val (picked, row);
}

/* Points are rows: clicks select them, and other orders and filters are followed. */
static void
test_chart (void)
{
  g_autoptr (GArray) picked = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (CapraResultsRows) rows = make_rows (ROWS);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  CapraResultsChart *results = g_object_new (CAPRA_TYPE_RESULTS_CHART, "rows", rows, NULL);
  GtkWidget *window = shot_window (GTK_WIDGET (results), 420, 340);
  CapraChart *chart = NULL;
  double x, y;

  capra_results_chart_show (results, 1, -1);
  settle_chart (rows, results);
  chart = CAPRA_CHART (shot_find (GTK_WIDGET (results), CAPRA_TYPE_CHART));
  SHOT_WAIT_FOR (capra_chart_find_point (chart, 20, 0, &x, &y)); /* once it has a size */
  shot_take (window, "results-histogram");
  g_signal_connect_swapped (results, "picked", G_CALLBACK (note_picked), picked);
  capra_results_chart_show (results, 1, 4);
  settle_chart (rows, results);
  click (results, 0, 12, 0);
  g_assert_true (gtk_bitset_get_size (capra_results_table_get_selected (table)) == 1);
  g_assert_true (gtk_bitset_contains (capra_results_table_get_selected (table), 12));
  click (results, 0, 12, GDK_CONTROL_MASK); /* without row 12, the point is row 13 */
  g_assert_true (gtk_bitset_get_size (capra_results_table_get_selected (table)) == 2);
  g_assert_true (gtk_bitset_contains (capra_results_table_get_selected (table), 13));
  click (results, 1, 0, GDK_CONTROL_MASK); /* row 12 is the first one that is selected */
  g_assert_true (gtk_bitset_get_size (capra_results_table_get_selected (table)) == 1);
  g_assert_false (gtk_bitset_contains (capra_results_table_get_selected (table), 12));
  g_assert_cmpuint (picked->len, ==, 2); /* not the row that was removed */
  g_assert_cmpuint (g_array_index (picked, guint, 1), ==, 13);
  shot_take (window, "results-scatter");
  capra_results_rows_filter (rows, 1, 100, 1000);
  settle_chart (rows, results);
  click (results, 0, 0, 0);
  g_assert_cmpfloat (
    capra_results_table_get_value (table, gtk_bitset_get_minimum (capra_results_table_get_selected (table)), 1), >=,
    100);
  click (results, 0, ROWS, 0); /* beyond the points that are left */
  g_object_set (results, "rows", NULL, NULL);
  g_assert_false (shows_point (chart, 20, 0.25));
  shot_close (window);
}

/* A column with one value, and one of many rows in which all are at one of two points. */
static void
test_few_values (void)
{
  static const char *const names[] = { "label", "area", "mean", NULL };
  g_autoptr (CapraTable) data = capra_table_new (names);
  g_autoptr (CapraResultsTable) table = capra_results_table_new ("Regions");
  g_autoptr (CapraResultsRows) rows = NULL;
  CapraResultsChart *results = NULL;
  GtkWidget *window = NULL;
  CapraChart *chart = NULL;

  for (guint i = 0; i < 3; i++)
    capra_table_add_row (data, (double[]){ i + 1, 1, i * 0.25 });
  capra_results_table_set_data (table, data);
  rows = capra_results_rows_new (table);
  results = g_object_new (CAPRA_TYPE_RESULTS_CHART, "rows", rows, NULL);
  window = shot_window (GTK_WIDGET (results), 420, 340);
  capra_results_chart_show (results, 1, 2);
  chart = CAPRA_CHART (shot_find (GTK_WIDGET (results), CAPRA_TYPE_CHART));
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 1, 0.25));
  for (guint i = 0; i < 3; i++)
    g_assert_true (has_dot (chart, 1, i * 0.25, 0));
  capra_results_chart_show (results, 1, 1);
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 1, 1));
  g_assert_true (has_dot (chart, 1, 1, 0));
  capra_results_chart_show (results, 2, 1);
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 0.25, 1));
  g_assert_true (has_dot (chart, 0.5, 1, 0));
  shot_close (window);
}

/* Many points are drawn in a thread: the newest are shown in the end, in the colors of the theme. */
static void
test_many (void)
{
  g_autoptr (CapraResultsRows) rows = make_rows (20 * ROWS);
  CapraResultsChart *results = g_object_new (CAPRA_TYPE_RESULTS_CHART, "rows", rows, NULL);
  GtkWidget *window = shot_window (GTK_WIDGET (results), 420, 340);
  CapraChart *chart = NULL;
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, 20 * ROWS);

  capra_results_chart_show (results, 0, 1);
  capra_results_chart_show (results, 2, 3);
  chart = CAPRA_CHART (shot_find (GTK_WIDGET (results), CAPRA_TYPE_CHART));
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 7, 100));
  g_assert_true (has_dot (chart, 7, 100, 0));
  capra_results_table_set_selected (capra_results_rows_get_table (rows), all);
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 7, 100) && has_dot (chart, 7, 100, 1));
  capra_results_rows_filter (rows, 2, 5, 6);
  settle_chart (rows, results);
  SHOT_WAIT_FOR (shows_point (chart, 5, 100) && !shows_point (chart, 7, 100));
  shot_take (window, "results-many-dots");
  shot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/results-chart/counts", test_counts);
  g_test_add_func ("/results-chart/file-names", test_file_names);
  g_test_add_func ("/results-chart/width", test_width);
  g_test_add_func ("/results-chart/shown", test_shown);
  g_test_add_func ("/results-chart/chart", test_chart);
  g_test_add_func ("/results-chart/few-values", test_few_values);
  g_test_add_func ("/results-chart/many", test_many);
  return g_test_run ();
}

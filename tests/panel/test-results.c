/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of results: order, filter, selection, regions that are found again; 100 000 rows in a window. */
#include <float.h>
#include <math.h>

#include "tests/panel/shot.h"
#include "ui/panel/results/results-match.h"
#include "ui/panel/results/results-order.h"
#include "ui/panel/results/results-view.h"

#define MANY 100000

static const char *const names[] = { "label", "area",  "centroid_x", "centroid_y", "min_x",
                                     "min_y", "max_x", "max_y",      "mean",       NULL };

/* A region with its center in the middle of its box. */
static void
add_region (CapraTable *data, double label, double x, double y, double width, double height, double mean)
{
  capra_table_add_row (data, (double[]){ label, width * height, x + (width - 1) / 2, y + (height - 1) / 2, x, y,
                                         x + width - 1, y + height - 1, mean });
}

static CapraTable *
make_data (void)
{
  CapraTable *data = capra_table_new (names);

  add_region (data, 1, 10, 10, 5, 5, 0.5);
  add_region (data, 2, 30, 12, 8, 2, NAN);
  add_region (data, 3, 60, 40, 1, 1, -1.0);
  add_region (data, 4, 12, 50, 5, 5, 0.25);
  return data;
}

static CapraResultsRows *
make_rows (CapraTable *data)
{
  g_autoptr (CapraResultsTable) table = capra_results_table_new ("Measure");

  capra_results_table_set_data (table, data);
  return capra_results_rows_new (table);
}

/* Rows are sorted and filtered in a thread. */
static void
settle (CapraResultsRows *rows)
{
  SHOT_WAIT_FOR (!capra_results_rows_get_busy (rows));
}

/* Waits for the rows. @count: of @expected, the labels in the order in which they are shown */
static void
assert_labels (CapraResultsRows *rows, const guint *expected, guint count)
{
  CapraResultsTable *table = capra_results_rows_get_table (rows);

  settle (rows);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, count);
  for (guint i = 0; i < count; i++)
    {
      guint row = capra_results_rows_get_row (rows, i);

      g_assert_cmpint (capra_results_rows_find (rows, row), ==, (int) i);
      g_assert_cmpfloat (capra_results_table_get_value (table, row, 0), ==, expected[i]);
    }
}

static void
test_order (void)
{
  g_autoptr (CapraTable) data = make_data ();
  g_autoptr (CapraResultsRows) rows = make_rows (data);

  assert_labels (rows, (guint[]){ 1, 2, 3, 4 }, 4);
  capra_results_rows_sort (rows, 1, TRUE);
  assert_labels (rows, (guint[]){ 1, 4, 2, 3 }, 4);
  capra_results_rows_sort (rows, 8, FALSE); /* NaN comes last, in both directions */
  assert_labels (rows, (guint[]){ 3, 4, 1, 2 }, 4);
  capra_results_rows_sort (rows, 8, TRUE);
  assert_labels (rows, (guint[]){ 1, 4, 3, 2 }, 4);
  capra_results_rows_filter (rows, 8, 0.0, INFINITY);
  assert_labels (rows, (guint[]){ 1, 4 }, 2);
  g_assert_cmpint (capra_results_rows_find (rows, 2), ==, -1);
  capra_results_rows_filter (rows, 1, 16.0, 16.0);
  assert_labels (rows, (guint[]){ 2 }, 1);
  capra_results_rows_filter (rows, -1, 0.0, 0.0);
  capra_results_rows_sort (rows, -1, FALSE);
  assert_labels (rows, (guint[]){ 1, 2, 3, 4 }, 4);
}

/* One of few integers, some of them equal; a fraction; or a value at the ends of the range, or NaN. */
static double
make_value (GRand *random, guint column)
{
  static const double ends[] = { -INFINITY, -DBL_MAX, -0.0, 0.0, DBL_MIN, 9007199254740993.0, INFINITY, NAN };

  if (column == 0)
    return g_rand_int_range (random, -3, 4);
  if (column == 1)
    return g_rand_double (random) < 0.1 ? NAN : g_rand_double_range (random, -1e-3, 1e3);
  return ends[g_rand_int_range (random, 0, G_N_ELEMENTS (ends))];
}

/* Whether a row comes before another one, which is after it in the table if they are equal. */
static gboolean
is_before (double a, guint row_a, double b, guint row_b, gboolean descending)
{
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? row_a < row_b : isnan (b);
  if (a == b)
    return row_a < row_b;
  return descending ? a > b : a < b;
}

/* Each row that passes the filter is there once, and each pair of neighbors is in order. */
static void
check_list (const CapraTable *data, const CapraResultsOrder *order)
{
  g_autoptr (GArray) list = capra_results_order_list (order, data);
  g_autofree gboolean *found = g_new0 (gboolean, capra_table_get_rows (data));
  const guint *rows = (const guint *) list->data;
  gsize expected = 0;

  for (gsize row = 0; row < capra_table_get_rows (data); row++)
    {
      double value = order->filter_column < 0 ? 0.0 : capra_table_get (data, row, (guint) order->filter_column);

      expected += order->filter_column < 0 || (value >= order->low && value <= order->high);
    }
  g_assert_cmpuint (list->len, ==, expected);
  for (guint i = 0; i < list->len; i++)
    {
      double value = order->filter_column < 0 ? 0.0 : capra_table_get (data, rows[i], (guint) order->filter_column);

      g_assert_false (found[rows[i]]);
      found[rows[i]] = TRUE;
      if (order->filter_column >= 0)
        g_assert_true (value >= order->low && value <= order->high);
      if (i + 1 == list->len)
        continue;
      if (order->sort_column < 0)
        g_assert_cmpuint (rows[i], <, rows[i + 1]);
      else
        g_assert_true (is_before (capra_table_get (data, rows[i], (guint) order->sort_column), rows[i],
                                  capra_table_get (data, rows[i + 1], (guint) order->sort_column), rows[i + 1],
                                  order->descending));
    }
}

static void
test_lists (void)
{
  static const char *const columns[] = { "integer", "fraction", "end", NULL };
  static const guint sizes[] = { 0, 1, 2, 7, 1001 };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (CapraTable) data = capra_table_new (columns);

      for (guint row = 0; row < sizes[size]; row++)
        capra_table_add_row (data,
                             (double[]){ make_value (random, 0), make_value (random, 1), make_value (random, 2) });
      for (int sort = -1; sort < 3; sort++)
        for (int filter = -1; filter < 3; filter++)
          for (gboolean descending = FALSE; descending <= TRUE; descending++)
            {
              check_list (data, &(CapraResultsOrder){ sort, descending, filter, -INFINITY, INFINITY });
              check_list (data, &(CapraResultsOrder){ sort, descending, filter, 0.0, 2.0 });
              check_list (data, &(CapraResultsOrder){ sort, descending, filter, 2.0, 0.0 });
            }
    }
}

static void
count_signal (guint *count)
{
  (*count)++;
}

/* The selection is of rows, whatever their order. */
static void
test_selection (void)
{
  g_autoptr (CapraTable) data = make_data ();
  g_autoptr (CapraResultsRows) rows = make_rows (data);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  GtkSelectionModel *model = GTK_SELECTION_MODEL (rows);
  g_autoptr (GtkBitset) picked = gtk_bitset_new_range (1, 3);
  guint changes = 0, chosen = 0;

  g_signal_connect_swapped (table, "selection-changed", G_CALLBACK (count_signal), &changes);
  g_signal_connect_swapped (rows, "row-chosen", G_CALLBACK (count_signal), &chosen);
  capra_results_rows_sort (rows, 1, TRUE);
  settle (rows);
  g_assert_true (gtk_selection_model_select_item (model, 2, TRUE));
  g_assert_true (gtk_bitset_contains (capra_results_table_get_selected (table), 1));
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (chosen, ==, 1);
  capra_results_rows_filter (rows, 1, 2.0, 1000.0);
  assert_labels (rows, (guint[]){ 1, 4, 2 }, 3);
  g_assert_true (gtk_selection_model_is_selected (model, 2));
  capra_results_rows_filter (rows, 1, 20.0, 1000.0);
  assert_labels (rows, (guint[]){ 1, 4 }, 2); /* the row that is filtered out is not selected any more */
  g_assert_true (gtk_bitset_is_empty (capra_results_table_get_selected (table)));
  g_assert_false (gtk_selection_model_is_selected (model, 7));
  capra_results_table_set_selected (table, picked); /* such as by a rectangle in the picture */
  g_assert_cmpuint (gtk_bitset_get_size (capra_results_table_get_selected (table)), ==, 1);
  g_assert_true (gtk_selection_model_is_selected (model, 1));
  capra_results_rows_filter (rows, -1, 0.0, 0.0);
  capra_results_rows_sort (rows, -1, FALSE);
  settle (rows);
  g_assert_true (gtk_selection_model_is_selected (model, 3));
  g_assert_false (gtk_selection_model_is_selected (model, 2));
  g_assert_true (gtk_selection_model_select_all (model));
  g_assert_cmpuint (gtk_bitset_get_size (capra_results_table_get_selected (table)), ==, 4);
  g_assert_cmpuint (chosen, ==, 1);
  g_assert_true (gtk_selection_model_unselect_item (model, 0));
  g_assert_cmpuint (gtk_bitset_get_minimum (capra_results_table_get_selected (table)), ==, 1);
}

/* Regions that are still at their places stay selected under other numbers; one that is gone does not. */
static void
test_match (void)
{
  g_autoptr (CapraTable) before = make_data ();
  g_autoptr (CapraTable) after = capra_table_new (names), none = capra_table_new (names);
  g_autoptr (CapraResultsRows) rows = make_rows (before);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  g_autoptr (GtkBitset) selected = gtk_bitset_new_range (1, 3);

  add_region (after, 1, 0, 0, 3, 3, 0.5);
  add_region (after, 2, 10, 10, 5, 5, 0.5);
  add_region (after, 3, 31, 12, 2, 2, 0.5); /* two parts of the region that was selected: the nearer one */
  add_region (after, 4, 34, 12, 2, 2, 0.5);
  add_region (after, 5, 12, 50, 4, 4, 0.5);
  capra_results_table_set_selected (table, selected);
  capra_results_rows_set_data (rows, after);
  settle (rows);
  selected = (gtk_bitset_unref (selected), gtk_bitset_new_empty ());
  gtk_bitset_add (selected, 3);
  gtk_bitset_add (selected, 4);
  g_assert_true (gtk_bitset_equals (capra_results_table_get_selected (table), selected));
  capra_results_rows_set_data (rows, none);
  settle (rows);
  g_assert_true (gtk_bitset_is_empty (capra_results_table_get_selected (table)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 0);
  capra_results_rows_set_data (rows, NULL);
  g_assert_cmpuint (capra_results_table_get_columns (table), ==, 0);
}

/* Regions that are alike but for their numbers, which begin at @first. */
static CapraTable *
make_many (guint count, guint first)
{
  CapraTable *data = capra_table_new (names);

  for (guint i = 0; i < count; i++)
    add_region (data, i + first, i % 1000, i / 1000 * 5, 1 + i % 7, 3, i * 0.37 - floor (i * 0.37));
  return data;
}

/* Whether each position has a row of the table. */
static gboolean
is_consistent (CapraResultsRows *rows)
{
  guint count = g_list_model_get_n_items (G_LIST_MODEL (rows));
  guint n = capra_results_table_get_rows (capra_results_rows_get_table (rows));

  for (guint i = 0; i < count; i++)
    if (capra_results_rows_get_row (rows, i) >= n)
      return FALSE;
  return count <= n;
}

static void
check_consistent (CapraResultsRows *rows)
{
  g_assert_true (is_consistent (rows));
}

/* Changes during a sort: the last one is shown, with the selection of the last moment. */
static void
test_changes (void)
{
  g_autoptr (CapraTable) first = make_many (MANY, 1), second = make_many (300, 1001), third = make_many (200, 2001);
  g_autoptr (CapraResultsRows) rows = make_rows (first);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  g_autoptr (GtkBitset) selected = gtk_bitset_new_range (7, 1);

  g_signal_connect (rows, "changed", G_CALLBACK (check_consistent), NULL);
  g_signal_connect (rows, "items-changed", G_CALLBACK (check_consistent), NULL);
  g_signal_connect_swapped (table, "changed", G_CALLBACK (check_consistent), rows);
  g_assert_true (capra_results_rows_get_busy (rows));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 0);
  settle (rows);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, MANY);
  capra_results_rows_sort (rows, 8, TRUE);
  capra_results_rows_sort (rows, 0, TRUE);
  capra_results_rows_set_data (rows, second);
  capra_results_rows_filter (rows, 0, 1101.0, 3000.0);
  capra_results_rows_set_data (rows, third);
  capra_results_table_set_selected (table, selected);
  g_assert_true (is_consistent (rows));
  settle (rows);
  g_assert_true (capra_results_table_get_data (table) == third);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 200);
  g_assert_cmpuint (capra_results_rows_get_row (rows, 0), ==, 199);
  g_assert_true (gtk_bitset_equals (capra_results_table_get_selected (table), selected));
  capra_results_rows_set_data (rows, first);
  capra_results_rows_set_data (rows, NULL); /* at once, whatever runs */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 0);
  g_assert_false (capra_results_rows_get_busy (rows));
  capra_results_rows_set_data (rows, third);
  settle (rows);
  g_assert_true (capra_results_table_get_data (table) == third);
  capra_results_table_set_data (table, second); /* of another owner */
  g_assert_true (is_consistent (rows));
  settle (rows);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 200);
}

static void
test_columns (void)
{
  g_autoptr (CapraTable) data = make_data ();
  g_autoptr (CapraResultsTable) table = capra_results_table_new ("Measure");
  g_autofree char *header = NULL;

  capra_results_table_set_data (table, data);
  header = capra_results_table_dup_header (table, 2);
  g_assert_cmpstr (header, ==, "Center X (px)");
  g_assert_cmpstr (capra_results_table_get_unit (table, 8), ==, "");
  g_assert_true (capra_results_table_has_regions (table));
  g_assert_true (capra_results_table_get_shown (table, 1));
  g_assert_false (capra_results_table_get_shown (table, 4));
  capra_results_table_set_shown (table, 4, TRUE);
  g_assert_true (capra_results_table_get_shown (table, 4));
  g_assert_cmpint (capra_results_table_find_label (table, 3), ==, 2);
  g_assert_cmpint (capra_results_table_find_label (table, 7), ==, -1);
}

static GtkAdjustment *
get_adjustment (GtkWidget *view)
{
  GtkWidget *scrolled = shot_find (view, GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
}

static guint
count_widgets (GtkWidget *widget)
{
  guint count = 1;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    count += count_widgets (child);
  return count;
}

/* Whether a cell below @widget has the text. */
static gboolean
shows (GtkWidget *widget, const char *text)
{
  if (GTK_IS_INSCRIPTION (widget) && g_strcmp0 (gtk_inscription_get_text (GTK_INSCRIPTION (widget)), text) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (shows (child, text))
      return TRUE;
  return FALSE;
}

/* A table of many rows has widgets for those in view alone, and shows the last one after scrolling to it. */
static void
test_many_rows (void)
{
  g_autoptr (CapraTable) data = make_many (MANY, 1), other = make_many (3, 500001);
  g_autoptr (CapraResultsRows) rows = make_rows (data);
  GtkWidget *view = g_object_new (CAPRA_TYPE_RESULTS_VIEW, NULL);
  GtkWidget *window = NULL;

  capra_results_view_set_rows (CAPRA_RESULTS_VIEW (view), rows);
  window = shot_window (view, 390, 600);
  SHOT_WAIT_FOR (shows (view, "12"));
  g_assert_cmpuint (count_widgets (view), <, 6000);
  capra_results_view_sort (CAPRA_RESULTS_VIEW (view), 0, TRUE);
  settle (rows);
  g_assert_cmpuint (capra_results_rows_get_row (rows, 0), ==, MANY - 1);
  SHOT_WAIT_FOR (shows (view, "100000"));
  capra_results_view_scroll_to (CAPRA_RESULTS_VIEW (view), 0);
  SHOT_WAIT_FOR (gtk_adjustment_get_value (get_adjustment (view)) > 0.0);
  SHOT_WAIT_FOR (shows (view, "1"));
  shot_take (window, "results-many");
  capra_results_rows_set_data (rows, other);
  settle (rows);
  SHOT_WAIT_FOR (shows (view, "500001"));
  shot_close (window);
}

/* A row is scrolled to although the list had no size before, or its adjustment changes meanwhile. */
static void
test_scroll (void)
{
  g_autoptr (CapraTable) data = make_many (MANY, 1);
  g_autoptr (CapraResultsRows) rows = make_rows (data);
  GtkWidget *view = g_object_new (CAPRA_TYPE_RESULTS_VIEW, NULL), *window = NULL;

  settle (rows);
  capra_results_view_set_rows (CAPRA_RESULTS_VIEW (view), rows);
  capra_results_view_scroll_to (CAPRA_RESULTS_VIEW (view), MANY - 1);
  window = shot_window (view, 390, 600);
  SHOT_WAIT_FOR (shows (view, "100000"));
  capra_results_view_scroll_to (CAPRA_RESULTS_VIEW (view), 0);
  gtk_adjustment_set_value (get_adjustment (view), 5000.0);
  SHOT_WAIT_FOR (gtk_adjustment_get_value (get_adjustment (view)) == 0.0);
  capra_results_view_scroll_to (CAPRA_RESULTS_VIEW (view), MANY / 2);
  gtk_adjustment_set_value (get_adjustment (view), 1.0);
  gtk_adjustment_set_value (get_adjustment (view), 0.0);
  SHOT_WAIT_FOR (shows (view, "50001"));
  gtk_widget_set_visible (view, FALSE);
  capra_results_view_scroll_to (CAPRA_RESULTS_VIEW (view), 0);
  shot_rest (0.2);
  gtk_widget_set_visible (view, TRUE);
  SHOT_WAIT_FOR (gtk_adjustment_get_value (get_adjustment (view)) == 0.0);
  shot_close (window);
}

/* The window, its list and its table are freed while rows are sorted. */
static void
test_closed (void)
{
  g_autoptr (CapraTable) data = make_many (MANY, 1);
  CapraResultsRows *rows = make_rows (data);
  CapraResultsTable *table = capra_results_rows_get_table (rows);
  GtkWidget *view = g_object_new (CAPRA_TYPE_RESULTS_VIEW, NULL), *window = NULL;

  capra_results_view_set_rows (CAPRA_RESULTS_VIEW (view), rows);
  window = shot_window (view, 390, 600);
  settle (rows);
  g_object_add_weak_pointer (G_OBJECT (table), (gpointer *) &table);
  capra_results_view_sort (CAPRA_RESULTS_VIEW (view), 8, TRUE);
  g_assert_true (capra_results_rows_get_busy (rows));
  g_object_unref (rows);
  shot_close (window);
  SHOT_WAIT_FOR (!table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  adw_init ();
  g_test_add_func ("/results/order", test_order);
  g_test_add_func ("/results/lists", test_lists);
  g_test_add_func ("/results/selection", test_selection);
  g_test_add_func ("/results/match", test_match);
  g_test_add_func ("/results/changes", test_changes);
  g_test_add_func ("/results/columns", test_columns);
  g_test_add_func ("/results/many-rows", test_many_rows);
  g_test_add_func ("/results/scroll", test_scroll);
  g_test_add_func ("/results/closed", test_closed);
  return g_test_run ();
}

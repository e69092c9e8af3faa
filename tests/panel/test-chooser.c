/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chooser of operations: the order of what it finds, and the rows of its list. */
#include <gegl.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/steps/catalog.h"
#include "ui/panel/steps/chooser.h"
#include "ui/pipeline/gegl-start.h"

#define MANY 150 /* operations that GEGL has at least */
#define FEW 40   /* rows that the list may have in its first frame */

static CapraPanelWindow *
open_window (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (300, 200, "R'G'B' u8");

  return shot_open (image, "image.png");
}

/* The drop-down of categories has a list, too. */
static GtkListView *
find_list (GtkWidget *chooser)
{
  return GTK_LIST_VIEW (gtk_widget_get_template_child (chooser, CAPRA_TYPE_CHOOSER, "list"));
}

static GListModel *
get_shown (GtkListView *list)
{
  return G_LIST_MODEL (gtk_list_view_get_model (list));
}

static const char *
get_first (GtkListView *list)
{
  g_autoptr (CapraOperationInfo) info = g_list_model_get_item (get_shown (list), 0);

  return info ? capra_operation_info_get_name (info) : "";
}

/* Capra's operations for a purpose are before GEGL's with the word in their titles, not before those with another
 * purpose. */
static void
test_order (void)
{
  static const char *const cases[][2] = {
    { "smooth", "capra:box-blur" },
    { "segment", "capra:label" },
    { "median", "gegl:median-blur" },
    { "count cells", "capra:label" },
  };
  g_autoptr (CapraChooser) chooser = g_object_ref_sink (g_object_new (CAPRA_TYPE_CHOOSER, NULL));
  GtkWidget *search = shot_find (GTK_WIDGET (chooser), GTK_TYPE_SEARCH_ENTRY);
  GtkListView *list = find_list (GTK_WIDGET (chooser));

  capra_chooser_start (chooser);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      gtk_editable_set_text (GTK_EDITABLE (search), cases[c][0]);
      SHOT_WAIT_FOR (g_str_equal (get_first (list), cases[c][1]));
    }
}

/* The list is scrolled to the first match, which Return adds. */
static void
test_scrolled (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *chooser = shot_find (GTK_WIDGET (window), CAPRA_TYPE_CHOOSER);
  GtkWidget *search = shot_find (chooser, GTK_TYPE_SEARCH_ENTRY);
  GtkAdjustment *scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (find_list (chooser)));

  g_action_group_activate_action (G_ACTION_GROUP (window), "add-step", NULL);
  SHOT_WAIT_FOR (gtk_adjustment_get_upper (scrolled) > gtk_adjustment_get_page_size (scrolled) + 500.0);
  gtk_adjustment_set_value (scrolled, 400.0);
  SHOT_WAIT_FOR (gtk_adjustment_get_value (scrolled) > 300.0);
  gtk_editable_set_text (GTK_EDITABLE (search), "e"); /* which all operations have */
  SHOT_WAIT_FOR (gtk_adjustment_get_value (scrolled) == 0.0);
  SHOT_WAIT_FOR (gtk_adjustment_get_upper (scrolled) > gtk_adjustment_get_page_size (scrolled) + 300.0);
  shot_close (GTK_WIDGET (window));
}

static guint
count_rows (GtkListView *list)
{
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (list)); row; row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

/* Of the first frame with the list. */
static void
on_painted (GdkFrameClock *clock, gpointer rows)
{
  GtkListView *list = g_object_get_data (G_OBJECT (clock), "list");

  if (*(guint *) rows == 0 && gtk_widget_get_mapped (GTK_WIDGET (list))
      && gtk_widget_get_height (GTK_WIDGET (list)) > 0)
    *(guint *) rows = count_rows (list);
}

/* The first frame has few rows, so that it comes soon, and the others follow; likewise after a change of the search. */
static void
test_rows (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *chooser = shot_find (GTK_WIDGET (window), CAPRA_TYPE_CHOOSER);
  GtkWidget *search = shot_find (chooser, GTK_TYPE_SEARCH_ENTRY);
  GtkListView *list = find_list (chooser);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  g_autoptr (GListModel) all = capra_catalog_new ();
  guint n = g_list_model_get_n_items (all), rows = 0;
  gint64 start = 0;
  gulong handler;

  g_assert_cmpuint (n, >, MANY);
  g_object_set_data (G_OBJECT (clock), "list", list);
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), &rows);
  start = g_get_monotonic_time ();
  g_action_group_activate_action (G_ACTION_GROUP (window), "add-step", NULL);
  SHOT_WAIT_FOR (rows > 0);
  g_test_message ("%u rows after %.0f ms", rows, (double) (g_get_monotonic_time () - start) / 1e3);
  g_assert_cmpuint (rows, <, FEW);
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) == n);
  g_assert_cmpuint (count_rows (list), >=, MANY);

  gtk_editable_set_text (GTK_EDITABLE (search), "e");
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) < FEW);
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) > MANY);
  /* None follow while the chooser is hidden, and all when it is shown again. */
  gtk_editable_set_text (GTK_EDITABLE (search), "");
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) < FEW);
  gtk_widget_set_visible (gtk_widget_get_parent (chooser), FALSE);
  shot_rest (0.5);
  g_assert_cmpuint (g_list_model_get_n_items (get_shown (list)), <, n);
  gtk_widget_set_visible (gtk_widget_get_parent (chooser), TRUE);
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) == n);
  gtk_editable_set_text (GTK_EDITABLE (search), "gaussian blur");
  SHOT_WAIT_FOR (g_list_model_get_n_items (get_shown (list)) < FEW);
  shot_rest (0.5);
  g_assert_cmpuint (g_list_model_get_n_items (get_shown (list)), <, FEW);
  g_signal_handler_disconnect (clock, handler);
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  capra_gegl_start ();
  adw_init ();
  capra_panel_init ();
  if (gegl_has_operation ("capra:label"))
    g_test_add_func ("/chooser/order", test_order);
  g_test_add_func ("/chooser/scrolled", test_scrolled);
  g_test_add_func ("/chooser/rows", test_rows);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of timings: it fits into sidebars of any width, without scrolling sideways. */
#include <gegl.h>

#include "tests/panel/shot.h"
#include "ui/panel/monitor/timing-row.h"
#include "ui/panel/monitor/timing-table.h"

#define KERNELS 30

/* Rows of two devices, or of one. */
static GListStore *
make_rows (gboolean two)
{
  CapraMonitorDevice first = { (char *) "a", (char *) "GPU", CAPRA_DEVICE_GPU, { { 0 }, 0, 0, 0 } };
  CapraMonitorDevice second = { (char *) "b", (char *) "Other GPU", CAPRA_DEVICE_GPU, { { 0 }, 0, 0, 0 } };
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  CapraMonitorProcess process = { 7, (char *) "name", (char *) "name", (char *) "1", devices, NULL, NULL, 0 };
  GListStore *rows = g_list_store_new (CAPRA_TYPE_TIMING_ROW);

  g_ptr_array_add (devices, &first);
  g_ptr_array_add (devices, &second);
  for (guint i = 0; i < KERNELS; i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel_of_number_%u", i);
      CapraMonitorTiming timing = { two ? i % 2 : 0, name, 2 + i, 2000000, 0.5, 1, 1.5, 1, 0.5, 11.1 * i };
      g_autoptr (CapraTimingRow) row = capra_timing_row_new (&process, &timing);

      g_list_store_append (rows, row);
    }
  return rows;
}

static gboolean
is_shown (GtkWidget *table, CapraColumn which)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (shot_find (table, GTK_TYPE_COLUMN_VIEW)));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_str_equal (gtk_column_view_column_get_title (column), capra_column_get_title (which)))
        return gtk_column_view_column_get_visible (column);
    }
  g_assert_not_reached ();
}

static guint
count_columns (GtkWidget *table)
{
  guint shown = 0;

  for (int i = 0; i < CAPRA_N_COLUMNS; i++)
    shown += is_shown (table, (CapraColumn) i);
  return shown;
}

static GtkAdjustment *
get_across (GtkWidget *table)
{
  return gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (shot_find (table, GTK_TYPE_SCROLLED_WINDOW)));
}

static gboolean
fills (GtkWidget *table)
{
  return gtk_adjustment_get_upper (get_across (table)) == gtk_adjustment_get_page_size (get_across (table));
}

/* The columns fill the width of the table, and are as many as fit. */
static void
test_widths (void)
{
  static const int widths[] = { 300, 390, 620, 1200 };
  guint before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (GListStore) rows = make_rows (FALSE);
      GtkWidget *table = g_object_new (CAPRA_TYPE_TIMING_TABLE, NULL), *window = NULL;
      g_autofree char *name = g_strdup_printf ("timing-table-%d", widths[i]);

      capra_timing_table_set_rows (CAPRA_TIMING_TABLE (table), G_LIST_MODEL (rows));
      capra_timing_table_update (CAPRA_TIMING_TABLE (table));
      window = shot_window (table, widths[i], 400);
      SHOT_WAIT_FOR (shot_find_label (table, "kernel_of_number_29"));
      SHOT_WAIT_FOR (fills (table));
      shot_take (window, name);
      g_assert_true (fills (table));
      g_assert_cmpuint (count_columns (table), >=, MAX (before, 3));
      before = count_columns (table);
      shot_close (window);
    }
  g_assert_cmpuint (before, ==, CAPRA_N_COLUMNS - 2); /* all numbers */
}

/* The names of devices are a column while they differ. */
static void
test_devices (void)
{
  g_autoptr (GListStore) rows = make_rows (TRUE);
  GtkWidget *table = g_object_new (CAPRA_TYPE_TIMING_TABLE, NULL), *window = NULL;

  capra_timing_table_set_rows (CAPRA_TIMING_TABLE (table), G_LIST_MODEL (rows));
  capra_timing_table_update (CAPRA_TIMING_TABLE (table));
  window = shot_window (table, 420, 400);
  SHOT_WAIT_FOR (is_shown (table, CAPRA_COLUMN_DEVICE) && shot_find_label (table, "Other GPU") && fills (table));
  for (guint i = KERNELS; i > 0; i--)
    if (i % 2 == 0)
      g_list_store_remove (rows, i - 1);
  capra_timing_table_update (CAPRA_TIMING_TABLE (table));
  SHOT_WAIT_FOR (!is_shown (table, CAPRA_COLUMN_DEVICE) && fills (table));
  shot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/timing-table/widths", test_widths);
  g_test_add_func ("/timing-table/devices", test_devices);
  return g_test_run ();
}

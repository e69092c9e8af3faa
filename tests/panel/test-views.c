/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of the panel in real windows, with data of this process and of another one. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "ui/panel/preview/histogram.h"
#include "ui/panel/monitor/memory-view.h"
#include "ui/cards/nvml.h"
#include "panel-resources.h"
#include "ui/panel/monitor/command-trace.h"
#include "tests/panel/shot.h"
#include "tests/support/support.h"
#include "ui/panel/monitor/timeline-strip.h"
#include "ui/panel/preview/timing-overlay.h"
#include "ui/panel/monitor/timing-row.h"
#include "ui/panel/monitor/timings-view.h"
#include "ui/panel/widgets/column-view.h"

#define SIDE 512

static const char *program;

/* Blurs noise; the result stays on the device until it is freed. */
static CapraArray *
work (guint index, float *pixels)
{
  g_autofree float *noise = support_noise (SIDE * SIDE, 0, 1, 3);
  g_autoptr (CapraArray) image = support_array (support_device (index), SIDE, SIDE, 1, 1, noise);
  g_autoptr (GError) error = NULL;
  const double sigma[3] = { 4, 4, 0 };
  CapraArray *blurred = capra_gaussian_blur (image, sigma, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE,
                                             CAPRA_BORDER_CLAMP, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (capra_array_download (blurred, pixels ? pixels : noise, &error));
  return blurred;
}

/* The other process: blurs three times, then waits for the end of its input. */
static int
child (void)
{
  g_set_prgname ("example");
  g_set_application_name ("Another Program");
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (CapraArray) left = work (0, NULL);
    }
  puts ("ok");
  fflush (stdout);
  while (getchar () != EOF)
    ;
  return 0;
}

static GSubprocess *
start_other (void)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *other = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                                         program, "--work", NULL);
  char answer[3] = "";

  g_assert_no_error (error);
  g_input_stream_read_all (g_subprocess_get_stdout_pipe (other), answer, 3, NULL, NULL, NULL);
  g_assert_true (memcmp (answer, "ok\n", 3) == 0);
  return other;
}

static void
end_other (GSubprocess *other)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (other), NULL, NULL);
  g_subprocess_wait (other, NULL, NULL);
}

static void
test_memory (void)
{
  g_autoptr (CapraProcesses) processes = capra_processes_new ();
  GtkWidget *view = capra_memory_view_new (processes);
  GtkWidget *window = shot_window (view, 520, 400);
  g_autoptr (GSubprocess) other = start_other ();
  g_autoptr (CapraArray) left = NULL;

  capra_memory_trim (support_device (0));
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (CapraArray) more = work (0, NULL);
      g_autoptr (CapraArray) third = i % 3 ? work (0, NULL) : NULL;

      g_clear_pointer (&left, capra_array_unref);
      left = capra_array_ref (more);
      capra_array_make_resident (left, FALSE);
      shot_rest (0.4);
    }
  SHOT_WAIT_FOR (shot_find_label (view, "Another Program"));
  g_assert_nonnull (shot_find_label (view, "This window"));
  shot_take (window, "memory");

  g_signal_emit_by_name (shot_find_button (view, "_Free Unused Memory"), "clicked");
  {
    CapraMemory memory = { 0 };

    /* A thread frees it, and counts it at last. */
    SHOT_WAIT_FOR ((capra_memory_query (support_device (0), &memory), memory.freed >= SIDE * SIDE * 4));
    g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_POOL], ==, 0);
    g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_RESIDENT], ==, 0); /* it was moved to the host */
  }
  SHOT_WAIT_FOR (shot_find_label (view, "Freed: "));
  {
    g_autofree float *pixels = g_new (float, SIDE * SIDE), *again = g_new (float, SIDE * SIDE);

    g_assert_true (capra_array_download (left, again, NULL));
    capra_array_unref (work (0, pixels));
    g_assert_cmpmem (again, SIDE * SIDE * 4, pixels, SIDE * SIDE * 4);
  }
  end_other (other);
  SHOT_WAIT_FOR (!shot_find_label (view, "Another Program"));
  shot_close (window);
}

static void
test_timings (void)
{
  g_autoptr (CapraProcesses) processes = capra_processes_new ();
  GtkWidget *view = capra_timings_view_new (processes);
  GtkWidget *window = shot_window (view, 1000, 520);
  g_autoptr (GSubprocess) other = start_other ();
  g_autofree char *csv = NULL, *kept = NULL, *left = NULL, *reset = NULL;
  g_autofree char *hyphens = NULL;
  GtkWidget *pin = NULL, *name = NULL;
  guint columns = 0;

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (CapraArray) blurred = work (i % 2, NULL);
    }
  SHOT_WAIT_FOR (capra_processes_list (processes)->len == 2);
  SHOT_WAIT_FOR ((g_free (csv), csv = capra_timings_view_to_csv (CAPRA_TIMINGS_VIEW (view)),
                  strstr (csv, "This window") && strstr (csv, "Another Program")
                    && strstr (csv, ",upload,3,"))); /* all work of the other process */
  shot_take (window, "timings");
  g_assert_true (capra_device_get_info (support_device (0))->unified == (shot_find_label (view, "shared") != NULL));
  name = shot_find_label (view, "upload");
  hyphens = pango_attr_list_to_string (gtk_label_get_attributes (GTK_LABEL (name)));
  g_assert_nonnull (strstr (hyphens, "insert-hyphens false"));

  for (const char *c = csv; *c != '\r'; c++)
    columns += *c == ',';
  g_assert_cmpuint (columns + 1, ==, CAPRA_N_COLUMNS);

  /* Rows of a process that has ended stay while the button is active. */
  pin = shot_find_icon (view, "view-pin-symbolic");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), TRUE);
  end_other (other);
  SHOT_WAIT_FOR (capra_processes_list (processes)->len == 1);
  kept = capra_timings_view_to_csv (CAPRA_TIMINGS_VIEW (view));
  g_assert_nonnull (strstr (kept, "Another Program"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), FALSE);
  left = capra_timings_view_to_csv (CAPRA_TIMINGS_VIEW (view));
  g_assert_null (strstr (left, "Another Program"));
  g_signal_emit_by_name (shot_find_icon (view, "edit-clear-all-symbolic"), "clicked");
  reset = capra_timings_view_to_csv (CAPRA_TIMINGS_VIEW (view));
  g_assert_null (strstr (reset, "upload"));
  shot_close (window);
}

/* Quotes and commas follow RFC 4180; all columns are written. */
static void
test_csv (void)
{
  CapraMonitorTiming timing = { 0, "ker\"nel", 2, 2000000, 0.5, 1, 1.5, 1, 0.5, 2 };
  CapraMonitorDevice device = { (char *) "id", (char *) "GPU, fast", CAPRA_DEVICE_GPU, { { 0 }, 0, 0, 0 } };
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  CapraMonitorProcess process = { 7, (char *) "name", (char *) "name", (char *) "1", devices, NULL, NULL, 0 };
  g_autoptr (GListStore) rows = g_list_store_new (CAPRA_TYPE_TIMING_ROW);
  g_autoptr (CapraTimingRow) row = NULL;
  g_autofree char *csv = NULL;

  g_ptr_array_add (devices, &device);
  row = capra_timing_row_new (&process, &timing);
  g_list_store_append (rows, row);
  csv = capra_timing_rows_to_csv (G_LIST_MODEL (rows));
  g_assert_cmpstr (csv, ==,
                   "process,device,name,count,min_ms,median_ms,max_ms,mean_ms,std_ms,gb_per_s,total_ms\r\n"
                   "name (7),\"GPU, fast\",\"ker\"\"nel\",2,0.500000,1.000000,1.500000,1.000000,0.500000,"
                   "1.000000,2.000000\r\n");
}

/* A transfer that copies nothing has no rate, in the table and as CSV; kernels and other devices have one. */
static void
test_shared (void)
{
  static const struct {
    const char *name, *text, *csv;
    gboolean unified;
  } cases[] = { { "upload", "shared", ",,", TRUE },
                { "download", "shared", ",,", TRUE },
                { "upload", "1.0", ",1.000000,", FALSE },
                { "fill", "1.0", ",1.000000,", TRUE },
                { "numbers", "1.0", ",1.000000,", TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CapraMonitorTiming timing = { 0, cases[i].name, 2, 2000000, 0.5, 1, 1.5, 1, 0.5, 2 };
      CapraMonitorDevice device = { .id = (char *) "id", .name = (char *) "CPU", .unified = cases[i].unified };
      g_autoptr (GPtrArray) devices = g_ptr_array_new ();
      CapraMonitorProcess process = { 7, (char *) "name", (char *) "name", (char *) "1", devices, NULL, NULL, 0 };
      g_autoptr (GListStore) rows = g_list_store_new (CAPRA_TYPE_TIMING_ROW);
      g_autoptr (CapraTimingRow) row = NULL;
      g_autofree char *text = NULL, *csv = NULL, *end = g_strdup_printf ("%s2.000000\r\n", cases[i].csv);

      g_ptr_array_add (devices, &device);
      row = capra_timing_row_new (&process, &timing);
      g_list_store_append (rows, row);
      text = capra_timing_row_get_text (row, CAPRA_COLUMN_RATE);
      csv = capra_timing_rows_to_csv (G_LIST_MODEL (rows));
      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_true (g_str_has_suffix (csv, end));
    }
}

static void
on_value (CapraHistogram *histogram, double value, gpointer data)
{
  *(double *) data = value;
}

static void
test_histogram (void)
{
  GtkWidget *histogram = capra_histogram_new ();
  GtkWidget *window = NULL;
  g_autofree float *pixels = g_new (float, SIDE * SIDE);
  guint64 counts[CAPRA_HISTOGRAM_BINS] = { 0 };
  double reported = NAN, before = 0;
  gboolean handled = FALSE;

  capra_array_unref (work (0, pixels));
  for (guint i = 0; i < SIDE * SIDE; i++)
    counts[(int) CLAMP ((pixels[i] - 0.3f) / 0.4f * 256, 0, 255)]++;
  gtk_widget_set_margin_start (histogram, 12);
  gtk_widget_set_margin_end (histogram, 12);
  gtk_widget_set_margin_top (histogram, 12);
  gtk_widget_set_margin_bottom (histogram, 12);
  window = shot_window (histogram, 420, 160);
  capra_histogram_set_counts (CAPRA_HISTOGRAM (histogram), counts, 1, TRUE, 0.3, 0.7);
  capra_histogram_set_value (CAPRA_HISTOGRAM (histogram), 0.52);
  g_signal_connect (histogram, "value-changed", G_CALLBACK (on_value), &reported);
  shot_take (window, "histogram");
  g_assert_true (isnan (reported)); /* setting the value does not emit the signal */

  before = capra_histogram_get_value (CAPRA_HISTOGRAM (histogram));
  g_signal_emit_by_name (shot_find_controller (histogram, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", GDK_KEY_Right,
                         0, 0, &handled);
  g_assert_true (handled);
  g_assert_cmpfloat_with_epsilon (reported, before + 0.4 / 256, 1e-9);
  g_signal_emit_by_name (shot_find_controller (histogram, GTK_TYPE_GESTURE_DRAG), "drag-begin", 8.0, 20.0);
  g_assert_cmpfloat_with_epsilon (reported, 0.3, 1e-9);
  shot_close (window);
}

static void
test_overlay (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *overlay = capra_timing_overlay_new ();
  GtkWidget *strip = capra_timeline_strip_new ();
  GtkWidget *window = NULL;
  g_autoptr (GArray) records = NULL;
  g_autoptr (CapraCommandTrace) trace = NULL;
  gint64 begin = 0;
  double sum = 0;

  gtk_box_append (GTK_BOX (box), overlay);
  gtk_box_append (GTK_BOX (box), strip);
  window = shot_window (box, 640, 420);
  capra_timeline_reset ();
  begin = g_get_monotonic_time ();
  capra_array_unref (work (0, NULL));
  records = capra_timeline_records (0);
  trace = capra_command_trace_new (records, (double) (g_get_monotonic_time () - begin) * 1e-3);
  capra_timing_overlay_set_trace (CAPRA_TIMING_OVERLAY (overlay), trace);
  capra_timeline_strip_set_trace (CAPRA_TIMELINE_STRIP (strip), trace);
  shot_take (window, "overlay");

  g_assert_cmpuint (trace->commands->len, ==, records->len);
  g_assert_cmpstr (g_array_index (trace->totals, CapraCommandTotal, 0).name, ==, "upload");
  g_assert_true (g_array_index (trace->commands, CapraTracedCommand, 0).shared
                 == capra_device_get_info (support_device (0))->unified);
  g_assert_cmpstr (g_array_index (trace->totals, CapraCommandTotal, trace->totals->len - 1).name, ==, "download");
  for (guint i = 0; i < trace->totals->len; i++)
    sum += g_array_index (trace->totals, CapraCommandTotal, i).time;
  g_assert_cmpfloat (trace->host, >=, trace->wall - sum - 1e-6);
  g_assert_cmpfloat (trace->host, <=, trace->wall);
  shot_close (window);
}

/* The latest run of a process with two devices, whose clocks start at different times: the records of the latest scope,
 * or the records after a pause of all devices. */
static void
test_latest_run (void)
{
  CapraMonitorDevice device = { .name = (char *) "device" };
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (CapraMonitorRecord));
  CapraMonitorProcess process = { .devices = devices, .records = records };
  const gint64 clocks[2] = { 0, 5000000000 }, begins[3] = { 1000000000, 1100000000, 1102000000 };

  g_ptr_array_add (devices, &device);
  g_ptr_array_add (devices, &device);
  for (guint i = 0; i < 3; i++) /* each ends 1 ms after it was enqueued; the first two on one device */
    {
      guint64 queued = (guint64) (begins[i] + clocks[i / 2]);
      const CapraMonitorRecord record = {
        i / 2, "fill", 16, queued, queued + 500000, queued + 1000000, begins[i] / 1000, MIN (i, 1) + 1
      };

      g_array_append_val (records, record);
    }
  for (guint i = 0; i < 4; i++)
    {
      static const struct {
        gint64 pause; /* after the first record, in ns */
        gboolean scopes;
        guint found; /* records in the run */
      } cases[4] = {
        { 100000000, TRUE, 2 }, { 100000000, FALSE, 3 }, { 251000000, FALSE, 3 }, { 252000000, FALSE, 2 }
      };
      CapraMonitorRecord *first = &g_array_index (records, CapraMonitorRecord, 0);
      g_autoptr (CapraCommandTrace) trace = NULL;
      const CapraTracedCommand *last = NULL;

      first->queued = (guint64) (begins[1] - cases[i].pause);
      first->start = first->end = first->queued + 1000000;
      first->enqueued = (gint64) first->queued / 1000;
      for (guint j = 0; j < records->len && !cases[i].scopes; j++)
        g_array_index (records, CapraMonitorRecord, j).scope = 0;
      trace = capra_command_trace_new_latest (&process);
      last = &g_array_index (trace->commands, CapraTracedCommand, trace->commands->len - 1);
      g_assert_cmpuint (trace->commands->len, ==, cases[i].found);
      g_assert_cmpuint (trace->devices->len, ==, 2);
      g_assert_cmpstr (trace->devices->pdata[1], ==, "1: device");
      g_assert_cmpuint (last->device, ==, 1);
      g_assert_cmpfloat_with_epsilon (last->end, 3.0 + (cases[i].found == 3 ? (double) cases[i].pause * 1e-6 : 0.0),
                                      1e-9);
    }
}

static void
test_nvml_ids (void)
{
  g_autofree char *uuid = capra_nvml_id_of_uuid ("GPU-0A1b2c3d-0011-2233-4455-66778899aabb");
  g_autofree char *pci = capra_nvml_id_of_pci ("00000000:1B:00.0");
  CapraCard card = { 0 };

  g_assert_cmpstr (uuid, ==, "uuid:0a1b2c3d00112233445566778899aabb");
  g_assert_cmpstr (pci, ==, "pci:0000:1b:00.0");
  g_assert_false (capra_nvml_query ("no such card", &card));
}

static int
compare_texts (gconstpointer a, gconstpointer b, gpointer sign)
{
  return *(int *) sign
         * strcmp (gtk_string_object_get_string ((gpointer) a), gtk_string_object_get_string ((gpointer) b));
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, gtk_label_new (NULL));
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

/* A table at its top shows the first rows after its rows were sorted again; before, it followed the row that was first.
 */
static void
test_sort_again (void)
{
  int sign = 1;
  GtkStringList *strings = gtk_string_list_new (NULL);
  GtkWidget *table = gtk_column_view_new (NULL), *scrolled = gtk_scrolled_window_new (), *window = NULL;
  GtkColumnView *view = GTK_COLUMN_VIEW (table);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new ("Text", factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_texts, &sign, NULL));
  g_autoptr (GtkSelectionModel) model = NULL;
  GtkAdjustment *position = NULL;

  for (guint i = 0; i < 500; i++)
    gtk_string_list_take (strings, g_strdup_printf ("row %03u", i));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_append_column (view, column);
  gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
  model = GTK_SELECTION_MODEL (gtk_no_selection_new (
    G_LIST_MODEL (gtk_sort_list_model_new (G_LIST_MODEL (strings), g_object_ref (gtk_column_view_get_sorter (view))))));
  gtk_column_view_set_model (view, model);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), table);
  window = shot_window (scrolled, 300, 200);
  SHOT_WAIT_FOR (shot_find_label (table, "row 000"));
  position = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (table));
  sign = -1;
  capra_column_view_sort_again (view);
  SHOT_WAIT_FOR (shot_find_label (table, "row 499"));
  shot_rest (0.3);
  g_assert_cmpfloat (gtk_adjustment_get_value (position), ==, 0.0);
  shot_close (window);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL, *config = NULL;
  int status = 0;

  if (argc == 2 && g_str_equal (argv[1], "--work"))
    return child ();
  program = argv[0];
  folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  config = g_build_filename (folder, "config", NULL);
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_unsetenv ("CAPRA_DEVICE");
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  adw_init ();
  g_resources_register (capra_panel_get_resource ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/views/memory", test_memory);
  g_test_add_func ("/views/timings", test_timings);
  g_test_add_func ("/views/sort-again", test_sort_again);
  g_test_add_func ("/views/csv", test_csv);
  g_test_add_func ("/views/shared", test_shared);
  g_test_add_func ("/views/histogram", test_histogram);
  g_test_add_func ("/views/overlay", test_overlay);
  g_test_add_func ("/views/latest-run", test_latest_run);
  g_test_add_func ("/views/nvml-ids", test_nvml_ids);
  status = g_test_run ();
  shot_remove (folder);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Results page with many regions: times of frames while it scrolls, and of a sort and a filter.
 *
 * Usage: bench-results [REGIONS], within a display of its own, with xdotool:
 *   sh tests/support/display.sh 300 bench-results
 * The regions are single pixels of an image, which capra:label and capra:measure find. The list is moved by wheel, keys
 * and mouse, those of xdotool, one step after the other. Printed is a table: for moves, the number of frames in which
 * the list moved, and the median, the 90th percentile and the maximum of the work from the event to the end of the
 * frame; for other changes, the work until the list was drawn. The last column is the longest work of the main loop
 * between two waits for events. All times are milliseconds of processor time of the main thread, which does not depend
 * on what else the machine does; that of the X server is not in them. */
#include <gegl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/results/results-chart.h"
#include "ui/panel/results/results-filter.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/results/results-view.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/window.h"

#define DISTANCE 4        /* of regions */
#define REST 0.7          /* seconds without events before a measurement */
#define STEPS 100         /* of the wheel, the keys and the scrollbar */
#define STEP_TIMEOUT 2000 /* milliseconds */

static GArray *frames, *loops;  /* of double: ms */
static GOutputStream *input;    /* of xdotool */
static GtkAdjustment *position; /* of the list */
static guint column;            /* that is sorted and filtered */
static guint changes;           /* of the list or its selection */
static guint painted;           /* number of frames */
static double frame_start, frame_position, loop_start;

/* Milliseconds of processor time of this thread. */
static double
get_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e3 + (double) time.tv_nsec * 1e-6;
}

/* Every DISTANCE-th pixel of a square, with different values. */
static GeglBuffer *
make_image (int regions)
{
  int columns = (int) ceil (sqrt (regions)), rows = (regions + columns - 1) / columns;
  int width = columns * DISTANCE, height = rows * DISTANCE;
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format ("Y float"));
  g_autofree float *values = g_new0 (float, (gsize) width * (gsize) height);

  for (int i = 0; i < regions; i++)
    values[(gsize) (i / columns) * DISTANCE * (gsize) width + (gsize) (i % columns) * DISTANCE]
      = 0.1f + 0.9f * (float) ((guint) i * 2654435761u % 1000003u) / 1000003.0f;
  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* A frame counts if the list has moved since the one before it. */
static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  double ms = get_time () - frame_start;

  painted++;
  if (!position || gtk_adjustment_get_value (position) == frame_position)
    return;
  frame_position = gtk_adjustment_get_value (position);
  g_array_append_val (frames, ms);
}

static int
poll_events (GPollFD *fds, guint count, int timeout)
{
  double ms = get_time () - loop_start;
  int ready = 0;

  if (loop_start > 0.0)
    g_array_append_val (loops, ms);
  ready = g_poll (fds, count, timeout);
  loop_start = get_time ();
  return ready;
}

static void
begin (void)
{
  shot_rest (REST);
  g_array_set_size (frames, 0);
  g_array_set_size (loops, 0);
  loop_start = get_time ();
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

static double
get_share (GArray *times, double share)
{
  return times->len ? g_array_index (times, double, (guint) (share * (times->len - 1))) : 0.0;
}

static void
report_longest (void)
{
  g_array_sort (loops, compare);
  printf (" | %.0f |\n", get_share (loops, 1.0));
}

static void
start_xdotool (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE, &error, "xdotool", "-", NULL);

  if (!process)
    g_error ("%s", error->message);
  input = g_object_ref (g_subprocess_get_stdin_pipe (process));
}

static void
operate (const char *command)
{
  g_autofree char *line = g_strconcat (command, "\n", NULL);
  g_autoptr (GError) error = NULL;

  if (!g_output_stream_write_all (input, line, strlen (line), NULL, NULL, &error))
    g_error ("xdotool: %s", error->message);
}

/* A point of a widget on the screen: the window has no frame, and is in the corner of the screen. */
static void
get_point (GtkWidget *widget, double share_x, double share_y, int *x, int *y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double left, top, window_x, window_y;

  gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), share_x * gtk_widget_get_width (widget),
                                    share_y * gtk_widget_get_height (widget), &left, &top);
  gtk_native_get_surface_transform (native, &window_x, &window_y);
  *x = (int) (left + window_x);
  *y = (int) (top + window_y);
}

static void
move_to (GtkWidget *widget, double share_x, double share_y, const char *rest)
{
  g_autofree char *command = NULL;
  int x, y;

  get_point (widget, share_x, share_y, &x, &y);
  command = g_strdup_printf ("mousemove %d %d%s", x, y, rest);
  operate (command);
  shot_rest (REST);
}

static gboolean
set_late (gpointer late)
{
  *(gboolean *) late = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Gives a command, and runs the main loop until the frame in which the list has moved. Counts the work from here on. */
static void
step (const char *command)
{
  gboolean late = FALSE;
  guint before = frames->len, timer = g_timeout_add (STEP_TIMEOUT, set_late, &late);

  operate (command);
  frame_start = get_time ();
  while (frames->len == before && !late)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
}

static void
report_steps (const char *name)
{
  g_array_sort (frames, compare);
  printf ("| %s | %u frames: %.1f, %.1f, %.1f", name, frames->len, get_share (frames, 0.5), get_share (frames, 0.9),
          get_share (frames, 1.0));
  report_longest ();
}

static void
drag (GtkWidget *scrollbar)
{
  g_autofree char *press = NULL;
  int x, top, bottom;

  get_point (scrollbar, 0.5, 0.01, &x, &top);
  get_point (scrollbar, 0.5, 0.99, &x, &bottom);
  press = g_strdup_printf ("mousemove %d %d mousedown 1", x, top);
  operate (press);
  begin ();
  for (int i = 1; i <= STEPS; i++)
    {
      g_autofree char *move = g_strdup_printf ("mousemove %d %d", x, top + (bottom - top) * i / STEPS);

      step (move);
    }
  operate ("mouseup 1");
}

static void
scroll (CapraResultsView *view)
{
  GtkWidget *scrolled = shot_find (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);

  position = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
  SHOT_WAIT_FOR (gtk_adjustment_get_page_size (position) > 0.0);
  shot_rest (REST);
  move_to (scrolled, 0.5, 0.5, "");
  begin ();
  for (int i = 0; i < STEPS; i++)
    step ("click 5");
  report_steps ("wheel");
  move_to (scrolled, 0.5, 0.5, " click 1");
  begin ();
  for (int i = 0; i < STEPS; i++)
    step ("key Next");
  report_steps ("Page Down");
  drag (gtk_scrolled_window_get_vscrollbar (GTK_SCROLLED_WINDOW (scrolled)));
  report_steps ("scrollbar");
}

static void
count_change (void)
{
  changes++;
}

/* Calls @change, and measures the time until the list has changed and was drawn. */
static void
measure (const char *name, void (*change) (gpointer data), gpointer data)
{
  gint64 end = 0;
  double start = 0.0, ms = 0.0;
  guint before = 0, drawn = 0;

  begin ();
  end = g_get_monotonic_time () + SHOT_TIMEOUT;
  before = changes;
  start = loop_start;
  change (data);
  while (changes == before && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  drawn = painted;
  while (painted == drawn && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  ms = get_time () - start;
  shot_rest (REST);
  printf ("| %s | %.0f", name, ms);
  report_longest ();
}

static void
sort_by_column (gpointer view)
{
  capra_results_view_sort (view, column, TRUE);
}

static void
sort_by_label (gpointer view)
{
  capra_results_view_sort (view, 0, FALSE);
}

static void
filter (gpointer filter)
{
  gtk_editable_set_text (GTK_EDITABLE (shot_find (filter, GTK_TYPE_ENTRY)), "600");
}

static void
end_filter (gpointer filter)
{
  gtk_editable_set_text (GTK_EDITABLE (shot_find (filter, GTK_TYPE_ENTRY)), "");
}

static void
select_all (gpointer rows)
{
  gtk_selection_model_select_all (rows);
}

static void
select_none (gpointer rows)
{
  gtk_selection_model_unselect_all (rows);
}

/* Regions at the edges of the image are left out, or are not. */
static void
toggle_edges (gpointer label)
{
  g_autofree char *now = steps_get_text (label, "exclude-edges");

  steps_set_text (label, "exclude-edges", g_str_equal (now, "true") ? "false" : "true");
}

static void
measure_changes (GtkWidget *window, const char *suffix)
{
  gpointer label = capra_step_model_get_step (capra_panel_window_get_pipeline (CAPRA_PANEL_WINDOW (window)), 0);
  gpointer view = shot_find (window, CAPRA_TYPE_RESULTS_VIEW), filters = shot_find (window, CAPRA_TYPE_RESULTS_FILTER);
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));
  const struct {
    const char *name;
    void (*change) (gpointer data);
    gpointer data;
  } cases[] = { { "sort by center", sort_by_column, view },
                { "filter by center", filter, filters },
                { "end of the filter", end_filter, filters },
                { "sort by number", sort_by_label, view },
                { "select all", select_all, capra_results_page_get_rows (page) },
                { "other numbers, all selected", toggle_edges, label },
                { "select none", select_none, capra_results_page_get_rows (page) },
                { "other numbers", toggle_edges, label } };

  gtk_drop_down_set_selected (GTK_DROP_DOWN (shot_find (filters, GTK_TYPE_DROP_DOWN)), column);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat (cases[i].name, suffix, NULL);

      measure (name, cases[i].change, cases[i].data);
    }
}

static void
add_step (CapraPanelWindow *window, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
}

static gboolean
has_rows (GtkWidget *window, int regions)
{
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));
  CapraResultsRows *rows = capra_results_page_get_rows (page);

  return rows && g_list_model_get_n_items (G_LIST_MODEL (rows)) == (guint) regions;
}

static guint
find_column (GtkWidget *window)
{
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));

  return (guint) capra_results_table_find_column (capra_results_rows_get_table (capra_results_page_get_rows (page)),
                                                  "centroid_x");
}

static void
watch (GtkWidget *window)
{
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));
  CapraResultsRows *rows = capra_results_page_get_rows (page);

  g_signal_connect_after (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_after_paint), NULL);
  g_signal_connect (rows, "changed", G_CALLBACK (count_change), NULL);
  g_signal_connect (rows, "selection-changed", G_CALLBACK (count_change), NULL);
  g_main_context_set_poll_func (NULL, poll_events);
}

int
main (int argc, char **argv)
{
  int regions = argc > 1 ? atoi (argv[1]) : 100000;
  g_autoptr (GeglBuffer) image = NULL;
  CapraPanelWindow *panel = NULL;
  GtkWidget *window = NULL;

  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  frames = g_array_new (FALSE, FALSE, sizeof (double));
  loops = g_array_new (FALSE, FALSE, sizeof (double));
  image = make_image (regions);
  panel = capra_panel_window_new (NULL, image, "dots", NULL, NULL);
  window = GTK_WIDGET (panel);
  add_step (panel, "capra:label");
  add_step (panel, "capra:measure");
  gtk_window_present (GTK_WINDOW (panel));
  capra_sidebar_set_page (CAPRA_SIDEBAR (shot_find (window, CAPRA_TYPE_SIDEBAR)), "results");
  SHOT_WAIT_FOR (gtk_widget_get_mapped (window));
  watch (window);
  loop_start = get_time ();
  SHOT_WAIT_FOR (has_rows (window, regions));
  printf ("| opening %d regions |", regions);
  report_longest ();
  start_xdotool ();
  column = find_column (window);
  scroll (CAPRA_RESULTS_VIEW (shot_find (window, CAPRA_TYPE_RESULTS_VIEW)));
  measure_changes (window, "");
  capra_results_chart_show (CAPRA_RESULTS_CHART (shot_find (window, CAPRA_TYPE_RESULTS_CHART)), column,
                            (int) column + 1);
  measure_changes (window, ", chart");
  gtk_window_destroy (GTK_WINDOW (panel));
  capra_preview_wait_for_workers ();
  return 0;
}

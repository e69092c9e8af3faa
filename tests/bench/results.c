/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Results page with many regions: times of frames while it scrolls, and of a sort and a filter.
 *
 * Usage: bench-results [REGIONS], within a display of its own, with xdotool:
 *   xvfb-run -a -s "-screen 0 1280x800x24" bench-results
 * The regions are single pixels of an image, which capra:label and capra:measure find. Wheel, keys and mouse are those
 * of xdotool. "frame" is the work for one frame: from the signal before-paint of the frame clock to after-paint;
 * "loop" is how long the main loop works between two waits for events. All times are processor time of the main thread,
 * which does not depend on what else the machine does; that of the X server is not in them. */
#include <gegl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/panel/shot.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/results/results-chart.h"
#include "ui/panel/results/results-filter.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/results/results-view.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/window.h"

#define DISTANCE 4 /* of regions */
#define REST 0.7   /* seconds without events before a measurement */

static GArray *frames, *loops; /* of double: ms */
static guint mean;             /* the column */
static double frame_start, loop_start;

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

static void
on_before_paint (GdkFrameClock *clock, gpointer data)
{
  frame_start = get_time ();
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  double ms = get_time () - frame_start;

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
end (const char *name)
{
  g_array_sort (frames, compare);
  g_array_sort (loops, compare);
  printf ("%-28s %4u frames: median %5.1f  90 %% %5.1f  max %5.1f   loop: max %5.1f ms\n", name, frames->len,
          get_share (frames, 0.5), get_share (frames, 0.9), get_share (frames, 1.0), get_share (loops, 1.0));
}

/* Runs xdotool while the main loop runs. @words: separated by spaces */
static void
operate (const char *words)
{
  g_autofree char *line = g_strconcat ("xdotool ", words, NULL);
  g_auto (GStrv) arguments = g_strsplit (line, " ", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv ((const char *const *) arguments, 0, &error);
  gint64 end_time = g_get_monotonic_time () + SHOT_TIMEOUT;

  if (!process)
    g_error ("%s", error->message);
  g_subprocess_wait_async (process, NULL, NULL, NULL);
  while (g_subprocess_get_identifier (process) && g_get_monotonic_time () < end_time)
    g_main_context_iteration (NULL, TRUE);
  shot_rest (0.3);
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
  g_autofree char *words = NULL;
  int x, y;

  get_point (widget, share_x, share_y, &x, &y);
  words = g_strdup_printf ("mousemove %d %d%s", x, y, rest);
  operate (words);
}

static void
drag (GtkWidget *scrollbar)
{
  g_autoptr (GString) words = g_string_new (NULL);
  int x, top, bottom;

  get_point (scrollbar, 0.5, 0.01, &x, &top);
  get_point (scrollbar, 0.5, 0.99, &x, &bottom);
  g_string_append_printf (words, "mousemove %d %d mousedown 1", x, top);
  for (int i = 1; i <= 100; i++)
    g_string_append_printf (words, " mousemove %d %d sleep 0.02", x, top + (bottom - top) * i / 100);
  g_string_append (words, " mouseup 1");
  operate (words->str);
}

static void
report_position (GtkAdjustment *adjustment)
{
  printf ("%30sat %.0f of %.0f\n", "", gtk_adjustment_get_value (adjustment),
          gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment));
}

static void
scroll (CapraResultsView *view)
{
  GtkWidget *scrolled = shot_find (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
  move_to (scrolled, 0.5, 0.5, "");
  begin ();
  operate ("click --repeat 150 --delay 20 5");
  end ("wheel");
  report_position (adjustment);
  move_to (scrolled, 0.5, 0.5, " click 1");
  begin ();
  operate ("key --repeat 100 --delay 30 Next");
  end ("Page Down");
  report_position (adjustment);
  begin ();
  drag (gtk_scrolled_window_get_vscrollbar (GTK_SCROLLED_WINDOW (scrolled)));
  end ("scrollbar");
  report_position (adjustment);
}

/* Calls @change, and measures the time until its first frame. */
static void
measure (const char *name, void (*change) (gpointer data), gpointer data)
{
  double start = 0.0, ms = 0.0;

  begin ();
  start = loop_start = get_time ();
  change (data);
  while (frames->len == 0)
    g_main_context_iteration (NULL, TRUE);
  ms = get_time () - start;
  shot_rest (REST);
  printf ("%-28s %6.1f ms to the frame\n", name, ms);
  end (name);
}

static void
sort_by_mean (gpointer view)
{
  capra_results_view_sort (view, mean, TRUE);
}

static void
sort_by_label (gpointer view)
{
  capra_results_view_sort (view, 0, FALSE);
}

static void
filter (gpointer filter)
{
  gtk_editable_set_text (GTK_EDITABLE (shot_find (filter, GTK_TYPE_ENTRY)), "0.5");
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

static void
measure_changes (GtkWidget *window, const char *suffix)
{
  gpointer view = shot_find (window, CAPRA_TYPE_RESULTS_VIEW), filters = shot_find (window, CAPRA_TYPE_RESULTS_FILTER);
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));
  const struct {
    const char *name;
    void (*change) (gpointer data);
    gpointer data;
  } changes[] = { { "sort by mean", sort_by_mean, view },
                  { "filter by mean", filter, filters },
                  { "end of the filter", end_filter, filters },
                  { "sort by number", sort_by_label, view },
                  { "select all", select_all, capra_results_page_get_rows (page) },
                  { "select none", select_none, capra_results_page_get_rows (page) } };

  gtk_drop_down_set_selected (GTK_DROP_DOWN (shot_find (filters, GTK_TYPE_DROP_DOWN)), mean);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *name = g_strconcat (changes[i].name, suffix, NULL);

      measure (name, changes[i].change, changes[i].data);
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
find_mean (GtkWidget *window)
{
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (window, CAPRA_TYPE_RESULTS_PAGE));

  return (guint) capra_results_table_find_column (capra_results_rows_get_table (capra_results_page_get_rows (page)),
                                                  "mean");
}

static void
watch_frames (GtkWidget *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), NULL);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), NULL);
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
  watch_frames (window);
  SHOT_WAIT_FOR (has_rows (window, regions));
  end ("opening");
  printf ("%d regions\n", regions);
  mean = find_mean (window);
  scroll (CAPRA_RESULTS_VIEW (shot_find (window, CAPRA_TYPE_RESULTS_VIEW)));
  measure_changes (window, "");
  capra_results_chart_show (CAPRA_RESULTS_CHART (shot_find (window, CAPRA_TYPE_RESULTS_CHART)), 1, (int) mean);
  measure_changes (window, ", chart");
  gtk_window_destroy (GTK_WINDOW (panel));
  capra_preview_wait_for_workers ();
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time from the move of a slider to the picture in the panel's preview, as a table: see --help.
 *
 * "first" is when the view was covered by anything new, "final" when it was computed from the image itself, "numbers"
 * when the table and the labels for the outlines were computed, too, and "drawn" when a frame of the window showed the
 * first picture. "CPU" is the processor time of the whole program for each move. */
#include <gegl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/bench/panel-options.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/window/application.h"
#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/text/pipeline-command.h"

#define WARM_UP 5        /* moves that are not counted: they build kernels and measure the cost of pixels */
#define TIMEOUT 60.0     /* seconds until a move is given up */
#define BLOB 40          /* side of the squares with a bright blob each, in pixels */
#define PAGE_WIDTH 420   /* of the Results page */
#define STATUS_HEIGHT 80 /* at least the height of what is below the image in the window */

typedef enum { FIRST, FINAL, NUMBERS, DRAWN, N_TIMES } Time;

typedef struct {
  const PanelOptions *options;
  const PanelCase *c;
  GPtrArray *steps;
  CapraPreview *preview;
  CapraStepModel *pipeline; /* of the window, NULL without one */
  GtkWidget *window;
  double start[2]; /* of the slider's properties */
  gboolean has_table;
  gint64 moved_at, labels_at;
  gboolean updated, painting; /* whether the next frame, and this one, show the first picture */
  double now[N_TIMES];        /* ms of the current move; negative until then */
  GArray *times[N_TIMES];     /* of double */
} Run;

/* Bright blobs on a dark, noisy ground, so that there are regions to measure. */
static GeglBuffer *
make_image (const PanelCase *c)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, c->width, c->height), babl_format (c->format));
  g_autofree float *row = g_new (float, (gsize) c->width * 4);

  for (int y = 0; y < c->height; y++)
    {
      for (int x = 0; x < c->width; x++)
        for (int i = 0; i < 4; i++)
          {
            double blob = sin (x * G_PI / BLOB) * sin (y * G_PI / BLOB);

            row[x * 4 + i] = i == 3 ? 1.0f : (float) (0.8 * blob * blob + 0.2 * g_random_double ());
          }
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, c->width, 1), 0, babl_format ("R'G'B'A float"), row,
                       GEGL_AUTO_ROWSTRIDE);
    }
  return buffer;
}

static const char *const slider[] = { "std-dev-x", "std-dev-y" };

/* Moves the slider of the first step by @distance from where it was at first. */
static void
move (Run *run, double distance)
{
  CapraStep *step = run->pipeline ? capra_step_model_get_step (run->pipeline, 0) : run->steps->pdata[0];

  for (guint i = 0; i < G_N_ELEMENTS (slider); i++)
    {
      GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), slider[i]);
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_DOUBLE);
      g_value_set_double (&value, run->start[i] + distance);
      capra_step_set (step, property, &value);
    }
}

static double
get_ms (gint64 since, gint64 time)
{
  return (double) (time - since) / 1000.0;
}

static void
on_labels (Run *run)
{
  run->labels_at = g_get_monotonic_time ();
}

static void
on_updated (Run *run)
{
  CapraPreviewStatus status;

  capra_preview_get_status (run->preview, &status);
  run->updated |= status.first_ms >= 0.0;
}

static void
on_before_paint (Run *run)
{
  run->painting = run->updated;
}

static void
on_after_paint (Run *run)
{
  if (run->painting && run->now[DRAWN] < 0.0)
    run->now[DRAWN] = get_ms (run->moved_at, g_get_monotonic_time ());
}

static GeglRectangle
get_visible (const Run *run, double *scale)
{
  const PanelCase *c = run->c;
  const PanelOptions *o = run->options;
  GeglRectangle visible;

  *scale = c->scale > 0.0 ? c->scale
                          : MIN (MIN ((double) o->view_width / c->width, (double) o->view_height / c->height), 1.0);
  visible.width = (int) ceil (o->view_width / *scale);
  visible.height = (int) ceil (o->view_height / *scale);
  visible.x = (c->width - visible.width) / 2;
  visible.y = (c->height - visible.height) / 2;
  return visible;
}

static void
open_preview (Run *run, CapraPyramid *pyramid)
{
  double scale;
  GeglRectangle visible = get_visible (run, &scale);

  run->preview = capra_preview_new (pyramid);
  capra_preview_set_stretch (run->preview, &run->options->stretch);
  capra_preview_set_view (run->preview, &visible, scale);
  if (run->c->outlines)
    capra_preview_set_labels (run->preview, capra_step_get_id (run->steps->pdata[run->steps->len - 1]));
}

/* A window with the image and the page beside it. */
static void
open_window (Run *run, CapraPyramid *pyramid)
{
  const PanelOptions *o = run->options;
  CapraImageView *view = g_object_new (CAPRA_TYPE_IMAGE_VIEW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *page = NULL;
  CapraCanvas *canvas = capra_image_view_get_canvas (view);
  GdkFrameClock *clock = NULL;

  run->pipeline = capra_step_model_new ();
  capra_step_model_replace (run->pipeline, run->steps);
  capra_image_view_set_pipeline (view, run->pipeline);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  if (run->has_table)
    {
      page = capra_results_page_new (run->pipeline);
      capra_results_page_set_view (CAPRA_RESULTS_PAGE (page), view);
      gtk_widget_set_size_request (page, PAGE_WIDTH, -1);
      gtk_widget_set_hexpand (page, FALSE);
      gtk_box_append (GTK_BOX (box), page);
    }
  run->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (run->window), o->view_width + (page ? PAGE_WIDTH : 0),
                               o->view_height + STATUS_HEIGHT);
  gtk_window_set_child (GTK_WINDOW (run->window), box);
  gtk_window_present (GTK_WINDOW (run->window));
  for (int kind = 0; kind < CAPRA_DISPLAY_N_KINDS; kind++)
    capra_image_view_set_stretch (view, (CapraDisplayKind) kind, &o->stretch);
  capra_image_view_set_image (view, pyramid, NULL);
  if (run->c->scale > 0.0)
    capra_canvas_zoom_to (canvas, run->c->scale);
  run->preview = g_object_ref (capra_image_view_get_preview (view));
  while (!gtk_widget_get_mapped (GTK_WIDGET (canvas)) || gtk_widget_get_width (GTK_WIDGET (canvas)) < 1)
    g_main_context_iteration (NULL, TRUE);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (canvas));
  g_signal_connect_swapped (run->preview, "updated", G_CALLBACK (on_updated), run);
  g_signal_connect_swapped (clock, "before-paint", G_CALLBACK (on_before_paint), run);
  g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (on_after_paint), run);
}

static void
start_move (Run *run, int number)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_object_unref);

  for (int t = 0; t < N_TIMES; t++)
    run->now[t] = -1.0;
  run->updated = run->painting = FALSE;
  run->moved_at = g_get_monotonic_time ();
  move (run, 0.01 * (number + WARM_UP + 1)); /* no two moves have the same values */
  if (run->pipeline)
    return;
  for (guint i = 0; i < run->steps->len; i++)
    g_ptr_array_add (copies, capra_step_copy (run->steps->pdata[i]));
  capra_preview_set_steps (run->preview, copies);
}

static gboolean
needs (const Run *run, Time time)
{
  return time < NUMBERS || (time == NUMBERS ? run->has_table : run->window != NULL);
}

/* Returns: whether all is computed */
static gboolean
look (Run *run)
{
  CapraPreviewStatus status;
  gboolean current, done = TRUE;
  gint64 time;

  while (g_main_context_iteration (NULL, FALSE))
    ;
  capra_preview_get_status (run->preview, &status);
  if (status.first_ms >= 0.0)
    run->now[FIRST] = status.first_ms;
  if (status.complete && status.final_ms >= 0.0)
    run->now[FINAL] = status.final_ms;
  g_ptr_array_unref (capra_preview_get_tables (run->preview, &current, &time));
  if (run->c->outlines)
    {
      current = current && run->labels_at > time;
      time = run->labels_at;
    }
  if (run->has_table && run->now[NUMBERS] < 0.0 && run->now[FINAL] >= 0.0 && current)
    run->now[NUMBERS] = get_ms (run->moved_at, time);
  for (int t = 0; t < N_TIMES; t++)
    done &= run->now[t] >= 0.0 || !needs (run, (Time) t);
  return done;
}

/* Looks until @ms have passed since the move, or, with @until_done, all is computed before. */
static gboolean
wait_for (Run *run, double ms, gboolean until_done)
{
  gboolean done = FALSE;

  while (get_ms (run->moved_at, g_get_monotonic_time ()) < ms && !(done && until_done))
    {
      g_usleep (250);
      done = look (run);
    }
  return done;
}

static gboolean
measure_move (Run *run, int number)
{
  const PanelOptions *o = run->options;
  gint64 end = 0;

  start_move (run, number);
  if (o->interval > 0)
    wait_for (run, o->interval, FALSE);
  else if (!wait_for (run, TIMEOUT * 1000.0, TRUE))
    {
      fprintf (stderr, "%s: not finished after %g seconds\n", run->c->name, TIMEOUT);
      return FALSE;
    }
  for (int t = 0; t < N_TIMES && number >= 0; t++)
    if (run->now[t] >= 0.0)
      g_array_append_val (run->times[t], run->now[t]);
  end = g_get_monotonic_time ();
  while (o->interval == 0 && get_ms (end, g_get_monotonic_time ()) < o->pause)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The median and the 90th percentile; with @moves above 0, how many of these have a time. */
static void
print_times (GArray *times, int moves)
{
  g_autofree char *count = moves > 0 ? g_strdup_printf (" (%u of %d)", times->len, moves) : g_strdup ("");

  g_array_sort (times, compare);
  if (times->len > 0)
    printf ("  %7.1f %7.1f%s", g_array_index (times, double, times->len / 2),
            g_array_index (times, double, times->len * 9 / 10), count);
  else
    printf ("  %7s %7s%s", "-", "-", count);
}

static double
get_processor_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000.0
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000.0;
}

static gboolean
measure (Run *run)
{
  const PanelOptions *o = run->options;
  double before = 0.0;

  for (int i = -WARM_UP; i < o->moves; i++)
    {
      if (i == 0)
        before = get_processor_ms ();
      if (!measure_move (run, i))
        return FALSE;
    }
  printf ("%-19s", run->c->name);
  for (int t = 0; t < N_TIMES; t++)
    print_times (run->times[t], o->interval > 0 && t != DRAWN && needs (run, (Time) t) ? o->moves : 0);
  printf ("  %7.1f\n", (get_processor_ms () - before) / o->moves);
  fflush (stdout);
  return TRUE;
}

/* Finds where the slider stands. */
static gboolean
find_slider (Run *run)
{
  CapraStep *step = run->steps->pdata[0];

  for (guint i = 0; i < G_N_ELEMENTS (slider); i++)
    {
      GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), slider[i]);
      g_auto (GValue) value = G_VALUE_INIT;

      if (!property || property->value_type != G_TYPE_DOUBLE)
        {
          fprintf (stderr, "the first step has no property %s, which the slider moves\n", slider[i]);
          return FALSE;
        }
      capra_step_get (step, property, &value);
      run->start[i] = g_value_get_double (&value);
    }
  return TRUE;
}

static gboolean
check_steps (Run *run)
{
  if (run->steps->len == 0)
    {
      fprintf (stderr, "there are no steps\n");
      return FALSE;
    }
  for (guint i = 0; i < run->steps->len; i++)
    if (!gegl_has_operation (capra_step_get_operation (run->steps->pdata[i])))
      {
        fprintf (stderr, "unknown operation \"%s\"; set GEGL_PATH to the folder of Capra's module\n",
                 capra_step_get_operation (run->steps->pdata[i]));
        return FALSE;
      }
  return find_slider (run);
}

static gboolean
run_case (const PanelOptions *options, const PanelCase *c)
{
  Run run = { .options = options, .c = c };
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  run.steps = capra_steps_from_command (c->steps, &error);
  if (!run.steps)
    fprintf (stderr, "%s\n", error->message);
  if (run.steps && check_steps (&run))
    {
      g_autoptr (GeglBuffer) image = make_image (c);
      g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);

      for (int t = 0; t < N_TIMES; t++)
        run.times[t] = g_array_new (FALSE, FALSE, sizeof (double));
      for (guint i = 0; i < run.steps->len; i++)
        run.has_table |= capra_operation_has_table (capra_step_get_operation (run.steps->pdata[i]));
      (options->window ? open_window : open_preview) (&run, pyramid);
      g_signal_connect_swapped (run.preview, "labels", G_CALLBACK (on_labels), &run);
      done = measure (&run);
      for (int t = 0; t < N_TIMES; t++)
        g_array_unref (run.times[t]);
      g_signal_handlers_disconnect_by_data (run.preview, &run);
      g_object_unref (run.preview);
      if (run.window)
        {
          g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (run.window), &run);
          gtk_window_destroy (GTK_WINDOW (run.window));
        }
      g_clear_object (&run.pipeline);
      capra_preview_wait_for_workers ();
    }
  g_clear_pointer (&run.steps, g_ptr_array_unref);
  return done;
}

int
main (int argc, char **argv)
{
  PanelOptions options;
  int status = EXIT_SUCCESS;

  gegl_init (NULL, NULL);
  if (panel_options_parse (&options, &argc, &argv, &status))
    {
      if (options.window)
        {
          adw_init ();
          capra_panel_init ();
        }
      printf ("%-19s  %15s  %15s  %15s  %15s  %7s\n", "ms: median, 90 %", "first", "final", "numbers", "drawn", "CPU");
      for (guint i = 0; i < options.cases->len && status == EXIT_SUCCESS; i++)
        if (!run_case (&options, &g_array_index (options.cases, PanelCase, i)))
          status = EXIT_FAILURE;
    }
  panel_options_clear (&options);
  return status;
}

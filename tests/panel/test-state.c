/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel shows is of one state: after a change of the device, of the budget or of the steps, also while a
 * slider moves, the picture, the histogram, the thumbnail, the profile, the table and the timings belong together.
 *
 * The first device is lost. A step that names it fails and passes its input on, so that everything must show the input;
 * with the other device everything must show the result. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/lost-devices.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/monitor/devices-view.h"
#include "ui/panel/preview/graph-picture.h"
#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/graph/graph-numbers.h"

#define WIDTH 301
#define HEIGHT 203
#define ROW 97 /* of the profile's line */
#define MAX_RADIUS 6
#define ROUNDS 4
#define MOVES 25 /* of the slider in a round */
#define REST 0.8 /* seconds for which a state must be kept: longer than all delays of the panel */
#define NO_BLUR 0
#define NOTHING (MAX_RADIUS + 1) /* no step works: the image itself, and no table */

/* What the panel shows for a radius of the blur; for NO_BLUR, the image itself. */
typedef struct {
  GdkTexture *picture;
  char **percentiles;
  CapraTable *table;
  float line[WIDTH];
} Expected;

static Expected expected[MAX_RADIUS + 2];

static CapraPanelWindow *window;
static CapraStep *blur;
static guint64 usual_budget;
static const CapraLine line = { { 0, WIDTH - 1 }, { ROW, ROW } };

static GeglBuffer *
make_image (void)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("Y float"));
  g_autofree float *values = g_new (float, WIDTH *HEIGHT);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (float) (0.5 + 0.3 * sin (i % WIDTH * 1.3) + 0.2 * sin (i / WIDTH * 2.1));
  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  *(CapraHistogramData **) data = capra_histogram_data_compute_finish (result);
}

/* As the histogram shows them: "1 %: 0.403" and so on. */
static char **
find_percentiles (GeglBuffer *image, GPtrArray *steps)
{
  CapraPyramid *pyramid = capra_pyramid_new (image);
  g_autoptr (CapraHistogramData) data = NULL;
  char **texts = g_new0 (char *, CAPRA_HISTOGRAM_N_PERCENTILES + 1);

  capra_histogram_data_compute_async (pyramid, steps, FALSE, "Y float", on_counted, &data);
  SHOT_WAIT_FOR (data);
  for (guint i = 0; i < CAPRA_HISTOGRAM_N_PERCENTILES; i++)
    texts[i] = g_strdup_printf ("%.0f %%: %.3g", CAPRA_HISTOGRAM_PERCENTILES[i], data->percentiles[i]);
  capra_pyramid_unref (pyramid);
  return texts;
}

static GPtrArray *
make_steps (int radius)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *text = g_strdup_printf ("%d", radius);

  if (radius != NO_BLUR && radius != NOTHING)
    {
      g_ptr_array_add (steps, capra_step_new ("capra:box-blur"));
      steps_set_text (steps->pdata[0], "radius", text);
    }
  return steps;
}

/* Computed once, by a graph of its own, while all devices work. */
static void
expect (GeglBuffer *image, int radius)
{
  Expected *state = &expected[radius];
  g_autoptr (GPtrArray) steps = make_steps (radius);
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);
  CapraStep *statistics = NULL;

  capra_graph_update (graph, steps);
  state->picture = capra_graph_picture_new (graph, image);
  capra_graph_render (graph, GEGL_RECTANGLE (0, ROW, WIDTH, 1), babl_format ("Y float"), state->line,
                      GEGL_AUTO_ROWSTRIDE);
  state->percentiles = find_percentiles (image, steps);
  if (radius == NOTHING)
    return;
  statistics = capra_step_new ("capra:statistics");
  g_ptr_array_add (steps, statistics);
  capra_graph_keep_tables (graph);
  capra_graph_update (graph, steps);
  state->table = capra_graph_compute_table (graph, capra_step_get_id (statistics));
  g_assert_nonnull (state->table);
}

static gboolean
is_same_texture (GdkTexture *one, int x, int y, GdkTexture *other)
{
  int width = gdk_texture_get_width (other), height = gdk_texture_get_height (other);
  int stride = gdk_texture_get_width (one);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) stride * (gsize) gdk_texture_get_height (one));
  g_autofree guint32 *wanted = g_new (guint32, (gsize) width * (gsize) height);

  if (x < 0 || y < 0 || x + width > stride || y + height > gdk_texture_get_height (one))
    return FALSE;
  gdk_texture_download (one, (guchar *) pixels, (gsize) stride * 4);
  gdk_texture_download (other, (guchar *) wanted, (gsize) width * 4);
  for (int row = 0; row < height; row++)
    for (int column = 0; column < width * 4; column++)
      if (abs (((guint8 *) (pixels + (gsize) (row + y) * (gsize) stride + x))[column]
               - ((guint8 *) (wanted + (gsize) row * (gsize) width))[column])
          > 1)
        return FALSE;
  return TRUE;
}

static gboolean
shows_picture (const Expected *state)
{
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  g_autoptr (GdkTexture) texture = shot_draw (GTK_WIDGET (canvas));
  double x, y;

  capra_canvas_get_origin (canvas, &x, &y);
  return is_same_texture (texture, (int) x, (int) y, state->picture);
}

static gboolean
shows_thumbnail (const Expected *state)
{
  GtkWidget *row = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_ROW);
  GtkWidget *picture = row ? shot_find (row, GTK_TYPE_IMAGE) : NULL;
  GdkPaintable *paintable = picture ? gtk_image_get_paintable (GTK_IMAGE (picture)) : NULL;

  return GDK_IS_TEXTURE (paintable) && gdk_texture_get_width (GDK_TEXTURE (paintable)) == WIDTH
         && is_same_texture (GDK_TEXTURE (paintable), 0, 0, state->picture);
}

static gboolean
shows_table (const Expected *state)
{
  CapraResultsPage *page = CAPRA_RESULTS_PAGE (shot_find (GTK_WIDGET (window), CAPRA_TYPE_RESULTS_PAGE));
  CapraResultsRows *rows = capra_results_page_get_rows (page);
  CapraTable *table = rows ? capra_results_table_get_data (capra_results_rows_get_table (rows)) : NULL;
  gboolean same = table && capra_table_get_rows (table) == 1;

  if (!state->table)
    return !table && shot_find_label (GTK_WIDGET (page), "The Step Has Failed");
  for (guint column = 0; same && column < capra_table_get_columns (table); column++)
    same = fabs (capra_table_get (table, 0, column) - capra_table_get (state->table, 0, column))
           <= 1e-6 * fabs (capra_table_get (state->table, 0, column));
  return same;
}

static gboolean
has_profile (const Expected *state)
{
  g_autoptr (CapraProfile) profile = capra_preview_get_profile (capra_panel_window_get_preview (window));
  gboolean same = profile && profile->count == WIDTH && profile->pixel.count == 1;

  for (int i = 0; same && i < WIDTH; i++)
    same = fabs (profile->values[i] - (double) state->line[i]) <= 1e-6;
  return same;
}

/* What does not show the state: for the messages of a failure. */
static char *
find_others (int radius)
{
  const Expected *state = &expected[radius];
  GString *names = g_string_new (NULL);

  if (!shot_is_complete (window))
    g_string_append (names, " preview");
  if (!shows_picture (state))
    g_string_append (names, " picture");
  for (guint i = 0; state->percentiles[i]; i++)
    if (!shot_find_label (GTK_WIDGET (window), state->percentiles[i]))
      g_string_append (names, " histogram");
  if (!shows_thumbnail (state))
    g_string_append (names, " thumbnail");
  if (!shows_table (state))
    g_string_append (names, " table");
  if (!has_profile (state))
    g_string_append (names, " profile");
  if ((capra_step_get_error (blur) != NULL) != (radius == NO_BLUR || radius == NOTHING))
    g_string_append (names, " error");
  return g_string_free (names, FALSE);
}

/* The panel comes to show the state, and keeps it. */
static void
assert_state (int radius)
{
  gint64 end = g_get_monotonic_time () + SHOT_TIMEOUT, since = 0, now = 0;
  g_autofree char *others = NULL;

  while ((now = g_get_monotonic_time ()) < end)
    {
      g_free (others);
      others = find_others (radius);
      if (*others)
        since = 0;
      else if (since == 0)
        since = now;
      else if (now - since > REST * G_TIME_SPAN_SECOND)
        return;
      shot_rest (0.05);
    }
  shot_take (GTK_WIDGET (window), "state-failed");
  g_error ("not of the state with radius %d:%s", radius, others);
}

static void
set_radius (int radius)
{
  g_autofree char *text = g_strdup_printf ("%d", radius);

  steps_set_text (blur, "radius", text);
}

static CapraDevicesView *
find_devices (void)
{
  return CAPRA_DEVICES_VIEW (shot_find (GTK_WIDGET (window), CAPRA_TYPE_DEVICES_VIEW));
}

static const char *
get_id (guint device)
{
  return capra_device_get_info (capra_device_list (NULL)->pdata[device])->id;
}

static void
set_budget (const char *text)
{
  g_autoptr (GError) error = NULL;

  capra_settings_set ("memory-budget", text, &error);
  g_assert_no_error (error);
}

static guint64
get_budget (void)
{
  CapraMemory memory;

  capra_memory_query (capra_device_list (NULL)->pdata[0], &memory);
  return memory.budget;
}

/* Whether all commands of the picture were those of the device. */
static gboolean
is_from_device (guint which)
{
  g_autoptr (CapraTimelineScope) scope = capra_preview_get_scope (capra_panel_window_get_preview (window));
  g_autoptr (GArray) records = scope ? capra_timeline_scope_records (scope) : NULL;

  for (guint i = 0; records && i < records->len; i++)
    if (g_array_index (records, CapraRecord, i).device != capra_device_list (NULL)->pdata[which])
      return FALSE;
  return records && records->len > 0;
}

/* The device that the user chooses for all steps: everything is computed again, on that device. */
static void
test_device (void)
{
  for (guint i = 0; i < 3; i++)
    {
      capra_devices_view_set_device (find_devices (), get_id (i % 2));
      SHOT_WAIT_FOR (is_from_device (i % 2));
      assert_state (3);
      g_assert_true (is_from_device (i % 2));
    }
  capra_devices_view_set_device (find_devices (), NULL);
  assert_state (3);
}

/* A step of which one device is lost. */
static void
test_lost (void)
{
  lost_devices_set (1);
  steps_set_text (blur, "device", get_id (0));
  assert_state (NO_BLUR);
  steps_set_text (blur, "device", get_id (1));
  assert_state (3);
  steps_set_text (blur, "device", "");
  capra_devices_view_set_device (find_devices (), get_id (0)); /* nothing replaces a device that was chosen */
  assert_state (NOTHING);
  capra_devices_view_set_device (find_devices (), NULL);
  assert_state (3);
  steps_set_text (blur, "device", get_id (0));
  assert_state (NO_BLUR);
  lost_devices_set (0);
  set_budget ("3G"); /* the device works again: any change of the settings shows it everywhere */
  assert_state (3);
  set_budget (NULL);
  SHOT_WAIT_FOR (get_budget () == usual_budget);
  assert_state (3);
}

/* The budget of the settings is that of this process at once, and what does not fit into it is shown nowhere. */
static void
test_budget (void)
{
  steps_set_text (blur, "device", get_id (0));
  assert_state (3);
  set_budget ("2G");
  SHOT_WAIT_FOR (get_budget () == (guint64) 2 << 30);
  assert_state (3);
  set_budget ("4K");
  SHOT_WAIT_FOR (get_budget () == 4 << 10);
  assert_state (NOTHING);
  set_budget (NULL);
  SHOT_WAIT_FOR (get_budget () == usual_budget);
  assert_state (3);
}

/* While a slider moves, the device, the budget and the steps change at any time. */
static void
test_moving (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  lost_devices_set (1);
  for (int round = 0; round < ROUNDS; round++)
    {
      guint device = (guint) round % 2;
      int radius = 1 + round;

      for (int move = 0; move < MOVES; move++)
        {
          const char *other = get_id ((guint) g_rand_int_range (random, 0, 2));

          set_radius (g_rand_int_range (random, 1, MAX_RADIUS + 1));
          shot_rest (g_rand_double_range (random, 0.0, 0.06));
          switch (g_rand_int_range (random, 0, 6))
            {
            case 0: steps_set_text (blur, "device", other); break;
            case 1: capra_devices_view_set_device (find_devices (), other); break;
            case 2: set_budget (g_rand_boolean (random) ? "1G" : "2G"); break;
            default: break;
            }
        }
      set_radius (radius);
      steps_set_text (blur, "device", get_id (device));
      capra_devices_view_set_device (find_devices (), NULL);
      assert_state (device == 0 ? NO_BLUR : radius);
    }
  lost_devices_set (0);
  set_budget (NULL);
  steps_set_text (blur, "device", "");
  set_radius (3);
  assert_state (3);
}

static void
open_window (GeglBuffer *image)
{
  CapraStepModel *pipeline = NULL;
  g_autoptr (CapraStep) statistics = capra_step_new ("capra:statistics");
  CapraLineTool *tool = NULL;

  window = capra_panel_window_new (NULL, image, "waves", NULL, NULL);
  pipeline = capra_panel_window_get_pipeline (window);
  blur = capra_step_new ("capra:box-blur");
  set_radius (3);
  capra_step_model_insert (pipeline, blur, -1);
  capra_step_model_insert (pipeline, statistics, -1);
  capra_step_model_select (pipeline, blur);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (capra_panel_window_get_canvas (window))) > WIDTH);
  capra_canvas_zoom_to (capra_panel_window_get_canvas (window), 1.0);
  tool = capra_image_view_get_line_tool (CAPRA_IMAGE_VIEW (shot_find (GTK_WIDGET (window), CAPRA_TYPE_IMAGE_VIEW)));
  g_object_set (tool, "active", TRUE, NULL);
  capra_line_tool_set_line (tool, &line);
  assert_state (3);
  usual_budget = get_budget ();
}

static void
free_expected (void)
{
  for (int radius = 0; radius <= NOTHING; radius++)
    {
      g_clear_object (&expected[radius].picture);
      g_clear_pointer (&expected[radius].percentiles, g_strfreev);
      g_clear_pointer (&expected[radius].table, capra_table_unref); /* NULL for NOTHING */
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-state-XXXXXX", NULL);
  g_autoptr (GeglBuffer) image = NULL;
  int status = 0;

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_unsetenv ("CAPRA_MEMORY_BUDGET"); /* the variable would override the settings */
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* failed operations log warnings */
  image = make_image ();
  for (int radius = 0; radius <= NOTHING; radius++)
    expect (image, radius);
  open_window (image);
  g_test_add_func ("/state/device", test_device);
  g_test_add_func ("/state/lost", test_lost);
  g_test_add_func ("/state/budget", test_budget);
  g_test_add_func ("/state/moving", test_moving);
  status = g_test_run ();
  gtk_window_destroy (GTK_WINDOW (window));
  shot_rest (0.1);
  capra_preview_wait_for_workers ();
  g_clear_object (&blur);
  free_expected ();
  shot_remove (folder);
  return status;
}

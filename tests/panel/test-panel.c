/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a real window: opening, adding steps, sliders, the preview, undo, saving, and errors. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "ui/panel/window/application.h"
#include "ui/panel/steps/chooser.h"
#include "ui/panel/preview/histogram.h"
#include "ui/pipeline/read/image-file.h"
#include "ui/panel/steps/editors/number-editor.h"
#include "ui/panel/steps/property-row.h"
#include "ui/pipeline/write/save.h"
#include "tests/panel/shot.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/gegl-start.h"

#define WIDTH 900
#define HEIGHT 640

static char *folder;

static GFile *
get_file (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

static void
make_file (const char *name, int width, int height)
{
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format ("R'G'B'A u8"));
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GFile) file = get_file (name);
  g_autofree guint8 *pixels = g_malloc ((gsize) width * height * 4);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        guint8 *pixel = pixels + ((gsize) y * width + x) * 4;

        pixel[0] = (guint8) (128 + 127 * sin (x * 0.05));
        pixel[1] = (guint8) (((x / 16) ^ (y / 16)) & 1 ? 220 : 30);
        pixel[2] = (guint8) (128 + 127 * cos ((x + y) * 0.02));
        pixel[3] = 255;
      }
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B'A u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  g_assert_true (capra_save (file, buffer, none, 8, NULL, NULL, NULL));
}

static CapraPanelWindow *
open_window (const char *name)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  g_autoptr (GFile) file = get_file (name);

  gtk_window_present (GTK_WINDOW (window));
  capra_document_open (capra_panel_window_get_document (window), file);
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  SHOT_WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (capra_panel_window_get_canvas (window))) > 0);
  return window;
}

/* Adds a step like a user who types quickly, by a search and Return. */
static void
add_step (CapraPanelWindow *window, const char *query, const char *operation)
{
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  guint length = capra_step_model_get_length (pipeline);
  GtkWidget *chooser, *search;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.add-step", NULL);
  chooser = shot_find (GTK_WIDGET (window), CAPRA_TYPE_CHOOSER);
  search = shot_find (chooser, GTK_TYPE_SEARCH_ENTRY);
  g_assert_nonnull (search);
  gtk_editable_set_text (GTK_EDITABLE (search), query);
  g_signal_emit_by_name (search, "activate");
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, length + 1);
  g_assert_cmpstr (capra_step_get_operation (capra_step_model_get_step (pipeline, length)), ==, operation);
}

static CapraPropertyRow *
find_property (CapraPanelWindow *window, const char *name)
{
  GtkWidget *row = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_ROW);
  CapraPropertyRow *property;

  g_assert_nonnull (row);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  property = capra_step_row_find_property (CAPRA_STEP_ROW (row), name);
  g_assert_nonnull (property);
  return property;
}

static double
get_number (CapraPanelWindow *window, const char *name)
{
  CapraEditor *editor = capra_property_row_get_editor (find_property (window, name));

  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (capra_editor_get_control (editor)));
}

static double
slide (CapraPanelWindow *window, const char *name, double position)
{
  CapraEditor *editor = capra_property_row_get_editor (find_property (window, name));

  gtk_range_set_value (GTK_RANGE (capra_number_editor_get_slider (CAPRA_NUMBER_EDITOR (editor))), position);
  return get_number (window, name);
}

/* The contents of the canvas, as ARGB32. */
static guint32 *
get_shown (CapraPanelWindow *window, int *width, int *height)
{
  GtkWidget *canvas = GTK_WIDGET (capra_panel_window_get_canvas (window));

  gtk_widget_queue_draw (canvas);
  shot_rest (0.2);
  return shot_draw_pixels (canvas, width, height);
}

/* The result of the same graph in GEGL without the panel. */
static guint32 *
get_expected (const char *name, const char *operation, double x, double y)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  g_autoptr (GFile) file = get_file (name);
  g_autofree char *path = g_file_get_path (file);
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:png-load", "path", path, NULL);
  GeglNode *blur = gegl_node_new_child (root, "operation", operation, "std-dev-x", x, "std-dev-y", y, NULL);
  guint32 *pixels = g_new (guint32, WIDTH * HEIGHT);

  gegl_node_link (source, blur);
  gegl_node_blit (blur, 1.0, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("cairo-ARGB32"), pixels, WIDTH * 4,
                  GEGL_BLIT_DEFAULT);
  return pixels;
}

/* Checks that the view at full scale has the pixels of the graph's result. Returns the number of compared pixels. */
static guint
assert_shows (CapraPanelWindow *window, const guint32 *expected)
{
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  GeglRectangle visible = capra_canvas_get_visible (canvas);
  int width, height;
  g_autofree guint32 *shown = get_shown (window, &width, &height);
  int left = MAX ((int) round (width / 2.0 - WIDTH / 2.0), 0);
  int top = MAX ((int) round (height / 2.0 - HEIGHT / 2.0), 0);
  guint count = 0;

  g_assert_cmpfloat (capra_canvas_get_scale (canvas), ==, 1.0);
  for (int y = 2; y < visible.height - 2; y++)
    for (int x = 2; x < visible.width - 2; x++)
      {
        guint32 a = shown[(gsize) (top + y) * width + left + x];
        guint32 b = expected[(gsize) (visible.y + y) * WIDTH + visible.x + x];

        for (int shift = 0; shift < 24; shift += 8)
          g_assert_cmpint (ABS ((int) (a >> shift & 255) - (int) (b >> shift & 255)), <=, 1);
        count++;
      }
  return count;
}

static const char *
choose_blur (void)
{
  return gegl_has_operation ("capra:gaussian-blur") ? "capra:gaussian-blur" : "gegl:gaussian-blur";
}

/* What a view showed at one scale does not remain at another: here, squares of the checkerboard of another size. */
static void
test_zoom (void)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 300, 200), babl_format ("R'G'B'A u8"));
  CapraPanelWindow *window = shot_open (image, "transparent");
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  g_autofree guint32 *before = NULL, *after = NULL;
  int width, height;

  capra_canvas_zoom_to (canvas, 1.0);
  SHOT_WAIT_FOR (shot_is_complete (window));
  before = get_shown (window, &width, &height);
  capra_canvas_zoom_to (canvas, 4.0);
  shot_rest (0.1);
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_canvas_zoom_to (canvas, 1.0);
  shot_rest (0.1);
  SHOT_WAIT_FOR (shot_is_complete (window));
  after = get_shown (window, &width, &height);
  g_assert_cmpmem (before, (gsize) width * height * 4, after, (gsize) width * height * 4);
  shot_close (GTK_WIDGET (window));
}

static void
test_path (void)
{
  const char *operation = choose_blur ();
  CapraPanelWindow *window = open_window ("image.png");
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (GPtrArray) steps = NULL;
  g_autoptr (GFile) file = get_file ("saved.png");
  g_autoptr (CapraImage) saved = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *expected = NULL;
  GtkWidget *link_button = NULL;
  double x, y;

  SHOT_WAIT_FOR (shot_is_complete (window));
  add_step (window, "gaussian blur", operation);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.zoom-to", "d", 1.0);
  link_button = shot_find_icon (GTK_WIDGET (find_property (window, "std-dev-x")), "capra-linked-symbolic");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (link_button), FALSE);
  x = slide (window, "std-dev-x", 0.40);
  y = slide (window, "std-dev-y", 0.45);
  g_assert_cmpfloat (x, >, 4.0);
  g_assert_cmpfloat (y, >, x);
  SHOT_WAIT_FOR (shot_is_complete (window));
  expected = get_expected ("image.png", operation, x, y);
  g_assert_cmpuint (assert_shows (window, expected), >, 100000);
  shot_take (GTK_WIDGET (window), "panel");

  /* Undo also moves the slider. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpfloat (get_number (window, "std-dev-y"), ==, 1.5);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.redo", NULL);
  SHOT_WAIT_FOR (shot_is_complete (window));
  assert_shows (window, expected);

  steps = capra_step_model_snapshot (pipeline);
  {
    g_autoptr (GFile) source = get_file ("image.png");
    g_autoptr (CapraImage) image = capra_image_load (source, NULL);

    g_assert_true (capra_save (file, image->buffer, steps, 8, NULL, NULL, &error));
  }
  g_assert_no_error (error);
  saved = capra_image_load (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (saved->graph);
  shot_close (GTK_WIDGET (window));
}

static void
test_compare (void)
{
  CapraPanelWindow *window = open_window ("image.png");
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);

  add_step (window, "invert-gamma", "gegl:invert-gamma");
  SHOT_WAIT_FOR (shot_is_complete (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", g_variant_new_string ("split"));
  g_assert_cmpint (capra_canvas_get_compare (canvas), ==, CAPRA_COMPARE_SPLIT);
  shot_rest (1.0);
  {
    int width, height;
    g_autofree guint32 *shown = get_shown (window, &width, &height);
    guint32 left = shown[(gsize) (height / 4) * width + width / 2 - 40];
    guint32 mirror;

    capra_canvas_set_split (canvas, 0.25);
    {
      g_autofree guint32 *moved = get_shown (window, &width, &height);

      mirror = moved[(gsize) (height / 4) * width + width / 2 - 40];
    }
    for (int shift = 0; shift < 24; shift += 8)
      g_assert_cmpint (ABS ((int) (left >> shift & 255) + (int) (mirror >> shift & 255) - 255), <=, 6);
  }
  capra_canvas_set_split (canvas, 0.5);
  shot_take (GTK_WIDGET (window), "panel-split");
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", g_variant_new_string ("side"));
  shot_rest (1.0);
  shot_take (GTK_WIDGET (window), "panel-side");
  shot_close (GTK_WIDGET (window));
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  gint64 now = g_get_monotonic_time ();

  g_array_append_val ((GArray *) data, now);
  gtk_widget_queue_draw (widget);
  return G_SOURCE_CONTINUE;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* The intervals between frames of the canvas in microseconds, sorted. The canvas is redrawn continuously for two
 * seconds. */
static GArray *
measure_frames (CapraPanelWindow *window)
{
  GtkWidget *canvas = GTK_WIDGET (capra_panel_window_get_canvas (window));
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint tick = gtk_widget_add_tick_callback (canvas, on_tick, times, NULL);

  shot_rest (2.0);
  gtk_widget_remove_tick_callback (canvas, tick);
  for (guint i = 1; i < times->len; i++)
    {
      gint64 interval = g_array_index (times, gint64, i) - g_array_index (times, gint64, i - 1);

      g_array_append_val (intervals, interval);
    }
  g_array_sort (intervals, compare_times);
  return intervals;
}

static double
get_share (GArray *intervals, double share)
{
  return g_array_index (intervals, gint64, (guint) (share * (intervals->len - 1))) / 1000.0;
}

/* A large image: frames are drawn while a slow filter runs, and the first view comes from a reduced image. */
static void
test_large (void)
{
  CapraPanelWindow *window = open_window ("large.png");
  CapraPreviewStatus status;
  g_autoptr (GArray) before = NULL, during = NULL;

  SHOT_WAIT_FOR (shot_is_complete (window));
  before = measure_frames (window);
  add_step (window, "median blur", "gegl:median-blur");
  during = measure_frames (window);
  g_test_message ("ms between frames, median, 90 %%, longest: idle %.1f, %.1f, %.1f; "
                  "while a slow filter runs %.1f, %.1f, %.1f",
                  get_share (before, 0.5), get_share (before, 0.9), get_share (before, 1), get_share (during, 0.5),
                  get_share (during, 0.9), get_share (during, 1));
  g_assert_cmpuint (during->len, >, 10);
  g_assert_cmpfloat (get_share (during, 0.9), <, 250);
  capra_preview_get_status (capra_panel_window_get_preview (window), &status);
  g_assert_cmpfloat (status.first_ms, >, 0.0);
  shot_close (GTK_WIDGET (window));
}

static void
test_failures (void)
{
  CapraPanelWindow *window = open_window ("image.png");
  g_autoptr (GFile) missing = get_file ("missing.png");
  g_autoptr (GFile) saved = get_file ("saved.png");
  g_autoptr (CapraStep) gone = capra_step_new ("gegl:gone");

  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_document_open (capra_panel_window_get_document (window), missing);
  SHOT_WAIT_FOR (shot_shows (window, "could not be opened"));
  g_assert_nonnull (capra_panel_window_get_preview (window)); /* the previous image remains */

  {
    g_autoptr (GFile) graph = get_file ("graph.xml"), broken = get_file ("broken.xml");
    CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);

    g_assert_true (g_file_replace_contents (broken, "<gegl><geg", 10, NULL, FALSE, 0, NULL, NULL, NULL));
    g_assert_true (
      g_file_replace_contents (graph, "<gegl><gegl:add value='1'/></gegl>", 34, NULL, FALSE, 0, NULL, NULL, NULL));
    capra_document_open (capra_panel_window_get_document (window), graph);
    g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);
    capra_document_open (capra_panel_window_get_document (window), broken);
    g_assert_true (shot_shows (window, "“broken.xml” could not be opened"));
    g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1); /* the steps are unchanged */
    capra_step_model_undo (pipeline);
  }
  capra_step_model_insert (capra_panel_window_get_pipeline (window), gone, -1);
  SHOT_WAIT_FOR (capra_step_get_error (gone) != NULL);
  g_assert_true (shot_shows (window, "Unknown operation"));
  shot_take (GTK_WIDGET (window), "panel-errors");
  capra_step_model_undo (capra_panel_window_get_pipeline (window));

  capra_document_open (capra_panel_window_get_document (window), saved);
  SHOT_WAIT_FOR (shot_shows (window, "contains its steps"));
  {
    GtkWidget *button = shot_find_button (GTK_WIDGET (window), "Apply Steps to This Image");

    g_assert_nonnull (button);
    g_signal_emit_by_name (button, "clicked");
  }
  g_assert_cmpuint (capra_step_model_get_length (capra_panel_window_get_pipeline (window)), ==, 1);
  shot_close (GTK_WIDGET (window));
}

/* The threshold in the histogram is the step's value. */
static void
test_threshold (void)
{
  CapraPanelWindow *window = open_window ("image.png");
  CapraHistogram *histogram;

  add_step (window, "gegl:threshold", "gegl:threshold");
  SHOT_WAIT_FOR (shot_is_complete (window));
  histogram = CAPRA_HISTOGRAM (shot_find (GTK_WIDGET (window), CAPRA_TYPE_HISTOGRAM));
  g_assert_nonnull (histogram);
  SHOT_WAIT_FOR (capra_histogram_get_value (histogram) == 0.5);
  g_signal_emit_by_name (histogram, "value-changed", 0.25);
  g_assert_cmpfloat (get_number (window, "value"), ==, 0.25);
  g_assert_cmpfloat (capra_histogram_get_value (histogram), ==, 0.25);
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "panel-threshold");
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  capra_gegl_start ();
  adw_init ();
  capra_panel_init ();
  folder = g_dir_make_tmp ("capra-panel-XXXXXX", NULL);
  make_file ("image.png", WIDTH, HEIGHT);
  make_file ("large.png", 3000, 2200);
  g_test_add_func ("/panel/path", test_path);
  g_test_add_func ("/panel/zoom", test_zoom);
  g_test_add_func ("/panel/compare", test_compare);
  g_test_add_func ("/panel/large", test_large);
  g_test_add_func ("/panel/failures", test_failures);
  g_test_add_func ("/panel/threshold", test_threshold);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}

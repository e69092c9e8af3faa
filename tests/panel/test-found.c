/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The histogram of the panel: thresholds that methods find, dragging them, the selected step, what is under the
 * pointer. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/preview/histogram-pane.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/sidebar.h"
#include "ui/panel/window/window.h"

#define WIDTH 301
#define HEIGHT 203
#define COUNT (WIDTH * HEIGHT)

/* Dark and light squares with noise: linear gray values. */
static double
get_value (int x, int y)
{
  double noise = fmod (fabs (sin (x * 12.9898 + y * 78.233)) * 43758.5453, 1.0);

  return ((x / 20 + y / 20) % 3 == 0 ? 0.7 : 0.2) + 0.15 * (noise - 0.5);
}

static GeglBuffer *
make_image (const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format (format));
  g_autofree float *values = g_new (float, COUNT);

  for (int i = 0; i < COUNT; i++)
    values[i] = (float) get_value (i % WIDTH, i / WIDTH);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* Otsu's threshold of the values, in double precision: the center of the best of 256 bins over their range. */
static double
find_otsu (void)
{
  double low = INFINITY, high = -INFINITY, sum = 0, best = -1, found = NAN, below = 0, moment = 0;
  double counts[256] = { 0 };

  for (int i = 0; i < COUNT; i++)
    {
      low = fmin (low, (float) get_value (i % WIDTH, i / WIDTH));
      high = fmax (high, (float) get_value (i % WIDTH, i / WIDTH));
    }
  for (int i = 0; i < COUNT; i++)
    {
      double value = (float) get_value (i % WIDTH, i / WIDTH);

      counts[(int) fmin ((value - low) / (high - low) * 256, 255)]++;
    }
  for (int i = 0; i < 256; i++)
    sum += counts[i] * i;
  for (int i = 0; i < 255; i++)
    {
      double variance;

      below += counts[i];
      moment += counts[i] * i;
      variance = below * (COUNT - below) * pow (moment / below - (sum - moment) / (COUNT - below), 2);
      if (below > 0 && below < COUNT && variance > best)
        {
          best = variance;
          found = low + (i + 0.5) * (high - low) / 256;
        }
    }
  return found;
}

static CapraPanelWindow *
open_window (const char *format)
{
  g_autoptr (GeglBuffer) image = make_image (format);

  return shot_open (image, "squares");
}

static CapraHistogram *
find_histogram (CapraPanelWindow *window)
{
  GtkWidget *histogram = shot_find (GTK_WIDGET (window), CAPRA_TYPE_HISTOGRAM);

  g_assert_nonnull (histogram);
  return CAPRA_HISTOGRAM (histogram);
}

static gboolean
shows (CapraHistogram *histogram, const char *method, double value, double tolerance)
{
  g_autofree char *name = NULL;

  g_object_get (histogram, "method", &name, NULL);
  return g_strcmp0 (name, method) == 0 && fabs (capra_histogram_get_value (histogram) - value) <= tolerance;
}

/* The handle stands at the threshold that Otsu's method finds in the whole image; dragging it sets the threshold by
 * hand from there, and undoing that takes one step. */
static void
test_otsu (void)
{
  CapraPanelWindow *window = open_window ("Y float");
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  CapraHistogram *histogram = find_histogram (window);
  CapraStep *step = shot_add_step (window, "capra:threshold");
  double found = find_otsu (), set;
  gpointer drag = shot_find_controller (histogram, GTK_TYPE_GESTURE_DRAG);
  g_autofree char *method = NULL, *back = NULL;

  SHOT_WAIT_FOR (shows (histogram, NULL, 0.5, 0));
  steps_set_text (step, "method", "otsu");
  SHOT_WAIT_FOR (shows (histogram, "Otsu", found, 0.003));
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "found-otsu");

  g_signal_emit_by_name (drag, "drag-begin", 60.0, 20.0);
  for (double dx = 5; dx <= 60; dx += 5)
    {
      g_signal_emit_by_name (drag, "drag-update", dx, 0.0);
      if (dx == 30)
        shot_rest (1.2); /* longer than changes of a slider are merged */
    }
  g_signal_emit_by_name (drag, "end", NULL);
  method = steps_get_text (step, "method");
  g_assert_cmpstr (method, ==, "manual");
  set = capra_histogram_get_value (histogram);
  g_assert_true (shows (histogram, NULL, set, 0));
  g_assert_cmpfloat (fabs (set - found), >, 0.01);
  SHOT_WAIT_FOR (shot_is_complete (window));
  g_assert_true (shows (histogram, NULL, set, 0));

  capra_step_model_undo (pipeline);
  back = steps_get_text (step, "method");
  g_assert_cmpstr (back, ==, "otsu");
  SHOT_WAIT_FOR (shows (histogram, "Otsu", found, 0.003));
  capra_step_model_undo (pipeline);
  SHOT_WAIT_FOR (shows (histogram, NULL, 0.5, 0));
  shot_close (GTK_WIDGET (window));
}

/* Presses a key on the histogram. Returns: whether it moved the handle, which appears with the counts */
static gboolean
press (CapraHistogram *histogram, guint key)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (shot_find_controller (histogram, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key, 0, 0,
                         &handled);
  return handled;
}

/* Keys turn the method to manual, too. */
static void
test_keys (void)
{
  CapraPanelWindow *window = open_window ("Y float");
  CapraHistogram *histogram = find_histogram (window);
  CapraStep *step = shot_add_step (window, "capra:threshold");
  g_autofree char *back = NULL;

  steps_set_text (step, "method", "otsu");
  SHOT_WAIT_FOR (shows (histogram, "Otsu", find_otsu (), 0.003));
  for (int i = 0; i < 3; i++)
    {
      gboolean handled = FALSE;

      SHOT_WAIT_FOR ((handled = handled || press (histogram, GDK_KEY_Right)));
    }
  g_assert_true (shows (histogram, NULL, find_otsu () + 3.0 / 256, 0.003));
  capra_step_model_undo (capra_panel_window_get_pipeline (window));
  back = steps_get_text (step, "method");
  g_assert_cmpstr (back, ==, "otsu");
  shot_close (GTK_WIDGET (window));
}

static char *
get_scale (CapraPanelWindow *window)
{
  char *scale = NULL;

  g_object_get (find_histogram (window), "scale", &scale, NULL);
  return scale;
}

static gboolean
has_scale (CapraPanelWindow *window, const char *expected)
{
  g_autofree char *scale = get_scale (window);

  return g_strcmp0 (scale, expected) == 0;
}

/* The histogram follows the selected step, and names its scale. For steps that label, and those that measure regions
 * after them, it is that of the values in which regions are labeled. */
static void
test_selected (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' float");
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  CapraStep *blur = shot_add_step (window, "capra:gaussian-blur"),
            *threshold = shot_add_step (window, "capra:threshold");
  CapraStep *label = shot_add_step (window, "capra:label"), *measure = shot_add_step (window, "capra:measure");

  SHOT_WAIT_FOR (shot_shows (window, "Before Threshold"));
  g_assert_true (has_scale (window, "linear luminance"));
  steps_set_text (threshold, "perceptual", "true");
  SHOT_WAIT_FOR (has_scale (window, "perceptual (Y')"));
  capra_step_model_select (pipeline, blur);
  SHOT_WAIT_FOR (shot_shows (window, "After Gaussian Blur"));
  g_assert_true (has_scale (window, "perceptual (R'G'B')"));
  g_assert_true (isnan (capra_histogram_get_value (find_histogram (window))));
  capra_step_model_select (pipeline, measure);
  SHOT_WAIT_FOR (shot_shows (window, "Before Label"));
  capra_step_model_select (pipeline, label);
  SHOT_WAIT_FOR (shot_shows (window, "Before Label"));
  capra_step_model_select (pipeline, threshold);
  SHOT_WAIT_FOR (shot_shows (window, "Before Threshold"));
  capra_step_set_enabled (label, FALSE);
  capra_step_model_select (pipeline, measure);
  SHOT_WAIT_FOR (shot_shows (window, "Before Threshold"));
  shot_close (GTK_WIDGET (window));
}

static void
on_outdated (GObject *pane, GParamSpec *property, gpointer data)
{
  gboolean outdated = FALSE, busy = FALSE;

  g_object_get (pane, "outdated", &outdated, "busy", &busy, NULL);
  g_assert_false (!outdated && busy);
}

static gboolean
is_outdated (CapraHistogramPane *pane)
{
  gboolean outdated = FALSE;

  g_object_get (pane, "outdated", &outdated, NULL);
  return outdated;
}

/* From a change until the picture is complete, the histogram is outdated, and then of the picture's state. */
static void
test_outdated (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' float");
  CapraStep *blur = shot_add_step (window, "capra:gaussian-blur");
  CapraHistogramPane *pane = CAPRA_HISTOGRAM_PANE (
    gtk_widget_get_ancestor (GTK_WIDGET (find_histogram (window)), CAPRA_TYPE_HISTOGRAM_PANE));

  g_signal_connect (pane, "notify::outdated", G_CALLBACK (on_outdated), NULL);
  SHOT_WAIT_FOR (!is_outdated (pane) && shot_shows (window, "50 %:"));
  for (int i = 0; i < 3; i++)
    {
      steps_set_text (blur, "std-dev-x", i % 2 ? "1.5" : "9");
      g_assert_true (is_outdated (pane));
      SHOT_WAIT_FOR (!is_outdated (pane));
    }
  g_signal_handlers_disconnect_by_func (pane, on_outdated, NULL);
  shot_close (GTK_WIDGET (window));
}

/* Value, count and shares under the pointer are those of the pixels; so are the percentiles. */
static void
test_pointer (void)
{
  CapraPanelWindow *window = open_window ("Y float");
  CapraHistogram *histogram = find_histogram (window);
  gpointer motion = shot_find_controller (histogram, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  double x = 8 + 0.25 * (gtk_widget_get_width (GTK_WIDGET (histogram)) - 16), value = 0, count = 0, share, below;
  g_autofree char *text = NULL;
  int expected = 0, less = 0;

  SHOT_WAIT_FOR (shot_shows (window, "50 %:"));
  g_signal_emit_by_name (motion, "motion", x, 20.0);
  g_object_get (histogram, "pointer-text", &text, NULL);
  g_assert_cmpint (sscanf (text, "%lf: %lf (%lf %%), below %lf %%", &value, &count, &share, &below), ==, 4);
  g_assert_cmpfloat_with_epsilon (value, 0.25, 1.0 / 256);
  for (int i = 0; i < COUNT; i++)
    {
      int bin = (int) ((float) get_value (i % WIDTH, i / WIDTH) * 256);

      expected += bin == (int) (value * 256);
      less += bin < (int) (value * 256);
    }
  g_assert_cmpint (expected, >, 100);
  g_assert_cmpfloat (count, ==, expected);
  g_assert_cmpfloat_with_epsilon (share, 100.0 * expected / COUNT, 0.1);
  g_assert_cmpfloat_with_epsilon (below, 100.0 * less / COUNT, 0.1);
  g_assert_true (shot_shows (window, text));
  g_signal_emit_by_name (motion, "leave");
  g_assert_true (shot_shows (window, "50 %:"));
  shot_close (GTK_WIDGET (window));
}

/* Heights and channels, by the actions of the menu. */
static void
test_menu (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' float");
  CapraHistogram *histogram = find_histogram (window);
  GtkWidget *pane = shot_find (GTK_WIDGET (window), CAPRA_TYPE_HISTOGRAM_PANE);
  gboolean logarithmic = FALSE;
  int channel = 0;

  SHOT_WAIT_FOR (shot_shows (window, "50 %:"));
  g_assert_true (gtk_widget_activate_action (pane, "histogram.heights", "s", "logarithmic"));
  g_assert_true (gtk_widget_activate_action (pane, "histogram.channel", "s", "green"));
  g_object_get (histogram, "logarithmic", &logarithmic, "channel", &channel, NULL);
  g_assert_true (logarithmic);
  g_assert_cmpint (channel, ==, 1);
  g_assert_true (shot_shows (window, "99 %:"));
  shot_take (GTK_WIDGET (window), "found-logarithmic");
  shot_close (GTK_WIDGET (window));
}

/* When the settings change, also in another program, picture, histogram and numbers are computed again. */
static void
test_settings (void)
{
  const GPtrArray *devices = capra_device_list (NULL);
  CapraPanelWindow *window = open_window ("Y float");
  CapraHistogram *histogram = find_histogram (window);
  CapraStep *step = shot_add_step (window, "capra:threshold");
  CapraDevice *other = devices->len > 1 ? devices->pdata[1] : NULL;
  guint64 before = 0, after = 0, rendered = 0;

  g_assert_nonnull (other);
  steps_set_text (step, "method", "otsu");
  SHOT_WAIT_FOR (shows (histogram, "Otsu", find_otsu (), 0.003));
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (1.0);
  capra_timeline_total (other, NULL, &before, NULL);
  capra_sidebar_set_page (CAPRA_SIDEBAR (shot_find (GTK_WIDGET (window), CAPRA_TYPE_SIDEBAR)), "devices");
  g_assert_true (capra_settings_set ("device", capra_device_get_info (other)->id, NULL));
  SHOT_WAIT_FOR (shot_shows (window, "Your default: "));
  SHOT_WAIT_FOR ((capra_timeline_total (other, "upload", &after, NULL), after > before && shot_is_complete (window)));
  {
    g_autoptr (CapraTimelineScope) scope = capra_preview_get_scope (capra_panel_window_get_preview (window));
    g_autoptr (GArray) records = capra_timeline_scope_records (scope);

    for (guint i = 0; i < records->len; i++)
      g_assert_true (g_array_index (records, CapraRecord, i).device == other);
    rendered = records->len;
  }
  g_assert_cmpuint (rendered, >, 0);
  SHOT_WAIT_FOR (shows (histogram, "Otsu", find_otsu (), 0.003));
  g_assert_true (capra_settings_set ("device", NULL, NULL));
  shot_rest (0.5);
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = shot_init (&argc, &argv, "found");
  int status;

  g_test_add_func ("/found/otsu", test_otsu);
  g_test_add_func ("/found/keys", test_keys);
  g_test_add_func ("/found/selected", test_selected);
  g_test_add_func ("/found/outdated", test_outdated);
  g_test_add_func ("/found/pointer", test_pointer);
  g_test_add_func ("/found/menu", test_menu);
  g_test_add_func ("/found/settings", test_settings);
  status = g_test_run ();
  shot_remove (folder);
  return status;
}

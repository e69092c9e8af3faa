/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel says of steps that label and measure regions and lack something, and the buttons that help. */
#include <gegl.h>
#include <string.h>

#include "capra.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/steps/remedy-row.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/write/save.h"

#define WIDTH 301
#define HEIGHT 203

/* Light squares between dark ones. */
static GeglBuffer *
make_image (const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format (format));
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (i % WIDTH / 20 + i / WIDTH / 20) % 3 == 0 ? 0.7f : 0.2f;
  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static CapraPanelWindow *
open_window (const char *format)
{
  g_autoptr (GeglBuffer) image = make_image (format);

  return shot_open (image, "squares");
}

static GtkWidget *
find_row (CapraPanelWindow *window, CapraStep *step)
{
  GtkWidget *row = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_ROW);

  while (capra_step_row_get_step (CAPRA_STEP_ROW (row)) != step)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Saving fails with the words of the row of the step. */
static void
assert_refused (CapraPanelWindow *window)
{
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (GeglBuffer) image = steps_make_image (40, 30, "R'G'B' u8");
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (pipeline);
  g_autoptr (GFile) file = g_file_new_for_path ("/tmp/capra-refused.png");
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  g_assert_false (capra_save (file, image, steps, 8, NULL, NULL, &error));
  message = capra_remedy_row_describe_failure (pipeline, error);
  g_assert_nonnull (strstr (message, "“Measure Regions (Capra)”: "));
  g_assert_nonnull (strstr (message, "Move this step before it."));
}

/* Whether the header of the row has the focus, and not one of the rows below. */
static gboolean
has_header_focus (CapraPanelWindow *window, CapraStep *step)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window)), *row = find_row (window, step);

  return focus && gtk_widget_is_ancestor (focus, row) && !gtk_widget_get_ancestor (focus, CAPRA_TYPE_PROPERTY_ROW)
         && !gtk_widget_get_ancestor (focus, CAPRA_TYPE_REMEDY_ROW);
}

/* Label, then measure: works whatever is rendered. Where a step between them spoils the colors, the message names the
 * steps as people see them, and a button moves the step. */
static void
test_measure (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' u8");
  CapraStep *threshold = shot_add_step (window, "capra:threshold"), *label = shot_add_step (window, "capra:label");
  g_autoptr (CapraStep) levels = capra_step_new ("gegl:invert-gamma");
  CapraStep *measure = shot_add_step (window, "capra:measure");
  GtkWidget *button = NULL;
  double count = 0, labels = 0;

  steps_set_text (threshold, "method", "otsu");
  SHOT_WAIT_FOR (shot_is_complete (window) && capra_step_get_result (measure, "count", &count));
  g_assert_null (capra_step_get_error (measure));
  g_assert_true (capra_step_get_result (label, "count", &labels));
  g_assert_cmpfloat (count, ==, labels);
  g_assert_cmpfloat (count, >, 0);

  capra_step_model_insert (capra_panel_window_get_pipeline (window), levels, 2);
  SHOT_WAIT_FOR (capra_step_get_error (measure) != NULL);
  SHOT_WAIT_FOR (shot_shows (window, "has changed the regions of “Label Regions (Capra)”"));
  g_assert_null (shot_find_label (GTK_WIDGET (window), "rendering="));
  assert_refused (window);
  button = shot_find_button (find_row (window, measure), "_Move Behind Labels");
  g_assert_nonnull (button);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (button));
  shot_take (GTK_WIDGET (window), "remedy-move");
  gtk_widget_grab_focus (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (capra_step_model_get_step (capra_panel_window_get_pipeline (window), 2) == measure);
  g_assert_true (has_header_focus (window, measure));
  SHOT_WAIT_FOR (shot_is_complete (window) && capra_step_get_error (measure) == NULL);
  g_assert_true (capra_step_get_result (measure, "count", &count));
  g_assert_cmpfloat (count, ==, labels);
  shot_close (GTK_WIDGET (window));
}

/* Whether the row of the step shows the button that adds a threshold. */
static gboolean
hints (CapraPanelWindow *window, CapraStep *label)
{
  GtkWidget *button = shot_find_button (find_row (window, label), "Add _Threshold");

  return button && gtk_widget_get_mapped (button);
}

/* A label step without a threshold before it finds one region, says why, and adds the threshold. */
static void
test_threshold (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' u8");
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  CapraStep *label = shot_add_step (window, "capra:label"), *threshold = NULL;
  g_autofree char *method = NULL;
  double count = 0;

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (find_row (window, label)), TRUE);
  SHOT_WAIT_FOR (hints (window, label));
  g_assert_true (capra_step_get_result (label, "count", &count));
  g_assert_cmpfloat (count, ==, 1);
  g_assert_true (shot_shows (window, "Every pixel above 0 is part of one region"));
  shot_take (GTK_WIDGET (window), "remedy-threshold");
  g_signal_emit_by_name (shot_find_button (find_row (window, label), "Add _Threshold"), "clicked");
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 2);
  threshold = capra_step_model_get_step (pipeline, 0);
  g_assert_cmpstr (capra_step_get_operation (threshold), ==, "capra:threshold");
  method = steps_get_text (threshold, "method");
  g_assert_cmpstr (method, ==, "otsu");
  SHOT_WAIT_FOR (!hints (window, label));
  SHOT_WAIT_FOR (capra_step_get_result (label, "count", &count) && count > 1);
  capra_step_model_undo (pipeline); /* adding it was one change */
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);
  SHOT_WAIT_FOR (hints (window, label));
  capra_step_model_redo (pipeline);
  threshold = capra_step_model_get_step (pipeline, 0);
  SHOT_WAIT_FOR (!hints (window, label));

  capra_step_set_enabled (threshold, FALSE);
  SHOT_WAIT_FOR (hints (window, label));
  capra_step_set_enabled (threshold, TRUE);
  SHOT_WAIT_FOR (!hints (window, label));
  shot_close (GTK_WIDGET (window));
}

/* Whether the row of the step shows the button that lets labels be rendered as numbers. */
static gboolean
offers_numbers (CapraPanelWindow *window, CapraStep *step)
{
  GtkWidget *button = shot_find_button (find_row (window, step), "Render as _Numbers");

  return button && gtk_widget_get_mapped (button);
}

static double
get_largest (CapraStep *statistics)
{
  double value = -1;

  return capra_step_get_result (statistics, "max", &value) ? value : -1;
}

/* Statistics behind labels are those of the numbers, or the row says that they are of colors, and a button helps. */
static void
test_statistics (void)
{
  CapraPanelWindow *window = open_window ("R'G'B' u8");
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  CapraStep *threshold = shot_add_step (window, "capra:threshold"), *label = shot_add_step (window, "capra:label");
  CapraStep *measure = shot_add_step (window, "capra:measure"); /* changes no labels */
  CapraStep *statistics = shot_add_step (window, "capra:statistics");
  g_autoptr (CapraStep) blur = capra_step_new ("gegl:invert-gamma");
  g_autofree char *rendering = NULL;
  double labels = 0;

  steps_set_text (threshold, "method", "otsu");
  capra_step_set_name (label, "Cells & more");
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (find_row (window, statistics)), TRUE);
  SHOT_WAIT_FOR (shot_is_complete (window) && capra_step_get_result (label, "count", &labels) && labels > 1
                 && get_largest (statistics) > 0);
  g_assert_cmpfloat (get_largest (statistics), <=, 1); /* of colors */
  SHOT_WAIT_FOR (offers_numbers (window, statistics));
  g_assert_true (shot_shows (window, "“Cells & more” renders colors"));
  g_assert_false (offers_numbers (window, measure));
  shot_take (GTK_WIDGET (window), "remedy-numbers");

  /* Not where the user has let another step change the colors, which is then what is counted. */
  capra_step_model_insert (pipeline, blur, 2);
  SHOT_WAIT_FOR (!offers_numbers (window, statistics));
  capra_step_set_enabled (blur, FALSE);
  SHOT_WAIT_FOR (offers_numbers (window, statistics));
  capra_step_set_enabled (label, FALSE);
  SHOT_WAIT_FOR (!offers_numbers (window, statistics));
  capra_step_set_enabled (label, TRUE);
  SHOT_WAIT_FOR (offers_numbers (window, statistics));

  gtk_widget_grab_focus (shot_find_button (find_row (window, statistics), "Render as _Numbers"));
  g_signal_emit_by_name (shot_find_button (find_row (window, statistics), "Render as _Numbers"), "clicked");
  g_assert_true (has_header_focus (window, statistics));
  rendering = steps_get_text (label, "rendering");
  g_assert_cmpstr (rendering, ==, "numbers");
  SHOT_WAIT_FOR (!offers_numbers (window, statistics));
  SHOT_WAIT_FOR (get_largest (statistics) == labels);
  capra_step_model_undo (pipeline);
  SHOT_WAIT_FOR (offers_numbers (window, statistics));
  shot_close (GTK_WIDGET (window));
}

/* With the numbers of a file, regions are rendered as numbers unasked. */
static void
test_raw_values (void)
{
  CapraPanelWindow *window = open_window ("Y float");
  CapraStep *label = shot_add_step (window, "capra:label"), *statistics = shot_add_step (window, "capra:statistics");
  GtkWidget *row = find_row (window, statistics);

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  SHOT_WAIT_FOR (offers_numbers (window, statistics));
  capra_step_model_set_raw_values (capra_panel_window_get_pipeline (window), TRUE);
  SHOT_WAIT_FOR (!offers_numbers (window, statistics));
  steps_set_text (label, "rendering", "colors");
  SHOT_WAIT_FOR (offers_numbers (window, statistics));
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = shot_init (&argc, &argv, "remedy");
  int status;

  g_test_add_func ("/remedy/measure", test_measure);
  g_test_add_func ("/remedy/threshold", test_threshold);
  g_test_add_func ("/remedy/statistics", test_statistics);
  g_test_add_func ("/remedy/raw-values", test_raw_values);
  status = g_test_run ();
  shot_remove (folder);
  return status;
}

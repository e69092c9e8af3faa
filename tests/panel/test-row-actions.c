/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of steps: linked sizes, moving, duplicating, renaming and removing, the thumbnails of results, and the memory
 * that steps need. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/panel/monitor/forecast-row.h"
#include "ui/panel/preview/thumbnails.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/application.h"
#include "ui/pipeline/steps/size-pair.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define MANY 20 /* steps, of which some are out of sight */

static GtkWidget *window;

static GtkWidget *
open_list (CapraStepModel *pipeline)
{
  GtkWidget *list = capra_step_list_new (pipeline);

  window = shot_window (list, 360, 700);
  return list;
}

static CapraStepRow *
get_row (GtkWidget *list, guint position)
{
  return CAPRA_STEP_ROW (capra_step_list_get_row (CAPRA_STEP_LIST (list), position));
}

static void
add_step (CapraStepModel *pipeline, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  capra_step_model_insert (pipeline, step, -1);
}

static GtkWidget *
get_control (CapraStepRow *row, const char *property)
{
  CapraPropertyRow *found = capra_step_row_find_property (row, property);

  g_assert_nonnull (found);
  return capra_editor_get_control (capra_property_row_get_editor (found));
}

static double
get_number (CapraStepRow *row, const char *property)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (get_control (row, property)));
}

static void
set_number (CapraStepRow *row, const char *property, double number)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_control (row, property)), number);
}

static double
get_value (CapraStep *step, const char *name)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), name);
  g_auto (GValue) value = G_VALUE_INIT;

  capra_step_get (step, property, &value);
  return g_value_get_double (&value);
}

/* Equal sizes are linked: both change as one entry of the history. */
static void
test_link (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  GtkWidget *list = open_list (pipeline), *button = NULL;
  CapraStepRow *row = NULL;

  add_step (pipeline, "gegl:gaussian-blur");
  row = get_row (list, 0);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  button = shot_find_icon (GTK_WIDGET (capra_step_row_find_property (row, "std-dev-x")), "capra-linked-symbolic");
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));

  set_number (row, "std-dev-x", 7.0);
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 7.0);
  g_assert_cmpfloat (get_value (capra_step_row_get_step (row), "std-dev-y"), ==, 7.0);
  set_number (row, "std-dev-y", 9.0);
  g_assert_cmpfloat (get_number (row, "std-dev-x"), ==, 9.0);
  capra_step_model_undo (pipeline);
  g_assert_cmpfloat (get_number (row, "std-dev-x"), ==, 7.0);
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 7.0);
  capra_step_model_undo (pipeline);
  g_assert_cmpfloat (get_number (row, "std-dev-x"), ==, 1.5);
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 1.5);
  capra_step_model_redo (pipeline);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  set_number (row, "std-dev-x", 3.0);
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 7.0);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE); /* the second one takes the first one's value */
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 3.0);
  capra_step_model_undo (pipeline); /* sizes that differ again are not linked */
  g_assert_cmpfloat (get_number (row, "std-dev-y"), ==, 7.0);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  shot_rest (0.5);
  shot_take (window, "linked");
  shot_close (window);
}

/* Only sizes are linked: a property that may be negative is an offset, and one on its own has no other. */
static void
test_partners (void)
{
  GParamSpec *x = capra_operation_find_property ("gegl:gaussian-blur", "std-dev-x");
  GParamSpec *y = capra_operation_find_property ("gegl:gaussian-blur", "std-dev-y");
  GParamSpec *offset = capra_operation_find_property ("gegl:translate", "x");

  g_assert_true (capra_operation_find_other_size ("gegl:gaussian-blur", x) == y);
  g_assert_true (capra_operation_find_other_size ("gegl:gaussian-blur", y) == x);
  g_assert_null (capra_operation_find_other_size ("gegl:gaussian-blur",
                                                  capra_operation_find_property ("gegl:gaussian-blur", "filter")));
  g_assert_nonnull (offset);
  g_assert_null (capra_operation_find_other_size ("gegl:translate", offset));
}

static void
assert_operations (CapraStepModel *pipeline, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < capra_step_model_get_length (pipeline); i++)
    g_string_append_printf (names, "%s%s", i ? " " : "",
                            capra_step_get_operation (capra_step_model_get_step (pipeline, i)));
  g_assert_cmpstr (names->str, ==, expected);
}

static gboolean
has_focus (GtkWidget *row)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus && (focus == row || gtk_widget_is_ancestor (focus, row));
}

/* The row that was moved keeps its focus and stays expanded. */
static void
test_move (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  GtkWidget *list = open_list (pipeline);

  add_step (pipeline, "gegl:gaussian-blur");
  add_step (pipeline, "gegl:box-blur");
  add_step (pipeline, "gegl:invert-linear");
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, 1)), TRUE);
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 1)), "step.up", NULL);
  assert_operations (pipeline, "gegl:box-blur gegl:gaussian-blur gegl:invert-linear");
  g_assert_true (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (get_row (list, 0))));
  g_assert_true (has_focus (GTK_WIDGET (get_row (list, 0))));
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 0)), "step.up", NULL); /* the first one stays */
  assert_operations (pipeline, "gegl:box-blur gegl:gaussian-blur gegl:invert-linear");
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 0)), "step.down", NULL);
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 1)), "step.duplicate", NULL);
  assert_operations (pipeline, "gegl:gaussian-blur gegl:box-blur gegl:box-blur gegl:invert-linear");
  g_assert_true (has_focus (GTK_WIDGET (get_row (list, 2))));
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 3)), "step.remove", NULL);
  assert_operations (pipeline, "gegl:gaussian-blur gegl:box-blur gegl:box-blur");
  g_assert_true (has_focus (GTK_WIDGET (get_row (list, 2))));
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 0)), "step.remove", NULL);
  g_assert_true (has_focus (GTK_WIDGET (get_row (list, 0))));
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 0)), "step.remove", NULL);
  gtk_widget_activate_action (GTK_WIDGET (get_row (list, 0)), "step.remove", NULL);
  assert_operations (pipeline, "");
  capra_step_model_undo (pipeline);
  assert_operations (pipeline, "gegl:box-blur");
  shot_close (window);
}

/* The top and the bottom of the row, as shares of the height of what is seen of the list. */
static void
get_place (GtkWidget *list, guint position, double *top, double *bottom)
{
  GtkWidget *row = GTK_WIDGET (get_row (list, position)), *scroller = NULL;

  scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  g_assert_true (gtk_widget_translate_coordinates (row, scroller, 0, 0, NULL, top));
  *bottom = (*top + gtk_widget_get_height (row)) / gtk_widget_get_height (scroller);
  *top /= gtk_widget_get_height (scroller);
}

static GtkAdjustment *
get_scroll (GtkWidget *list)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (get_row (list, 0)), GTK_TYPE_SCROLLED_WINDOW);

  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
}

static gboolean
is_seen (GtkWidget *list, guint position)
{
  double top, bottom;

  get_place (list, position, &top, &bottom);
  return top >= 0 && bottom <= 1;
}

/* Expands a row, and waits until its height and its place no longer change. */
static void
expand (GtkWidget *list, guint position)
{
  double top, bottom, old_top = NAN, old_bottom = NAN;

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, position)), TRUE);
  for (guint same = 0; same < 2;)
    {
      shot_rest (0.4);
      get_place (list, position, &top, &bottom);
      same = top == old_top && bottom == old_bottom ? same + 1 : 0;
      old_top = top;
      old_bottom = bottom;
    }
}

/* A row that the user expands is scrolled into sight, with what fits of its properties. One that is expanded since its
 * step fails, while the user works on another, does not move the list. */
static void
test_expand (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  GtkWidget *list = open_list (pipeline);
  guint last = 0;
  double top, bottom;
  int height = 0;

  for (guint i = 0; i <= MANY; i++)
    add_step (pipeline, "gegl:gaussian-blur");
  SHOT_WAIT_FOR (!is_seen (list, MANY)); /* they have places */
  while (is_seen (list, last + 1))
    last++;
  g_assert_cmpuint (last, <, MANY);
  gtk_widget_child_focus (GTK_WIDGET (get_row (list, 0)), GTK_DIR_TAB_FORWARD);
  g_assert_true (has_focus (GTK_WIDGET (get_row (list, 0))));
  expand (list, last);
  g_assert_false (is_seen (list, last));
  g_assert_true (is_seen (list, 0));

  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, last)), FALSE);
  shot_rest (0.4);
  gtk_widget_child_focus (GTK_WIDGET (get_row (list, last)), GTK_DIR_TAB_FORWARD);
  expand (list, last);
  g_assert_true (is_seen (list, last));
  shot_take (window, "expanded-row");

  /* The user, who scrolls meanwhile, decides. */
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, last)), FALSE);
  shot_rest (0.4);
  height = gtk_widget_get_height (GTK_WIDGET (get_row (list, last)));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, last)), TRUE);
  SHOT_WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (get_row (list, last))) > height);
  gtk_adjustment_set_value (get_scroll (list), 0);
  shot_rest (0.6);
  g_assert_cmpfloat (gtk_adjustment_get_value (get_scroll (list)), ==, 0);

  gtk_window_set_default_size (GTK_WINDOW (window), 360, 300);
  SHOT_WAIT_FOR (gtk_widget_get_height (window) <= 300);
  gtk_widget_child_focus (GTK_WIDGET (get_row (list, MANY)), GTK_DIR_TAB_FORWARD);
  expand (list, MANY);
  get_place (list, MANY, &top, &bottom);
  g_assert_cmpfloat (top, >=, 0);
  g_assert_cmpfloat (top, <, 0.2);
  g_assert_cmpfloat (bottom, >, 1);
  shot_close (window);
}

/* A name is shown, kept by XML also for disabled steps, and undone. */
static void
test_rename (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  GtkWidget *list = open_list (pipeline), *entry = NULL;
  CapraStepRow *row = NULL;
  g_autoptr (GPtrArray) steps = NULL, read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *xml = NULL;
  int start = 0, end = 0;

  add_step (pipeline, "gegl:gaussian-blur");
  add_step (pipeline, "gegl:box-blur");
  row = get_row (list, 0);
  gtk_widget_activate_action (GTK_WIDGET (row), "step.rename", NULL);
  entry = shot_find (GTK_WIDGET (row), GTK_TYPE_ENTRY);
  g_assert_nonnull (entry);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (entry));
  g_assert_true (gtk_editable_get_selection_bounds (GTK_EDITABLE (entry), &start, &end));
  g_assert_cmpint (start, ==, 0);
  g_assert_cmpint (end, ==, g_utf8_strlen (gtk_editable_get_text (GTK_EDITABLE (entry)), -1));
  gtk_editable_set_text (GTK_EDITABLE (entry), "Remove <noise> & ?> more");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==,
                   "Remove &lt;noise&gt; &amp; ?&gt; more");
  g_assert_nonnull (strstr (adw_expander_row_get_subtitle (ADW_EXPANDER_ROW (row)), "Gaussian"));
  SHOT_WAIT_FOR (!gtk_widget_get_mapped (entry));
  capra_step_set_name (capra_step_model_get_step (pipeline, 1), "Größe\n2");
  capra_step_set_enabled (capra_step_model_get_step (pipeline, 1), FALSE);

  steps = capra_step_model_snapshot (pipeline);
  xml = capra_steps_to_xml (steps);
  read = capra_steps_from_xml (xml, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (read->len, ==, 2);
  g_assert_cmpstr (capra_step_get_name (read->pdata[0]), ==, "Remove <noise> & ? > more");
  g_assert_cmpstr (capra_step_get_name (read->pdata[1]), ==, "Größe 2");
  g_assert_false (capra_step_get_enabled (read->pdata[1]));

  capra_step_set_name (capra_step_row_get_step (row), NULL);
  g_assert_nonnull (strstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), "Gaussian"));
  capra_step_model_undo (pipeline);
  g_assert_nonnull (strstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), "noise"));
  shot_close (window);
}

static GeglBuffer *
make_image (void)
{
  const GeglRectangle extent = { 0, 0, 400, 300 };
  GeglBuffer *buffer = gegl_buffer_new (&extent, babl_format ("R'G'B' u8"));
  g_autofree guint8 *pixels = g_malloc (400 * 300 * 3);

  for (int i = 0; i < 400 * 300; i++)
    memset (pixels + 3 * i, i % 400 < 200 ? 40 : 220, 3);
  gegl_buffer_set (buffer, &extent, 0, NULL, pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* Red of the leftmost pixel in the middle row. */
static guint8
get_left (GdkPaintable *picture)
{
  int width = gdk_paintable_get_intrinsic_width (picture), height = gdk_paintable_get_intrinsic_height (picture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * (gsize) height);

  gdk_texture_download (GDK_TEXTURE (picture), (guchar *) pixels, (gsize) width * 4);
  return (guint8) (pixels[height / 2 * width] >> 16);
}

static void
count_update (guint *updates)
{
  (*updates)++;
}

/* Each step has a picture of its own result, not before the preview is at rest, and none while it is disabled. */
static void
test_thumbnails (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraThumbnails) thumbnails = capra_thumbnails_new (pipeline);
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);
  GtkWidget *list = open_list (pipeline);
  CapraStep *first, *second;
  guint updates = 0;

  capra_step_list_set_thumbnails (CAPRA_STEP_LIST (list), thumbnails);
  g_signal_connect_swapped (thumbnails, "updated", G_CALLBACK (count_update), &updates);
  g_object_set (thumbnails, "busy", TRUE, NULL);
  capra_thumbnails_set_image (thumbnails, pyramid);
  add_step (pipeline, "gegl:box-blur");
  add_step (pipeline, "gegl:invert-gamma");
  first = capra_step_model_get_step (pipeline, 0);
  second = capra_step_model_get_step (pipeline, 1);
  updates = 0;
  shot_rest (1.0);
  g_assert_cmpuint (updates, ==, 0); /* the preview is busy */
  g_object_set (thumbnails, "busy", FALSE, NULL);
  SHOT_WAIT_FOR (updates > 0);
  g_assert_cmpint (gdk_paintable_get_intrinsic_width (capra_thumbnails_get (thumbnails, capra_step_get_id (first))), <=,
                   320);
  g_assert_cmpint (get_left (capra_thumbnails_get (thumbnails, capra_step_get_id (first))), ==, 40);
  g_assert_cmpint (get_left (capra_thumbnails_get (thumbnails, capra_step_get_id (second))), ==, 215);
  shot_take (window, "thumbnails");

  updates = 0;
  capra_step_set_enabled (first, FALSE);
  SHOT_WAIT_FOR (updates > 0);
  g_assert_null (capra_thumbnails_get (thumbnails, capra_step_get_id (first)));
  g_assert_nonnull (capra_thumbnails_get (thumbnails, capra_step_get_id (second)));
  capra_thumbnails_set_image (thumbnails, NULL);
  g_assert_null (capra_thumbnails_get (thumbnails, capra_step_get_id (second)));
  shot_close (window);
}

/* No limit is shown as ∞, and can be entered so. */
static void
test_unlimited (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  GtkWidget *list = open_list (pipeline);
  GtkWidget *size = NULL;

  add_step (pipeline, "capra:label");
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (get_row (list, 0)), TRUE);
  size = get_control (get_row (list, 0), "max-size");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "∞");
  gtk_editable_set_text (GTK_EDITABLE (size), "250");
  gtk_spin_button_update (GTK_SPIN_BUTTON (size));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (size)), ==, 250.0);
  gtk_editable_set_text (GTK_EDITABLE (size), "∞");
  gtk_spin_button_update (GTK_SPIN_BUTTON (size));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (size)), ==, 0.0);
  gtk_editable_set_text (GTK_EDITABLE (size), "12345678");
  gtk_spin_button_update (GTK_SPIN_BUTTON (size));
  gtk_spin_button_update (GTK_SPIN_BUTTON (size)); /* the shown text has fewer digits */
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (size)), ==, 12345678.0);
  shot_close (window);
}

/* The Memory page says what the steps need, and how large images may be; after each change of the steps or the budget.
 */
static void
test_forecast (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 200, 100), babl_format ("Y float"));
  g_autoptr (CapraPyramid) pyramid = capra_pyramid_new (image);
  GtkWidget *row = capra_forecast_row_new (pipeline);
  CapraDevice *device = capra_device_select (NULL, NULL);

  window = shot_window (row, 360, 200);
  add_step (pipeline, "gegl:nop");
  capra_forecast_row_set_image (CAPRA_FORECAST_ROW (row), pyramid);
  SHOT_WAIT_FOR (shot_find_label (row, "needs no memory of a device"));
  add_step (pipeline, "capra:box-blur"); /* three images of floats, and 5 % */
  SHOT_WAIT_FOR (shot_find_label (row, "needs 246.1"));
  capra_memory_set_budget (device, 65536);
  capra_forecast_row_refresh (CAPRA_FORECAST_ROW (row));
  SHOT_WAIT_FOR (shot_find_label (row, "computed in bands. Images of up to 100 × 50 pixels"));
  capra_memory_set_budget (device, 0);
  shot_close (window);
}

/* A message about a value out of range says what the range is. */
static void
test_range (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_steps_from_command ("gegl:gaussian-blur std-dev-x=-1", &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "from 0 to 1500"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/row-actions/link", test_link);
  g_test_add_func ("/row-actions/partners", test_partners);
  g_test_add_func ("/row-actions/move", test_move);
  g_test_add_func ("/row-actions/expand", test_expand);
  g_test_add_func ("/row-actions/rename", test_rename);
  g_test_add_func ("/row-actions/thumbnails", test_thumbnails);
  if (gegl_has_operation ("capra:label"))
    {
      g_test_add_func ("/row-actions/unlimited", test_unlimited);
      g_test_add_func ("/row-actions/forecast", test_forecast);
    }
  g_test_add_func ("/row-actions/range", test_range);
  return g_test_run ();
}

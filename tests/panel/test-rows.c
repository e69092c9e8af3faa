/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of steps: an editor for every property of every operation, conditions, curves. */
#include <gegl.h>

#include "ui/panel/window/application.h"
#include "ui/panel/widgets/curve-view.h"
#include "ui/panel/steps/step-model.h"
#include "ui/panel/steps/property-row.h"
#include "tests/panel/shot.h"
#include "ui/panel/steps/step-row.h"
#include "ui/pipeline/text/value-text.h"

/* Every property of every operation has a row, and displaying it does not change the value. */
static void
test_every_operation (void)
{
  g_autofree char **names = gegl_list_operations (NULL);
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  guint shown = 0;

  for (guint i = 0; names[i]; i++)
    {
      g_autoptr (CapraStep) step = capra_step_new (names[i]);
      guint count;
      g_autofree GParamSpec **list = capra_operation_get_properties (names[i], &count);
      GtkWidget *row = g_object_ref_sink (capra_step_row_new (pipeline, step));

      adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
      for (guint j = 0; j < count; j++, shown++)
        {
          CapraPropertyRow *property = capra_step_row_find_property (CAPRA_STEP_ROW (row), list[j]->name);

          g_assert_nonnull (property);
          if (!capra_step_is_default (step, list[j]))
            g_test_message ("%s changes %s by being shown", names[i], list[j]->name);
          g_assert_true (capra_step_is_default (step, list[j]));
        }
      g_object_unref (row);
    }
  g_test_message ("%u properties", shown);
  g_assert_cmpuint (shown, >, 300);
}

static GtkWidget *
find_row (CapraStepRow *row, const char *property)
{
  return GTK_WIDGET (capra_step_row_find_property (row, property));
}

static CapraStepRow *
open_row (CapraStepModel *pipeline, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);
  GtkWidget *row = NULL;

  capra_step_model_insert (pipeline, step, -1);
  row = g_object_ref_sink (capra_step_row_new (pipeline, step));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  return CAPRA_STEP_ROW (row);
}

/* Dragging a point of a curve sets the step's value, and can be undone. */
static void
test_curve (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStepRow) row = open_row (pipeline, "gegl:contrast-curve");
  GtkWidget *entry = capra_editor_get_control (
    capra_property_row_get_editor (capra_step_row_find_property (row, "curve")));
  CapraCurveView *view = CAPRA_CURVE_VIEW (shot_find (GTK_WIDGET (row), CAPRA_TYPE_CURVE_VIEW));

  capra_curve_view_move (view, -1, 0.5, 0.75);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0 0.5,0.75 1,1");
  capra_curve_view_move (view, 1, 2.0, 0.25); /* clamped between its neighbors */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0 0.999,0.25 1,1");
  capra_curve_view_remove (view, 1);
  capra_curve_view_remove (view, 1); /* the last two cannot be removed */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0 1,1");
  gtk_editable_set_text (GTK_EDITABLE (entry), "0,1 1,0");
  g_signal_emit_by_name (entry, "activate");
  capra_curve_view_move (view, 0, 0.0, 0.5); /* the view shows the points of the text */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0.5 1,0");

  capra_step_model_undo (pipeline); /* changes less than a second apart are one entry */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0 1,1");
  capra_step_model_redo (pipeline);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "0,0.5 1,0");
}

/* The value is hidden if the method computes the threshold. */
static void
test_use (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStepRow) row = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *method = NULL;

  if (!gegl_has_operation ("capra:threshold"))
    {
      g_test_skip ("the module is not built");
      return;
    }
  row = open_row (pipeline, "capra:threshold");
  method = capra_operation_find_property ("capra:threshold", "method");
  g_assert_true (gtk_widget_get_visible (find_row (row, "value")));
  g_assert_true (capra_value_from_text (method, "otsu", &value, NULL));
  capra_step_set (capra_step_row_get_step (row), method, &value);
  g_assert_false (gtk_widget_get_visible (find_row (row, "value")));
  capra_step_reset (capra_step_row_get_step (row), method);
  g_assert_true (gtk_widget_get_visible (find_row (row, "value")));
}

/* The maximum is displayed as ∞ and can be entered so. */
static void
test_endless (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStepRow) row = NULL;
  GtkWidget *property = NULL, *entry = NULL;

  if (!gegl_has_operation ("capra:threshold"))
    {
      g_test_skip ("the module is not built");
      return;
    }
  row = open_row (pipeline, "capra:threshold");
  property = find_row (row, "high");
  entry = shot_find (property, GTK_TYPE_SPIN_BUTTON);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "∞");
  gtk_editable_set_text (GTK_EDITABLE (entry), "0.5");
  gtk_spin_button_update (GTK_SPIN_BUTTON (entry));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), ==, 0.5);
  gtk_editable_set_text (GTK_EDITABLE (entry), "∞");
  gtk_spin_button_update (GTK_SPIN_BUTTON (entry));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "∞");
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), >=, 1e9);
}

static CapraEditor *
get_editor (CapraStepRow *row, const char *property)
{
  return capra_property_row_get_editor (capra_step_row_find_property (row, property));
}

static void
enter (CapraEditor *editor, const char *text, double expected, const char *message)
{
  GtkWidget *entry = capra_editor_get_control (editor);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_spin_button_update (GTK_SPIN_BUTTON (entry)); /* as Enter does */
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), ==, expected);
  g_assert_cmpstr (capra_editor_get_message (editor), ==, message);
}

/* A number out of range becomes the nearest limit, and a message names the range until another number is set. */
static void
test_range (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStepRow) row = open_row (pipeline, "gegl:gaussian-blur");
  CapraEditor *editor = get_editor (row, "std-dev-x");
  const char *message = "The value must be from 0 to 1500";

  enter (editor, "12", 12.0, NULL);
  enter (editor, "1500", 1500.0, NULL);
  enter (editor, "99999", 1500.0, message);
  g_assert_nonnull (shot_find_label (find_row (row, "std-dev-x"), message));
  enter (editor, "3", 3.0, NULL);
  enter (editor, "-0.5", 0.0, message);
  capra_step_model_undo (pipeline); /* to the default, 1.5 */
  g_assert_null (capra_editor_get_message (editor));
  enter (editor, "4", 4.0, NULL);
  if (!gegl_has_operation ("capra:label"))
    return;
  g_clear_object (&row);
  row = open_row (pipeline, "capra:label");
  enter (get_editor (row, "min-size"), "-5", 0.0, "The value must be at least 0");
}

/* Text that is not a value is marked, and the reason is shown. */
static void
test_invalid_text (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStepRow) row = open_row (pipeline, "gegl:contrast-curve");
  CapraEditor *editor = get_editor (row, "curve");
  GtkWidget *entry = capra_editor_get_control (editor);

  gtk_editable_set_text (GTK_EDITABLE (entry), "0,");
  g_signal_emit_by_name (entry, "activate");
  g_assert_nonnull (capra_editor_get_message (editor));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "0,1 1,0");
  g_signal_emit_by_name (entry, "activate");
  g_assert_null (capra_editor_get_message (editor));
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL); /* GEGL warns about missing libraries */
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/rows/every-operation", test_every_operation);
  g_test_add_func ("/rows/curve", test_curve);
  g_test_add_func ("/rows/use", test_use);
  g_test_add_func ("/rows/endless", test_endless);
  g_test_add_func ("/rows/range", test_range);
  g_test_add_func ("/rows/invalid-text", test_invalid_text);
  return g_test_run ();
}

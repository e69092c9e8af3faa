/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large text in a small window: what used to be cut is readable. */
#include <adwaita.h>
#include <gegl.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/results/results-filter.h"
#include "ui/panel/steps/chooser.h"
#include "ui/panel/steps/step-row.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"

static CapraPanelWindow *
open_window (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (300, 200, "Y' u8");
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image", NULL, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 800, 600);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (shot_is_complete (window));
  return window;
}

/* Lines end between percentiles, never inside one. */
static void
assert_whole (GtkLabel *label, int width)
{
  g_autoptr (PangoLayout) layout = pango_layout_copy (gtk_label_get_layout (label));
  const char *text = pango_layout_get_text (layout);

  pango_layout_set_width (layout, width * PANGO_SCALE);
  g_test_message ("\"%s\" in %d lines", text, pango_layout_get_line_count (layout));
  for (GSList *l = pango_layout_get_lines_readonly (layout)->next; l; l = l->next)
    {
      const PangoLayoutLine *line = l->data;

      g_assert_true (g_str_has_prefix (text + line->start_index - 2, "  "));
    }
}

static void
test_percentiles (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *label = NULL;

  SHOT_WAIT_FOR ((label = shot_find_label (GTK_WIDGET (window), "99 %:")) != NULL);
  shot_rest (0.3);
  shot_take (GTK_WIDGET (window), "large-text-percentiles");
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  for (int width = 110; width <= 300; width += 10)
    assert_whole (GTK_LABEL (label), width);
  shot_close (GTK_WIDGET (window));
}

/* The name of the column by which results are filtered. */
static void
test_column (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *filter = NULL;

  shot_add_step (window, "capra:label");
  shot_add_step (window, "capra:measure");
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-page", g_variant_new_string ("results"));
  SHOT_WAIT_FOR ((filter = shot_find (GTK_WIDGET (window), CAPRA_TYPE_RESULTS_FILTER)) != NULL
                 && gtk_widget_get_mapped (filter));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "large-text-results");
  g_assert_cmpint (gtk_widget_get_width (gtk_widget_get_first_child (filter)), >=, 150);
  shot_close (GTK_WIDGET (window));
}

/* Each label that is shown in @widget has all of its text. */
static guint
assert_not_cut (GtkWidget *widget)
{
  guint count = 0;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && *gtk_label_get_text (GTK_LABEL (widget)))
    {
      g_test_message ("\"%s\"", gtk_label_get_text (GTK_LABEL (widget)));
      g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))));
      count++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    count += assert_not_cut (child);
  return count;
}

/* The titles of the sidebar's pages, and the names of a step's numbers, which differ in the last letter only. */
static void
test_names (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *row = NULL;

  shot_add_step (window, "gegl:gaussian-blur");
  SHOT_WAIT_FOR ((row = shot_find (GTK_WIDGET (window), CAPRA_TYPE_STEP_ROW)) != NULL);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "large-text-names");
  g_assert_cmpuint (assert_not_cut (shot_find (GTK_WIDGET (window), ADW_TYPE_VIEW_SWITCHER)), ==, 5);
  for (guint i = 0; i < 2; i++)
    {
      CapraPropertyRow *size = capra_step_row_find_property (CAPRA_STEP_ROW (row), i ? "std-dev-y" : "std-dev-x");

      g_assert_cmpuint (assert_not_cut (GTK_WIDGET (size)), >=, 1);
    }
  shot_close (GTK_WIDGET (window));
}

/* The title of an operation with a mark: its last word, which the mark says, too, may be cut. */
static void
test_chooser (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *chooser = shot_find (GTK_WIDGET (window), CAPRA_TYPE_CHOOSER), *title = NULL;
  g_autoptr (PangoLayout) name = NULL;
  int needed = 0;

  g_action_group_activate_action (G_ACTION_GROUP (window), "add-step", NULL);
  gtk_editable_set_text (GTK_EDITABLE (shot_find (chooser, GTK_TYPE_SEARCH_ENTRY)), "gaussian");
  SHOT_WAIT_FOR ((title = shot_find_label (chooser, "Gaussian Blur (Capra)")) != NULL && gtk_widget_get_mapped (title));
  shot_rest (0.3);
  shot_take (GTK_WIDGET (window), "large-text-chooser");
  name = gtk_widget_create_pango_layout (title, "Gaussian Blur…");
  pango_layout_get_pixel_size (name, &needed, NULL);
  g_assert_cmpint (gtk_widget_get_width (title), >=, needed);
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = shot_init (&argc, &argv, "large-text");
  int status;

  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL); /* 1.5 times the usual */
  g_test_add_func ("/large-text/percentiles", test_percentiles);
  g_test_add_func ("/large-text/names", test_names);
  if (gegl_has_operation ("capra:measure"))
    {
      g_test_add_func ("/large-text/column", test_column);
      g_test_add_func ("/large-text/chooser", test_chooser);
    }
  status = g_test_run ();
  shot_remove (folder);
  return status;
}

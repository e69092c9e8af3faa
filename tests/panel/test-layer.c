/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layer of a host: its selection, its effects, reloading it, and steps that were kept with it. */
#include <gegl.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/preview/selection-view.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/message-bar.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/graph/layer-target.h"

#define WIDTH 400
#define HEIGHT 300
#define GRAY 64 /* of the layer */

static const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
static const GeglRectangle selected = { 200, 120, 60, 40 };

static void
on_apply (CapraPanelWindow *window, GPtrArray *steps, CapraPanelApplyMode mode, GCancellable *cancellable,
          gpointer data)
{
  capra_panel_window_finish_apply (window, NULL);
}

static void
on_reload (CapraHostLayer *layer, gpointer data)
{
  ++*(int *) data;
}

static void
count_apply (CapraPanelWindow *window, GPtrArray *steps, CapraPanelApplyMode mode, GCancellable *cancellable,
             gpointer data)
{
  ++*(int *) data;
  capra_panel_window_finish_apply (window, NULL);
}

/* @area: (nullable): what is selected. */
static GeglBuffer *
make_layer (guint8 gray, const GeglRectangle *area, guint n_effects, gboolean with_effects)
{
  GeglBuffer *layer = gegl_buffer_new (&extent, babl_format ("R'G'B' u8"));
  g_autoptr (GeglBuffer) selection = area ? gegl_buffer_new (&extent, babl_format ("Y u8")) : NULL;
  CapraLayerTarget target = { selection, CAPRA_LAYER_ALL, n_effects, with_effects };
  guint8 pixel[3] = { gray, gray, gray };

  gegl_buffer_set_color_from_pixel (layer, &extent, pixel, babl_format ("R'G'B' u8"));
  if (area)
    gegl_buffer_set_color_from_pixel (selection, area, "\xff", babl_format ("Y u8"));
  capra_layer_target_mark (layer, &target);
  return layer;
}

static CapraPanelWindow *
open_window (GeglBuffer *layer)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, on_apply, NULL);
  g_autoptr (CapraStep) step = capra_step_new ("gegl:invert-gamma");

  capra_host_layer_set_image (capra_panel_window_get_host_layer (window), layer, "Layer");
  gtk_window_set_default_size (GTK_WINDOW (window), 1100, 700);
  gtk_window_present (GTK_WINDOW (window));
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  return window;
}

/* The bar of offers, below that of errors. */
static GtkWidget *
find_bar (CapraPanelWindow *window)
{
  return gtk_widget_get_last_child (shot_find (GTK_WIDGET (window), CAPRA_TYPE_MESSAGE_BAR));
}

static gboolean
shows (CapraPanelWindow *window, const char *text)
{
  return gtk_info_bar_get_revealed (GTK_INFO_BAR (find_bar (window))) && shot_find_label (find_bar (window), text);
}

/* The view starts at the selection. The result is only inside it, and its outline is drawn in black and white. */
static void
test_selection (void)
{
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, &selected, 0, FALSE);
  CapraPanelWindow *window = open_window (layer);
  GtkWidget *overlay = gtk_widget_get_parent (GTK_WIDGET (capra_panel_window_get_canvas (window)));
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  g_autofree guint32 *pixels = NULL;
  int width, height, blacks = 0, whites = 0;
  double x, y, scale;

  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.3);
  capra_canvas_get_center (canvas, &x, &y);
  g_assert_cmpfloat (x, ==, selected.x + selected.width / 2.0);
  g_assert_cmpfloat (y, ==, selected.y + selected.height / 2.0);
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "selection 60 × 40"));
  shot_take (GTK_WIDGET (window), "layer-selection");

  g_object_set (shot_find (overlay, CAPRA_TYPE_SELECTION_VIEW), "visible", TRUE, NULL);
  pixels = shot_draw_pixels (overlay, &width, &height);
  capra_canvas_get_origin (canvas, &x, &y);
  scale = capra_canvas_get_unit_scale (canvas);
#define AT(image_x, image_y) (pixels[(int) ((image_y) *scale + y) * width + (int) ((image_x) *scale + x)] & 0xffffff)
  g_assert_cmphex (AT (230.5, 140.5), ==, (255 - GRAY) * 0x010101);
  g_assert_cmphex (AT (195.5, 140.5), ==, GRAY * 0x010101);
  g_assert_cmphex (AT (230.5, 165.5), ==, GRAY * 0x010101);
  for (int row = selected.y + 1; row < selected.y + selected.height; row++)
    {
      guint32 edge = AT (selected.x, row + 0.5);

      blacks += edge == 0;
      whites += edge == 0xffffff;
    }
#undef AT
  g_assert_cmpint (blacks, >, 10);
  g_assert_cmpint (whites, >, 10);
  g_assert_cmpint (blacks + whites, ==, selected.height - 1);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.selection", NULL);
  g_assert_false (gtk_widget_get_visible (shot_find (overlay, CAPRA_TYPE_SELECTION_VIEW)));
  capra_canvas_zoom_fit (canvas);
  capra_canvas_get_center (canvas, &x, &y);
  g_assert_cmpfloat (x, ==, WIDTH / 2.0);
  shot_close (GTK_WIDGET (window));
}

/* The whole layer is selected: no outline, and the view is that of other images. */
static void
test_no_selection (void)
{
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, NULL, 0, FALSE);
  CapraPanelWindow *window = open_window (layer);
  double x, y;

  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_canvas_get_center (capra_panel_window_get_canvas (window), &x, &y);
  g_assert_cmpfloat (x, ==, WIDTH / 2.0);
  g_assert_null (shot_find_label (GTK_WIDGET (window), ", selection"));
  shot_close (GTK_WIDGET (window));
}

/* After a reload the view is where it was. */
static void
test_reload (void)
{
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, &selected, 0, FALSE), other = make_layer (100, NULL, 0, FALSE);
  CapraPanelWindow *window = open_window (layer);
  CapraHostLayer *host = capra_panel_window_get_host_layer (window);
  CapraCanvas *canvas = capra_panel_window_get_canvas (window);
  GtkWidget *button = NULL;
  int reloads = 0;
  double x, y;

  g_signal_connect (host, "reload", G_CALLBACK (on_reload), &reloads);
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_canvas_zoom_to (canvas, 2.0);
  capra_canvas_set_center (canvas, 111, 77);
  capra_host_layer_set_outdated (host);
  g_assert_true (shows (window, "has changed"));
  shot_rest (0.4);
  shot_take (GTK_WIDGET (window), "layer-changed");
  button = shot_find_button (find_bar (window), "Reload");
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpint (reloads, ==, 1);

  capra_host_layer_set_image (host, other, "Layer");
  g_assert_false (gtk_info_bar_get_revealed (GTK_INFO_BAR (find_bar (window))));
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_canvas_get_center (canvas, &x, &y);
  g_assert_cmpfloat (x, ==, 111);
  g_assert_cmpfloat (y, ==, 77);
  g_assert_cmpfloat (capra_canvas_get_scale (canvas), ==, 2.0);
  g_assert_null (shot_find_label (GTK_WIDGET (window), ", selection"));
  shot_close (GTK_WIDGET (window));
}

/* Kept steps are offered, also again after a reload, and restored as one undo step. */
static void
test_offer (void)
{
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, NULL, 0, FALSE);
  CapraPanelWindow *window = open_window (layer);
  CapraHostLayer *host = capra_panel_window_get_host_layer (window);
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("gegl:crop"));
  g_ptr_array_add (steps, capra_step_new ("gegl:opacity"));
  g_assert_false (capra_host_layer_has_offer (host));
  capra_host_layer_offer_steps (host, steps);
  g_assert_true (shows (window, "kept with this layer"));
  capra_host_layer_set_outdated (host);
  g_assert_false (shows (window, "kept with this layer"));
  capra_host_layer_set_image (host, layer, "Layer");
  g_assert_true (shows (window, "kept with this layer"));
  g_signal_emit_by_name (shot_find_button (find_bar (window), "Restore Steps"), "clicked");
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 2);
  g_assert_false (capra_host_layer_has_offer (host));
  g_assert_false (gtk_info_bar_get_revealed (GTK_INFO_BAR (find_bar (window))));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);
  shot_close (GTK_WIDGET (window));
}

static gboolean
can_apply (CapraPanelWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

/* What the button says, also while it cannot be used. */
static const char *
get_effects_tooltip (CapraPanelWindow *window)
{
  return gtk_widget_get_tooltip_text (shot_find_button (GTK_WIDGET (window), "Apply as _Effects"));
}

/* A layer that has effects: the header tells whether the steps come before them. */
static void
test_effects (void)
{
  g_autoptr (GeglBuffer) plain = make_layer (GRAY, NULL, 0, FALSE), before = make_layer (GRAY, NULL, 2, FALSE);
  g_autoptr (GeglBuffer) with = make_layer (90, NULL, 2, TRUE);
  CapraPanelWindow *window = open_window (plain);
  CapraHostLayer *host = capra_panel_window_get_host_layer (window);
  GtkWidget *choice = NULL;
  int reloads = 0;

  capra_panel_window_offer_effects (window);
  g_signal_connect (host, "reload", G_CALLBACK (on_reload), &reloads);
  g_assert_null (shot_find_label (GTK_WIDGET (window), "its 2 effects"));
  g_assert_true (can_apply (window, "apply-effects"));

  capra_host_layer_set_image (host, before, "Layer");
  choice = gtk_widget_get_ancestor (shot_find_label (GTK_WIDGET (window), "Before Effects"), GTK_TYPE_DROP_DOWN);
  g_assert_true (gtk_widget_get_visible (choice));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "before its 2 effects"));
  g_assert_true (can_apply (window, "save"));
  g_assert_false (can_apply (window, "apply-effects")); /* they would come after */
  g_assert_nonnull (strstr (get_effects_tooltip (window), "choose With Effects"));
  gtk_window_set_default_size (GTK_WINDOW (window), 800, 600);
  shot_rest (0.4);
  shot_take (GTK_WIDGET (window), "layer-effects");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), 1);
  g_assert_cmpint (reloads, ==, 1);
  g_assert_true (capra_host_layer_get_with_effects (host));
  capra_host_layer_set_image (host, with, "Layer");
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "with its 2 effects"));
  g_assert_true (can_apply (window, "save"));
  g_assert_true (can_apply (window, "apply-effects"));
  g_assert_nonnull (strstr (get_effects_tooltip (window), "Add the steps"));
  shot_close (GTK_WIDGET (window));
}

/* The number of pixels of that gray value, as the histogram shows it under the pointer; -1 if it shows none. */
static double
count_gray (CapraPanelWindow *window, int gray)
{
  GtkWidget *histogram = shot_find (GTK_WIDGET (window), CAPRA_TYPE_HISTOGRAM);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (histogram);
  double x = 8 + (gray + 0.5) / 256 * (gtk_widget_get_width (histogram) - 16), value = 0, count = -1;
  g_autofree char *text = NULL;

  g_object_set (histogram, "channel", 1, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", x, 20.0);
    }
  g_object_get (histogram, "pointer-text", &text, NULL);
  return text && sscanf (text, "%lf: %lf", &value, &count) == 2 && (int) (value * 256) == gray ? count : -1;
}

/* The histogram is that of the picture: the layer after Apply, of the same state after a reload. For a step before
 * others, and for measurements, the values are the steps' own. */
static void
test_histogram (void)
{
  const double all = WIDTH * HEIGHT, inside = selected.width * selected.height;
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, &selected, 0, FALSE), other = make_layer (GRAY, NULL, 0, FALSE);
  CapraPanelWindow *window = open_window (layer);
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (CapraStep) second = capra_step_new ("gegl:invert-gamma");

  SHOT_WAIT_FOR (count_gray (window, 255 - GRAY) == inside);
  g_assert_cmpfloat (count_gray (window, GRAY), ==, all - inside);
  g_assert_true (shot_shows (window, "Layer After Apply"));

  capra_step_model_insert (pipeline, second, -1);
  SHOT_WAIT_FOR (count_gray (window, GRAY) == all);
  capra_step_model_select (pipeline, capra_step_model_get_step (pipeline, 0));
  SHOT_WAIT_FOR (shot_shows (window, "After Invert"));
  SHOT_WAIT_FOR (count_gray (window, 255 - GRAY) == all);
  capra_step_set_enabled (capra_step_model_get_step (pipeline, 1), FALSE);
  SHOT_WAIT_FOR (count_gray (window, 255 - GRAY) == inside);
  g_assert_true (shot_shows (window, "Layer After Apply"));

  capra_host_layer_set_image (capra_panel_window_get_host_layer (window), other, "Layer");
  SHOT_WAIT_FOR (count_gray (window, 255 - GRAY) == all);
  g_assert_nonnull (shot_find_label (GTK_WIDGET (window), "exact values, before they are written"));
  shot_close (GTK_WIDGET (window));
}

static void
reload_inverted (CapraHostLayer *layer, gpointer data)
{
  g_autoptr (GeglBuffer) inverted = make_layer (255 - GRAY, NULL, 0, FALSE);

  capra_host_layer_set_image (layer, inverted, "Layer");
}

/* Steps are not applied to a layer that has changed since it was read: first the user sees the result for it. */
static void
test_outdated (void)
{
  g_autoptr (GeglBuffer) layer = make_layer (GRAY, NULL, 0, FALSE);
  int applied = 0;
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, count_apply, &applied);
  CapraHostLayer *host = capra_panel_window_get_host_layer (window);
  g_autoptr (CapraStep) step = capra_step_new ("gegl:invert-gamma");

  g_signal_connect (host, "reload", G_CALLBACK (reload_inverted), NULL);
  capra_host_layer_set_image (host, layer, "Layer");
  gtk_window_present (GTK_WINDOW (window));
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_host_layer_set_outdated (host);
  g_object_ref (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
  g_assert_cmpint (applied, ==, 0);
  SHOT_WAIT_FOR (shot_shows (window, "was read again"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
  g_assert_cmpint (applied, ==, 1);
  g_object_unref (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/layer/selection", test_selection);
  g_test_add_func ("/panel/layer/no-selection", test_no_selection);
  g_test_add_func ("/panel/layer/reload", test_reload);
  g_test_add_func ("/panel/layer/outdated", test_outdated);
  g_test_add_func ("/panel/layer/offer", test_offer);
  g_test_add_func ("/panel/layer/effects", test_effects);
  g_test_add_func ("/panel/layer/histogram", test_histogram);
  return g_test_run ();
}

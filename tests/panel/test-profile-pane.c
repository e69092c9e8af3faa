/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line profile in the panel's window: its values against a graph of GEGL, live, copied and saved. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/preview/profile-pane.h"
#include "ui/panel/widgets/chart.h"
#include "ui/panel/widgets/table-export.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/resolution.h"

#define WIDTH 301
#define HEIGHT 203

/* Disks on a gradient with noise. */
static GeglBuffer *
make_image (const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format (format));
  g_autofree float *values = g_new (float, WIDTH *HEIGHT * 3);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < 3; c++)
        {
          double disk = hypot (x % 60 - 30, y % 60 - 30) < 18 + 2 * c ? 0.6 : 0.0;

          values[(y * WIDTH + x) * 3 + c] = (float) (disk + 0.2 * x / WIDTH + g_rand_double_range (random, 0, 0.05));
        }
  gegl_buffer_set (buffer, NULL, 0, babl_format ("RGB float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static CapraPanelWindow *
open_window (GeglBuffer *image)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "disks", NULL, NULL);

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (capra_panel_window_get_canvas (window))) > 0);
  return window;
}

static CapraLineTool *
get_tool (CapraPanelWindow *window)
{
  return CAPRA_LINE_TOOL (shot_find (GTK_WIDGET (window), CAPRA_TYPE_LINE_TOOL));
}

static CapraProfilePane *
get_pane (CapraPanelWindow *window)
{
  return CAPRA_PROFILE_PANE (shot_find (GTK_WIDGET (window), CAPRA_TYPE_PROFILE_PANE));
}

static void
activate (CapraPanelWindow *window)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "line-profile", NULL);
}

/* The table of @line, once the preview is complete. */
static CapraTable *
get_table (CapraPanelWindow *window, const CapraLine *line)
{
  CapraPreview *preview = capra_panel_window_get_preview (window);
  CapraPreviewStatus status = { .complete = FALSE };
  gboolean done = FALSE;

  SHOT_WAIT_FOR ((capra_preview_get_status (preview, &status), status.complete));
  for (gint64 end = g_get_monotonic_time () + SHOT_TIMEOUT; !done && g_get_monotonic_time () < end;)
    {
      g_autoptr (CapraProfile) profile = capra_preview_get_profile (preview);

      done = profile && capra_line_equal (&profile->line, line);
      shot_rest (0.02);
    }
  g_assert_true (done);
  shot_rest (0.3); /* that of the last change */
  return capra_profile_pane_get_table (get_pane (window));
}

/* By a graph of its own. */
static GeglBuffer *
blur (GeglBuffer *image, double sigma)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *node = gegl_node_new_child (root, "operation", "capra:gaussian-blur", "std-dev-x", sigma, "std-dev-y",
                                        sigma, NULL);
  GeglBuffer *result = gegl_buffer_new (gegl_buffer_get_extent (image), babl_format ("RGB float"));

  gegl_node_link (source, node);
  gegl_node_blit_buffer (node, result, gegl_buffer_get_extent (image), 0, GEGL_ABYSS_NONE);
  return result;
}

static double
get_pixel (const float *pixels, int x, int y, int c)
{
  return (double) pixels[(MIN (y, HEIGHT - 1) * WIDTH + MIN (x, WIDTH - 1)) * 3 + c];
}

/* Rows of the table against pixels that are interpolated here. */
static void
assert_values (CapraTable *table, GeglBuffer *expected)
{
  g_autofree float *pixels = g_new (float, WIDTH *HEIGHT * 3);
  guint n = capra_table_get_columns (table);

  g_assert_cmpstr (capra_table_get_name (table, n - 3), ==, "red");
  gegl_buffer_get (expected, NULL, 1.0, babl_format ("RGB float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < capra_table_get_rows (table); i++)
    for (int c = 0; c < 3; c++)
      {
        double x = capra_table_get (table, i, n - 5), y = capra_table_get (table, i, n - 4), u = x - floor (x),
               v = y - floor (y);
        int left = (int) floor (x), top = (int) floor (y);
        double value = (1 - v) * ((1 - u) * get_pixel (pixels, left, top, c) + u * get_pixel (pixels, left + 1, top, c))
                       + v
                           * ((1 - u) * get_pixel (pixels, left, top + 1, c)
                              + u * get_pixel (pixels, left + 1, top + 1, c));

        g_assert_cmpfloat_with_epsilon (capra_table_get (table, i, n - 3 + (guint) c), value, 2e-6);
      }
}

static void
set_double (CapraStep *step, const char *name, double number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  capra_step_set (step, capra_operation_find_property (capra_step_get_operation (step), name), &value);
}

/* The values follow the line and the steps, at any zoom. */
static void
test_live (void)
{
  const CapraLine line = { { 7, 250 }, { 190, 11 } }, other = { { 0, WIDTH - 1 }, { 100, 100 } };
  const CapraResolution resolution = { { 1000.0, 1000.0 } };
  g_autoptr (GeglBuffer) image = make_image ("RGB float");
  CapraPanelWindow *window = NULL;
  CapraStep *step = NULL;

  capra_resolution_set (image, &resolution);
  window = open_window (image);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_pane (window))));
  g_assert_null (capra_line_tool_get_line (get_tool (window)));
  activate (window);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (get_pane (window))));
  g_assert_nonnull (capra_line_tool_get_line (get_tool (window)));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (get_tool (window))));
  for (int zoom = 0; zoom < 3; zoom++)
    {
      capra_canvas_zoom_to (capra_panel_window_get_canvas (window), exp2 (zoom - 1));
      if (zoom == 1)
        step = shot_add_step (window, "capra:gaussian-blur");
      for (int i = 0; i < 2; i++)
        {
          g_autoptr (GeglBuffer) expected = NULL;
          g_autoptr (CapraTable) table = NULL;
          double sigma = 1.5 + zoom + 0.25 * i;

          if (step)
            {
              set_double (step, "std-dev-x", sigma);
              set_double (step, "std-dev-y", sigma);
            }
          capra_line_tool_set_line (get_tool (window), i ? &other : &line);
          table = get_table (window, i ? &other : &line);
          g_assert_cmpstr (capra_table_get_name (table, 1), ==, "distance_mm");
          g_assert_cmpuint (capra_table_get_rows (table), ==, i ? WIDTH : 303);
          g_assert_cmpfloat_with_epsilon (capra_table_get (table, 302 - 2 * (gsize) i, 1), i ? 300.0 : hypot (243, 179),
                                          1e-9);
          expected = step ? blur (image, sigma) : g_object_ref (image);
          assert_values (table, expected);
        }
    }
  activate (window);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_pane (window))));
  g_assert_null (capra_profile_pane_get_table (get_pane (window)));
  shot_close (GTK_WIDGET (window));
}

/* Labels, shown as colors, are whole numbers, those of the pixels; also if they are measured. */
static void
test_labels (gconstpointer measured)
{
  const CapraLine line = { { 1, 299 }, { 3, 200 } };
  g_autoptr (GeglBuffer) image = make_image ("RGB float");
  CapraPanelWindow *window = open_window (image);
  g_autoptr (CapraTable) table = NULL;
  guint regions = 0;

  shot_add_step (window, "capra:threshold");
  shot_add_step (window, "capra:label");
  if (measured)
    shot_add_step (window, "capra:measure");
  activate (window);
  capra_line_tool_set_line (get_tool (window), &line);
  table = get_table (window, &line);
  g_assert_cmpuint (capra_table_get_columns (table), ==, 4);
  g_assert_cmpstr (capra_table_get_name (table, 3), ==, "label");
  for (gsize i = 0; i < capra_table_get_rows (table); i++)
    {
      double value = capra_table_get (table, i, 3);

      g_assert_cmpfloat (value, ==, round (value));
      regions += i > 0 && value != capra_table_get (table, i - 1, 3);
    }
  g_assert_cmpuint (regions, >, 4);
  shot_close (GTK_WIDGET (window));
}

/* The line stays for another frame of a file, and starts anew for an image of another size. */
static void
test_other_image (void)
{
  const CapraLine line = { { 4, 90 }, { 200, 12 } };
  g_autoptr (GeglBuffer) image = make_image ("RGB float"), again = make_image ("R'G'B' u8");
  g_autoptr (GeglBuffer) small = gegl_buffer_new (GEGL_RECTANGLE (3, 4, 2, 1), babl_format ("Y float"));
  g_autoptr (CapraPyramid) first = capra_pyramid_new (again), second = capra_pyramid_new (small);
  CapraPanelWindow *window = open_window (image);
  CapraImageView *view = CAPRA_IMAGE_VIEW (shot_find (GTK_WIDGET (window), CAPRA_TYPE_IMAGE_VIEW));
  const CapraLine *now = NULL;

  activate (window);
  capra_line_tool_set_line (get_tool (window), &line);
  capra_image_view_set_image (view, first, NULL);
  g_assert_true (capra_line_equal (capra_line_tool_get_line (get_tool (window)), &line));
  capra_table_unref (get_table (window, &line));
  capra_image_view_set_image (view, second, NULL);
  now = capra_line_tool_get_line (get_tool (window));
  g_assert_true (now->x[0] >= 3 && now->x[1] <= 4 && now->y[0] == 4 && now->y[1] == 4);
  capra_image_view_set_image (view, NULL, NULL);
  g_assert_null (capra_line_tool_get_line (get_tool (window)));
  shot_close (GTK_WIDGET (window));
}

/* The angle of a line that descends has a minus sign, as the marks of the chart do. */
static void
test_angle (void)
{
  static const struct {
    CapraLine line;
    const char *angle;
  } cases[] = { { { { 20, 30 }, { 40, 50 } }, " · \u221245.00° · " },
                { { { 20, 30 }, { 50, 40 } }, " · 45.00° · " },
                { { { 20, 200 }, { 40, 40 } }, " · 0.00° · " } };
  g_autoptr (GeglBuffer) image = make_image ("R'G'B' u8");
  CapraPanelWindow *window = open_window (image);

  activate (window);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = NULL;

      capra_line_tool_set_line (get_tool (window), &cases[i].line);
      g_object_get (get_pane (window), "text", &shown, NULL);
      g_assert_nonnull (strstr (shown, cases[i].angle));
    }
  shot_close (GTK_WIDGET (window));
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
on_failed (GtkWidget *widget, const char *message)
{
  g_object_set_data_full (G_OBJECT (widget), "failure", g_strdup (message), g_free);
}

static void
test_copy_and_save (void)
{
  const CapraLine line = { { 20, 30 }, { 40, 40 } };
  g_autoptr (GeglBuffer) image = make_image ("R'G'B' u8");
  CapraPanelWindow *window = open_window (image);
  CapraProfilePane *pane = get_pane (window);
  g_autofree char *copied = NULL, *expected = NULL, *path = NULL, *saved = NULL, *csv = NULL, *shown = NULL;
  g_autoptr (CapraTable) table = NULL;
  g_autoptr (GFile) file = NULL, bad = g_file_new_for_path ("/no/such/folder/profile.csv");

  activate (window);
  capra_line_tool_set_line (get_tool (window), &line);
  table = get_table (window, &line);
  g_object_get (pane, "text", &shown, NULL);
  g_assert_cmpstr (shown, ==, "10.00 px · 0.00° · (20, 40) → (30, 40) · values of pixels");
  g_signal_emit_by_name (shot_find_icon (GTK_WIDGET (pane), "edit-copy-symbolic"), "clicked");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (pane)), NULL, on_text, &copied);
  SHOT_WAIT_FOR (copied);
  expected = capra_table_to_tsv (table);
  g_assert_cmpstr (copied, ==, expected);
  path = g_build_filename (g_get_tmp_dir (), "capra-test-profile-pane.csv", NULL);
  file = g_file_new_for_path (path);
  capra_table_export_write (GTK_WIDGET (pane), table, file, on_failed);
  g_assert_null (g_object_get_data (G_OBJECT (pane), "failure"));
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  csv = capra_table_to_csv (table);
  g_assert_cmpstr (saved, ==, csv);
  g_unlink (path);
  capra_table_export_write (GTK_WIDGET (pane), table, bad, on_failed);
  g_assert_nonnull (strstr (g_object_get_data (G_OBJECT (pane), "failure"), "/no/such/folder"));
  shot_close (GTK_WIDGET (window));
}

/* The mapping of points that clicks use; a chart without values says so. */
static void
test_chart (void)
{
  const double x[] = { 0, 5, 10 }, y[] = { 1, 3, NAN };
  const CapraCurve curve = { x, y, NULL, 3, NULL, CAPRA_CURVE_LINE };
  const CapraCurveFigure figure = { .curves = &curve, .n_curves = 1, .x_label = "x", .y_label = "y" };
  CapraChart *chart = g_object_new (CAPRA_TYPE_CHART, "hexpand", TRUE, "vexpand", TRUE, NULL);
  GtkWidget *window = shot_window (GTK_WIDGET (chart), 500, 300);
  double left, right, top, bottom, middle;

  g_assert_false (capra_chart_find_point (chart, 0, 1, &left, &bottom));
  capra_chart_set_figure (chart, &figure);
  g_assert_true (capra_chart_find_point (chart, 0, 1, &left, &bottom));
  g_assert_true (capra_chart_find_point (chart, 5, 3, &right, &top));
  g_assert_cmpfloat (right, >, left + 150);
  g_assert_cmpfloat (right, <, 490);
  g_assert_cmpfloat (top, <, bottom - 150);
  g_assert_cmpfloat (top, >, 0);
  g_assert_true (capra_chart_find_point (chart, 2.5, 2, &middle, &top));
  g_assert_cmpfloat_with_epsilon (middle, (left + right) / 2, 1e-9);
  capra_chart_set_figure (chart, NULL);
  g_assert_false (capra_chart_find_point (chart, 0, 1, &left, &bottom));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_pictures (void)
{
  const CapraLine line = { { 20, 280 }, { 180, 25 } };
  g_autoptr (GeglBuffer) image = make_image ("R'G'B' u8");
  CapraPanelWindow *window = open_window (image);

  activate (window);
  capra_line_tool_set_line (get_tool (window), &line);
  capra_table_unref (get_table (window, &line));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "profile");
  gtk_window_set_default_size (GTK_WINDOW (window), 800, 600);
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "profile-800");
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/profile-pane/live", test_live);
  g_test_add_data_func ("/profile-pane/labels", NULL, test_labels);
  g_test_add_data_func ("/profile-pane/measured", "measured", test_labels);
  g_test_add_func ("/profile-pane/other-image", test_other_image);
  g_test_add_func ("/profile-pane/angle", test_angle);
  g_test_add_func ("/profile-pane/copy-and-save", test_copy_and_save);
  g_test_add_func ("/profile-pane/chart", test_chart);
  g_test_add_func ("/profile-pane/pictures", test_pictures);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stretch of the panel's view: what it shows, and that values, results and defaults stay. */
#include <gegl.h>
#include <math.h>

#include "tests/panel/shot.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/preview/status-bar.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/panel-settings.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/raw-values.h"

#define SIDE 100
#define LOW (-0.5)
#define STEP 0.001

static const char *const stretch_keys[] = { "stretch-colors", "stretch-raw", "stretch-fits" };

/* Each value from LOW on in steps of STEP, once. */
static double
get_value (int x, int y)
{
  return LOW + STEP * (y * SIDE + x);
}

static GeglBuffer *
make_image (const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, SIDE, SIDE), babl_format (format));
  g_autofree float *values = g_new (float, SIDE *SIDE);

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = (float) get_value (i % SIDE, i / SIDE);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static CapraPanelWindow *
open_window (GeglBuffer *image)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "ramp", NULL, NULL);

  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (capra_panel_window_get_canvas (window))) > 0);
  return window;
}

/* The pixels of the view at the image's own scale. */
static guint32 *
draw_view (CapraPanelWindow *window)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, SIDE, SIDE);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  guint32 *pixels = g_new (guint32, SIDE * SIDE);
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_preview_snapshot (capra_panel_window_get_preview (window), snapshot, GTK_WIDGET (window), &bounds, 1.0, 0, 0);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, &bounds);
  gdk_texture_download (texture, (guchar *) pixels, SIDE * 4);
  return pixels;
}

static void
choose (CapraPanelWindow *window, const char *stretch, double percent)
{
  g_action_group_change_action_state (G_ACTION_GROUP (window), "stretch", g_variant_new_string (stretch));
  g_action_group_change_action_state (G_ACTION_GROUP (window), "limits", g_variant_new_double (percent));
}

static void
assert_state (CapraPanelWindow *window, const char *stretch, double percent)
{
  g_autoptr (GVariant) name = g_action_group_get_action_state (G_ACTION_GROUP (window), "stretch");
  g_autoptr (GVariant) limits = g_action_group_get_action_state (G_ACTION_GROUP (window), "limits");

  g_assert_cmpstr (g_variant_get_string (name, NULL), ==, stretch);
  g_assert_cmpfloat (g_variant_get_double (limits), ==, percent);
}

/* Ranks of the values give the limits. */
static CapraStretch
expect (CapraStretchCurve curve, double percent)
{
  double outside = (100.0 - percent) / 200.0, last = SIDE * SIDE - 1;

  return (CapraStretch){ curve, LOW + STEP * floor (outside * last), LOW + STEP * ceil ((1.0 - outside) * last) };
}

static void
assert_probed (CapraPanelWindow *window)
{
  CapraPreview *preview = capra_panel_window_get_preview (window);
  CapraProbe probe = { .x = -1 };

  capra_preview_probe (preview, 30, 70);
  SHOT_WAIT_FOR ((capra_preview_get_probe (preview, &probe), probe.x == 30 && probe.y == 70));
  g_assert_cmpfloat_with_epsilon (probe.values[0], get_value (30, 70), 1e-5);
}

static void
test_curves (void)
{
  static const double percents[] = { 100.0, 99.0, 95.0 };
  g_autoptr (GeglBuffer) image = make_image ("Y float");
  CapraPanelWindow *window = open_window (image);
  g_autofree guint32 *plain = draw_view (window), *again = NULL;

  assert_state (window, "none", CAPRA_DISPLAY_AUTOMATIC);
  g_assert_cmpuint (plain[0] & 255, ==, 0); /* below 0: as a color */
  for (guint c = 0; c < CAPRA_STRETCH_N_CURVES; c++)
    for (guint p = 0; p < G_N_ELEMENTS (percents); p++)
      {
        CapraStretch stretch = expect ((CapraStretchCurve) c, percents[p]);
        g_autofree guint32 *pixels = NULL;

        choose (window, capra_stretch_curve_get_name ((CapraStretchCurve) c), percents[p]);
        pixels = draw_view (window);
        for (int i = 0; i < SIDE * SIDE; i += 7)
          {
            double share = capra_stretch_apply (&stretch, get_value (i % SIDE, i / SIDE));

            g_assert_cmpfloat_with_epsilon (pixels[i] & 255, 255 * share, 2.0);
            g_assert_cmpuint (pixels[i] & 255, ==, pixels[i] >> 16 & 255);
          }
        assert_probed (window);
      }
  choose (window, "none", 95.0);
  again = draw_view (window);
  g_assert_cmpmem (plain, SIDE * SIDE * 4, again, SIDE * SIDE * 4);
  shot_close (GTK_WIDGET (window));
}

/* Pixels without a value are shown as transparent ones, with and without a stretch. */
static void
test_missing (void)
{
  static const char *const names[] = { "none", "linear", "log" };
  static const float missing[] = { NAN, INFINITY, -INFINITY };
  g_autoptr (GeglBuffer) image = make_image ("RGB float");
  CapraPanelWindow *window = NULL;

  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      {
        /* NaN in one of the channels only */
        float pixel[3] = { 0.5f, 0.5f, 0.5f };

        pixel[c] = missing[i];
        gegl_buffer_set (image, GEGL_RECTANGLE (20 * i + c, 50, 1, 1), 0, babl_format ("RGB float"), pixel,
                         GEGL_AUTO_ROWSTRIDE);
      }
  window = open_window (image);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree guint32 *pixels = NULL;

      choose (window, names[i], 99.0);
      pixels = draw_view (window);
      for (int c = 0; c < 3; c++)
        {
          guint32 check = pixels[50 * SIDE + c] & 0xffffff;
          int shift = 8 * (2 - c);

          g_assert_true (check == 0x999999 || check == 0x666666);
          if (i == 0)
            continue; /* as a color, infinity is not defined */
          g_assert_cmpuint (pixels[50 * SIDE + 20 + c] >> shift & 255, ==, 255);
          g_assert_cmpuint (pixels[50 * SIDE + 40 + c] >> shift & 255, ==, 0);
        }
    }
  shot_close (GTK_WIDGET (window));
}

/* Automatic limits of a logarithm leave the noise of a background black. */
static void
test_automatic (void)
{
  g_autofree float *values = g_new (float, SIDE *SIDE);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, SIDE, SIDE), babl_format ("Y float"));
  CapraPanelWindow *window = NULL;
  int black = 0;

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = (float) (g_rand_double_range (random, -1, 1) + g_rand_double_range (random, -1, 1));
  for (int i = 0; i < 4; i++)
    values[3000 + i] = 1000.0f;
  gegl_buffer_set (image, NULL, 0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  window = open_window (image);
  choose (window, "log", CAPRA_DISPLAY_AUTOMATIC);
  {
    g_autofree guint32 *pixels = draw_view (window);

    for (int i = 0; i < SIDE * SIDE; i++)
      black += (pixels[i] & 255) == 0;
    g_assert_cmpuint (pixels[3000] & 255, ==, 255);
  }
  g_assert_cmpint (black, >, SIDE * SIDE * 95 / 100);
  shot_close (GTK_WIDGET (window));
}

/* The choice for a kind of images is stored when a window is closed. */
static void
test_settings (void)
{
  g_autoptr (GSettings) settings = capra_panel_settings_new ();
  g_autoptr (GeglBuffer) image = make_image ("Y float");
  CapraPanelWindow *window = NULL;

  g_assert_nonnull (settings);
  g_settings_set (settings, "stretch-colors", "(sd)", "sqrt", 95.0);
  window = open_window (image);
  assert_state (window, "sqrt", 95.0);
  choose (window, "log", CAPRA_DISPLAY_AUTOMATIC);
  gtk_window_close (GTK_WINDOW (window));
  shot_rest (0.1);
  g_settings_set (settings, "stretch-fits", "(sd)", "cubic", -1.0);
  window = open_window (image);
  assert_state (window, "log", CAPRA_DISPLAY_AUTOMATIC);
  {
    g_autofree char *curve = NULL;
    double percent;

    gtk_window_close (GTK_WINDOW (window)); /* what cannot be used is replaced */
    shot_rest (0.1);
    g_settings_get (settings, "stretch-fits", "(sd)", &curve, &percent);
    g_assert_cmpstr (curve, ==, "none");
    g_assert_cmpfloat (percent, ==, CAPRA_DISPLAY_AUTOMATIC);
  }
  for (guint i = 0; i < G_N_ELEMENTS (stretch_keys); i++)
    g_settings_reset (settings, stretch_keys[i]);
  capra_preview_wait_for_workers ();
}

/* Each kind of images has a stretch of its own. */
static void
test_defaults (void)
{
  static const CapraRawValues raw = { CAPRA_SAMPLE_F32, FALSE };
  g_autoptr (GeglBuffer) bytes = make_image ("Y' u8"), floats = make_image ("Y float"),
                         numbers = make_image ("Y float");
  g_autoptr (GFile) fits = g_file_new_for_path ("/data/M31.FITS"), packed = g_file_new_for_path ("a.fits.gz");
  g_autoptr (GFile) photo = g_file_new_for_path ("/data/fits.exr");
  CapraPanelWindow *first = open_window (bytes), *second;

  g_assert_cmpint (capra_display_kind_find (floats, photo), ==, CAPRA_DISPLAY_COLORS);
  g_assert_cmpint (capra_display_kind_find (floats, NULL), ==, CAPRA_DISPLAY_COLORS);
  g_assert_cmpint (capra_display_kind_find (floats, fits), ==, CAPRA_DISPLAY_FITS);
  g_assert_cmpint (capra_display_kind_find (floats, packed), ==, CAPRA_DISPLAY_FITS);
  g_assert_true (capra_display_stretch_get_default (CAPRA_DISPLAY_FITS).enabled);
  g_assert_cmpint (capra_display_stretch_get_default (CAPRA_DISPLAY_FITS).curve, ==, CAPRA_STRETCH_ASINH);
  assert_state (first, "none", CAPRA_DISPLAY_AUTOMATIC);
  choose (first, "log", 98.0);
  capra_raw_values_mark (numbers, &raw);
  second = open_window (numbers);
  assert_state (second, "linear", CAPRA_DISPLAY_AUTOMATIC);
  assert_state (first, "log", 98.0);
  shot_close (GTK_WIDGET (second));
  shot_close (GTK_WIDGET (first));
}

/* The button, its menu, and an unknown name. */
static void
test_control (void)
{
  g_autoptr (GeglBuffer) image = make_image ("Y float");
  CapraPanelWindow *window = open_window (image);
  GtkWidget *menu = shot_find (shot_find (GTK_WIDGET (window), CAPRA_TYPE_STATUS_BAR), GTK_TYPE_MENU_BUTTON);

  g_assert_cmpstr (gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (menu)), ==, "display-brightness-symbolic");
  g_assert_false (gtk_widget_has_css_class (menu, "accent"));
  choose (window, "asinh", 99.0);
  g_assert_true (gtk_widget_has_css_class (menu, "accent"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (menu), "Inverse Hyperbolic Sine"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "stretch-menu", NULL);
  SHOT_WAIT_FOR (gtk_widget_get_visible (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (menu)))));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (menu));
  choose (window, "cubic", 99.0);
  assert_state (window, "none", 99.0);
  choose (window, "asinh", 99.0);
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_rest (0.5);
  shot_take (GTK_WIDGET (window), "stretch");
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
  g_test_add_func ("/stretch/curves", test_curves);
  g_test_add_func ("/stretch/missing", test_missing);
  g_test_add_func ("/stretch/automatic", test_automatic);
  g_test_add_func ("/stretch/settings", test_settings);
  g_test_add_func ("/stretch/defaults", test_defaults);
  g_test_add_func ("/stretch/control", test_control);
  return g_test_run ();
}

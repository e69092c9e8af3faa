/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of images: texts, positions and colors on the page. */
#include <math.h>
#include <stdio.h>

#include "tests/figure/items.h"
#include "tests/figure/sky.h"
#include "ui/display/stretch-limits.h"
#include "ui/figure/sources.h"

static CapraImageFigure
make_figure (const float *values, int width, int height)
{
  return (CapraImageFigure){ .values = values,
                             .width = width,
                             .height = height,
                             .stretch = { CAPRA_STRETCH_LINEAR, 0.0, 1.0 },
                             .map = CAPRA_COLOR_MAP_VIRIDIS,
                             .axes = TRUE,
                             .max_width = 800,
                             .max_height = 800 };
}

static guint32
get_pixel (cairo_surface_t *surface, double x, double y)
{
  const guint8 *row = cairo_image_surface_get_data (surface) + (int) y * cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (const void *) row)[(int) x] & 0xffffffu;
}

/* Pixels have the colors of their values, and NaN a neutral one; the color bar has the ends of the map. */
static void
test_colors (void)
{
  const float values[4] = { 0.0f, 1.0f, NAN, 0.5f };
  CapraImageFigure figure = make_figure (values, 2, 2);
  CapraMark corners[2] = { { 0, 0, 0.01, 0.01, 0, 1 }, { 1, 1, 0.01, 0.01, 0, 2 } };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CapraMark));
  g_autoptr (CapraPage) page = NULL;
  const CapraItem *first, *second;
  cairo_surface_t *surface;
  double x, y, left, top, right, bottom;

  g_array_append_vals (marks, corners, 2);
  figure.marks = marks;
  page = capra_image_figure_draw (&figure);
  first = items_find (page, CAPRA_ITEM_MARK, "1");
  second = items_find (page, CAPRA_ITEM_MARK, "2");
  surface = capra_page_to_image (page, &x, &y);
  left = item_get_center (first) + x + 40; /* beside the marks */
  right = item_get_center (second) + x + 40;
  top = first->y + first->height / 2 + y + 40;
  bottom = second->y + second->height / 2 + y + 40;
  g_assert_cmphex (get_pixel (surface, left, top), ==, 0x440154);
  g_assert_cmphex (get_pixel (surface, right, top), ==, 0xfde725);
  g_assert_cmphex (get_pixel (surface, left, bottom), ==, 0xc8c8c8);
  g_assert_cmphex (get_pixel (surface, right, bottom), ==, 0x21918c);
  cairo_surface_destroy (surface);
  items_assert_readable (page);
}

/* The bar's ticks are at round values, in their order, with the unit. */
static void
test_color_bar (void)
{
  const float values[2] = { -0.001f, 2.0f };

  for (guint c = 0; c < CAPRA_STRETCH_N_CURVES; c++)
    {
      CapraImageFigure figure = make_figure (values, 2, 1);
      g_autoptr (CapraPage) page = NULL;
      double last = G_MAXDOUBLE, number = -G_MAXDOUBLE;

      figure.stretch = (CapraStretch){ (CapraStretchCurve) c, -0.001, 2.0 };
      figure.unit = "JY/BEAM";
      page = capra_image_figure_draw (&figure);
      g_assert_nonnull (items_find (page, CAPRA_ITEM_BAR_LABEL, "Jy/beam"));
      g_assert_cmpuint (items_count (page, CAPRA_ITEM_BAR_TICK), >=, 3);
      for (guint i = 0; i < page->items->len; i++)
        {
          const CapraItem *item = page->items->pdata[i];

          if (item->kind != CAPRA_ITEM_BAR_TICK)
            continue;
          g_assert_cmpfloat (item->y, <, last);
          g_assert_cmpfloat (g_ascii_strtod (item->text, NULL), >, number);
          last = item->y;
          number = g_str_has_prefix (item->text, "\u2212") ? -1.0 : g_ascii_strtod (item->text, NULL);
        }
      items_assert_readable (page);
    }
}

/* Right ascension grows to the left, declination upward; labels are round, also across 0h. */
static void
test_sky (void)
{
  const float value = 0.0f;
  static float values[256 * 256];
  TestSky sky = { 0.05, -30.0, 127.5, 127.5, 20.0 / 3600, 0.0, FALSE };
  CapraSky projection = test_sky_new (&sky);
  CapraImageFigure figure = make_figure (values, 256, 256);
  g_autoptr (CapraPage) page = NULL;
  const CapraItem *before, *zero, *after, *low, *high;

  values[0] = value;
  figure.sky = &projection;
  page = capra_image_figure_draw (&figure);
  g_assert_nonnull (items_find (page, CAPRA_ITEM_X_LABEL, "Right ascension"));
  g_assert_nonnull (items_find (page, CAPRA_ITEM_Y_LABEL, "Declination"));
  before = items_find (page, CAPRA_ITEM_X_TICK, "23h58m");
  zero = items_find (page, CAPRA_ITEM_X_TICK, "00h00m");
  after = items_find (page, CAPRA_ITEM_X_TICK, "00h02m");
  g_assert_true (before && zero && after);
  g_assert_cmpfloat (item_get_center (after), <, item_get_center (zero));
  g_assert_cmpfloat (item_get_center (zero), <, item_get_center (before));
  low = items_find (page, CAPRA_ITEM_Y_TICK, "\u221230°15′");
  high = items_find (page, CAPRA_ITEM_Y_TICK, "\u221229°45′");
  g_assert_true (low && high);
  g_assert_cmpfloat (high->y, <, low->y);
  items_assert_readable (page);
}

/* The label of a line is where the projection shows it on the edge of the image. */
static void
test_sky_positions (void)
{
  static const float values[256 * 256];
  TestSky sky = { 83.6, 70.0, 127.5, 127.5, 20.0 / 3600, 0.1, FALSE };
  CapraSky projection = test_sky_new (&sky);
  CapraImageFigure figure = make_figure (values, 256, 256);
  CapraMark corners[2] = { { 0, 0, 1, 1, 0, 1 }, { 255, 255, 1, 1, 0, 2 } };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CapraMark));
  g_autoptr (CapraPage) page = NULL;
  double left, scale;
  guint found = 0;

  g_array_append_vals (marks, corners, 2);
  figure.marks = marks;
  figure.sky = &projection;
  page = capra_image_figure_draw (&figure);
  left = item_get_center (items_find (page, CAPRA_ITEM_MARK, "1"));
  scale = (item_get_center (items_find (page, CAPRA_ITEM_MARK, "2")) - left) / 255;
  for (guint i = 0; i < page->items->len; i++)
    {
      const CapraItem *item = page->items->pdata[i];
      int hours, minutes;
      double ra, dec, x = (item_get_center (item) - left) / scale;

      if (item->kind != CAPRA_ITEM_X_TICK)
        continue;
      g_assert_cmpint (sscanf (item->text, "%dh%dm", &hours, &minutes), ==, 2);
      projection.to_sky (&sky, x, 255.5, &ra, &dec);
      g_assert_cmpfloat_with_epsilon (ra / 15, hours + minutes / 60.0, 2e-3);
      found++;
    }
  g_assert_cmpuint (found, >=, 3);
}

static CapraSky whole;

static gboolean
to_sky_in_circle (gpointer data, double x, double y, double *ra, double *dec)
{
  return hypot (x - 31.5, y - 31.5) < 25 && whole.to_sky (data, x, y, ra, dec);
}

/* The labels are on the lines if the edge of the image shows no sky. */
static void
test_circle (void)
{
  static const float values[64 * 64];
  TestSky sky = { 150.0, 20.0, 31.5, 31.5, 0.5, 0.0, FALSE };
  CapraSky circle = whole = test_sky_new (&sky);
  CapraImageFigure figure = make_figure (values, 64, 64);
  g_autoptr (CapraPage) page = NULL;

  circle.to_sky = to_sky_in_circle;
  figure.sky = &circle;
  page = capra_image_figure_draw (&figure);
  g_assert_cmpuint (items_count (page, CAPRA_ITEM_X_TICK) + items_count (page, CAPRA_ITEM_Y_TICK), ==, 0);
  g_assert_nonnull (items_find (page, CAPRA_ITEM_NUMBER, "10h00m"));
  g_assert_nonnull (items_find (page, CAPRA_ITEM_NUMBER, "+20°"));
  items_assert_readable (page);
}

static void
test_pole (void)
{
  static const float values[64 * 64];

  for (int sign = -1; sign <= 1; sign += 2)
    for (guint turned = 0; turned < 2; turned++)
      {
        TestSky sky = { 20.0, sign * 89.0, 31.5, 31.5, 0.06, turned ? 1.0 : 0.0, FALSE };
        CapraSky projection = test_sky_new (&sky);
        CapraImageFigure figure = make_figure (values, 64, 64);
        g_autoptr (CapraPage) page = NULL;

        figure.sky = &projection;
        page = capra_image_figure_draw (&figure);
        g_assert_cmpuint (items_count (page, CAPRA_ITEM_X_TICK), >=, 1);
        g_assert_cmpuint (items_count (page, CAPRA_ITEM_Y_TICK), >=, 1);
        items_assert_readable (page);
      }
}

static const char table[]
  = "label,area,centroid_x,centroid_y,weighted_centroid_x,weighted_centroid_y,min_x,min_y,max_x,"
    "max_y\n1,9,10,20,11,21,8,18,12,22\n2,4,40,50,nan,nan,39,49,40,50\n";

static void
assert_numbers_beside_marks (const CapraPage *page)
{
  for (guint i = 0; i < page->items->len; i++)
    for (guint j = 0; j < page->items->len; j++)
      {
        const CapraItem *number = page->items->pdata[i], *mark = page->items->pdata[j];

        if (number->kind == CAPRA_ITEM_NUMBER && mark->kind == CAPRA_ITEM_MARK)
          g_assert_false (number->x < mark->x + mark->width && mark->x < number->x + number->width
                          && number->y < mark->y + mark->height && mark->y < number->y + number->height);
      }
}

/* Two marks beside each other: the number of the left one is not over the right one. */
static void
test_close_sources (void)
{
  static const float values[64 * 64];
  CapraImageFigure figure = make_figure (values, 64, 64);
  CapraMark close[2] = { { 30, 32, 2, 2, 0, 1 }, { 33, 31.5, 2, 2, 0, 2 } };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CapraMark));
  g_autoptr (CapraPage) page = NULL;

  g_array_append_vals (marks, close, 2);
  figure.marks = marks;
  figure.numbers = TRUE;
  page = capra_image_figure_draw (&figure);
  g_assert_cmpuint (items_count (page, CAPRA_ITEM_NUMBER), ==, 2);
  assert_numbers_beside_marks (page);
}

static void
test_sources (void)
{
  static const float values[64 * 64];
  CapraImageFigure figure = make_figure (values, 64, 64);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraColumns) columns = capra_columns_parse (table, 0, &error);
  g_autoptr (CapraColumns) others = capra_columns_parse ("# a b\n1 2\n", 0, NULL);
  g_autoptr (CapraColumns) sky_columns = capra_columns_parse ("ra,dec\n83.6,22\n", 0, NULL);
  TestSky sky = { 83.6, 22.0, 31.5, 30.5, 0.01, 0.0, FALSE };
  CapraSky projection = test_sky_new (&sky);
  g_autoptr (GArray) marks = NULL, sky_marks = NULL;
  g_autoptr (CapraPage) page = NULL;
  const CapraItem *first, *second;
  double scale;

  g_assert_no_error (error);
  marks = capra_sources_new (columns, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (marks->len, ==, 2);
  figure.marks = marks;
  figure.numbers = TRUE;
  page = capra_image_figure_draw (&figure);
  first = items_find (page, CAPRA_ITEM_MARK, "1");
  second = items_find (page, CAPRA_ITEM_MARK, "2");
  scale = (item_get_center (second) - item_get_center (first)) / (40 - 11);
  g_assert_cmpfloat_with_epsilon (second->y + second->height / 2 - first->y - first->height / 2, scale * (50 - 21),
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (first->width, scale * (5 + 2), 1e-6);
  g_assert_cmpuint (items_count (page, CAPRA_ITEM_NUMBER), ==, 2);
  assert_numbers_beside_marks (page);

  sky_marks = capra_sources_new (sky_columns, &projection, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (g_array_index (sky_marks, CapraMark, 0).x, 31.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (g_array_index (sky_marks, CapraMark, 0).y, 30.5, 1e-9);
  g_assert_null (capra_sources_new (sky_columns, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_null (capra_sources_new (others, NULL, &error));
  g_assert_nonnull (error);
}

static void
test_many_sources (void)
{
  g_autofree float *values = g_new0 (float, 512 * 512);
  CapraImageFigure figure = make_figure (values, 512, 512);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CapraMark));
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_autoptr (CapraPage) page = NULL;

  for (guint i = 0; i < 10000; i++)
    {
      CapraMark mark = { g_rand_double_range (random, 0, 511), g_rand_double_range (random, 0, 511), 2, 2, 0, i + 1 };

      g_array_append_val (marks, mark);
    }
  figure.marks = marks;
  figure.numbers = TRUE;
  page = capra_image_figure_draw (&figure);
  g_assert_cmpuint (items_count (page, CAPRA_ITEM_MARK), ==, 10000);
  g_assert_cmpuint (items_count (page, CAPRA_ITEM_NUMBER), >, 0);
  items_assert_readable (page);
}

/* One pixel, long images, constants, NaN, huge positions, any size. */
static void
test_extremes (void)
{
  static const struct {
    int width, height;
    double x;
  } cases[] = { { 1, 1, 0 }, { 1, 5000, 0 }, { 5000, 1, 1e9 }, { 3, 2, -1e6 } };
  static const double sizes[][2] = { { 150, 100 }, { 640, 480 }, { 2000, 1500 } };
  g_autofree float *values = g_new0 (float, 5000);

  for (guint n = 0; n < 3; n++)
    {
      for (guint i = 0; i < 5000; i++)
        values[i] = n == 0 ? NAN : n == 1 ? 1e30f : (float) i - 2500;
      for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
        for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
          {
            CapraImageFigure figure = make_figure (values, cases[c].width, cases[c].height);
            g_autoptr (CapraPage) page = NULL;
            double limits[2], x, y, width, height;

            capra_stretch_limits_find (values, (gsize) (cases[c].width * cases[c].height), (const double[]){ 1, 99 },
                                       limits);
            figure.stretch = (CapraStretch){ CAPRA_STRETCH_LOG, limits[0], limits[1] };
            figure.x = cases[c].x;
            figure.max_width = sizes[s][0];
            figure.max_height = sizes[s][1];
            figure.title = "Title <&>";
            page = capra_image_figure_draw (&figure);
            capra_page_get_extents (page, &x, &y, &width, &height);
            if (sizes[s][0] > 600)
              {
                g_assert_cmpfloat (width, <=, sizes[s][0]);
                g_assert_cmpfloat (height, <=, sizes[s][1]);
                items_assert_readable (page);
              }
            g_assert_nonnull (items_find (page, CAPRA_ITEM_TITLE, "Title <&>"));
            g_assert_true (!!items_find (page, CAPRA_ITEM_LEGEND, "no finite values") == (n == 0));
          }
    }
}

/* Cairo defines the clip of a recording only if it has bounds; without, it also shifts the drawing at random. */
static void
assert_clips (const char *svg)
{
  g_autoptr (GRegex) regex = g_regex_new ("url\\(#([^)]+)\\)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, svg, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *id = g_match_info_fetch (match, 1);
      g_autofree char *definition = g_strdup_printf ("id=\"%s\"", id);

      g_assert_nonnull (strstr (svg, definition));
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_files (void)
{
  static const char *const starts[] = { "\x89PNG", "<?xml", "%PDF" };
  const float values[2] = { 0, 1 };
  CapraImageFigure figure = make_figure (values, 2, 1);
  g_autoptr (CapraPage) page = capra_image_figure_draw (&figure);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; capra_page_get_suffixes ()[i]; i++)
    {
      g_autofree char *name = g_strdup_printf ("figure-test.%s", capra_page_get_suffixes ()[i]);
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL), *text = NULL;

      g_assert_true (capra_page_save (page, path, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, starts[i]));
      if (g_str_has_suffix (path, ".svg"))
        assert_clips (text);
      remove (path);
    }
  g_assert_false (capra_page_save (page, "/tmp/figure.jpg", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (capra_page_save (page, "/missing/folder/figure.png", &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/figure/colors", test_colors);
  g_test_add_func ("/figure/color-bar", test_color_bar);
  g_test_add_func ("/figure/sky", test_sky);
  g_test_add_func ("/figure/sky-positions", test_sky_positions);
  g_test_add_func ("/figure/circle", test_circle);
  g_test_add_func ("/figure/pole", test_pole);
  g_test_add_func ("/figure/sources", test_sources);
  g_test_add_func ("/figure/close-sources", test_close_sources);
  g_test_add_func ("/figure/many-sources", test_many_sources);
  g_test_add_func ("/figure/extremes", test_extremes);
  g_test_add_func ("/figure/files", test_files);
  return g_test_run ();
}

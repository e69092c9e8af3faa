/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area filters as GEGL operations, against scalar references in double precision. */
#include "tests/support/graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "algorithms/convolve/convolve.h"

static const char *const formats[] = { NULL, "Y float", "YaA float", "RGB float", "RaGaBaA float" };

/* An image of noise at an offset, as a node and as doubles. */
typedef struct {
  GeglRectangle rect;
  guint channels;
  double *doubles;
  GeglBuffer *buffer;
  GeglNode *graph, *source;
  ReferenceImage image;
} Noise;

static void
noise_init (Noise *noise, gint width, gint height, guint channels)
{
  gsize count = (gsize) width * height * channels;
  g_autofree float *values = support_noise (count, -0.5, 2.0, width * 31 + height + channels);

  *noise = (Noise){ { 17, -5, width, height }, channels, g_new (double, count) };
  for (gsize i = 0; i < count; i++)
    noise->doubles[i] = values[i];
  noise->buffer = graph_buffer (formats[channels], &noise->rect, values);
  noise->graph = gegl_node_new ();
  noise->source = graph_source (noise->graph, noise->buffer);
  noise->image = (ReferenceImage){ width, height, 1, channels, noise->doubles };
}

static void
noise_clear (Noise *noise)
{
  g_object_unref (noise->graph);
  g_object_unref (noise->buffer);
  g_free (noise->doubles);
}

/* Renders @node at once and in parts, and compares both with @reference, which has the pixels of its bounding box. */
static void
assert_node (GeglNode *node, guint channels, const double *reference, double tolerance, const char *what)
{
  GeglRectangle box = gegl_node_get_bounding_box (node);
  gsize count = (gsize) box.width * box.height * channels;
  g_autofree float *whole = graph_render (node, NULL, formats[channels]);
  g_autofree float *parts = graph_render_parts (node, formats[channels], channels, 23);
  g_autofree char *error = graph_error (node);

  g_assert_cmpstr (error, ==, "");
  support_assert_close (whole, reference, count, tolerance, what);
  support_assert_close (parts, reference, count, tolerance, what);
}

static void
check_gaussian (gint width, gint height, double sigma_x, double sigma_y, guint channels, CapraBorder border,
                gboolean clip)
{
  const double truncate = 3.0;
  int rx = 0, ry = 0;
  g_autofree double *wx = graph_gaussian (sigma_x, truncate, &rx);
  g_autofree double *wy = graph_gaussian (sigma_y, truncate, &ry);
  ReferenceFilter filter = { wx, wy, NULL, rx, rx, ry, ry, 0, 0, border };
  CapraRect result = { clip ? 0 : -rx, clip ? 0 : -ry, width + (clip ? 0 : 2 * rx), height + (clip ? 0 : 2 * ry) };
  g_autofree double *reference = NULL;
  g_autofree char *what = g_strdup_printf ("gaussian %dx%d, %u channels, border %d, clip %d", width, height, channels,
                                           border, clip);
  GeglNode *node = NULL;
  GeglRectangle box;
  Noise noise;

  noise_init (&noise, width, height, channels);
  node = graph_node (noise.graph, noise.source, "capra:gaussian-blur", "std-dev-x", sigma_x, "std-dev-y", sigma_y,
                     "filter", CAPRA_GAUSSIAN_SAMPLED, "truncate", truncate, "abyss-policy", border, "clip-extent",
                     clip, NULL);
  box = gegl_node_get_bounding_box (node);
  g_assert_cmpint (box.x, ==, noise.rect.x + result.x);
  g_assert_cmpint (box.y, ==, noise.rect.y + result.y);
  g_assert_cmpint (box.width, ==, result.width);
  g_assert_cmpint (box.height, ==, result.height);
  reference = reference_filter_separable (&noise.image, &filter, result);
  assert_node (node, channels, reference, 1e-5 * 2.0, what);
  noise_clear (&noise);
}

/* Each number of channels with one border only, as every combination is a kernel to build: the algorithm's own tests
 * have all of them. */
static void
test_gaussian (void)
{
  const gint sizes[][2] = { { 1, 1 }, { 1, 17 }, { 17, 1 }, { 53, 38 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
      for (int clip = 0; clip < 2; clip++)
        check_gaussian (sizes[i][0], sizes[i][1], 1.7, 0.6, 1 + border, border, clip);
}

/* Images narrower than the reach, with results before, on and behind them. */
static void
test_gaussian_narrow (void)
{
  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_CLAMP; border++)
    {
      check_gaussian (13, 38, 19.0, 2.5, 1, border, FALSE);
      check_gaussian (38, 7, 2.5, 19.0, 3, border, FALSE);
      check_gaussian (1, 1, 30.0, 8.0, 1, border, FALSE);
    }
}

/* Each filter; auto chooses one for each axis by its sigma. */
static void
test_gaussian_filters (void)
{
  static const struct {
    const gchar *filter;
    gint number;
    double x, y, end_x, end_y;
  } cases[] = {
    { "auto", 0, 6.5, 1.2, 9, 4 },
    { "fir", 1, 6.5, 1.2, 4, 4 },
    { "iir", 2, 6.5, 1.2, 9, 9 },
    { "auto", 0, 2, 12, 4, 9 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      int rx = 0, ry = 0;
      g_autofree double *wx = graph_gaussian (cases[i].x, cases[i].end_x, &rx);
      g_autofree double *wy = graph_gaussian (cases[i].y, cases[i].end_y, &ry);
      ReferenceFilter filter = { wx, wy, NULL, rx, rx, ry, ry, 0, 0, CAPRA_BORDER_MIRROR };
      g_autofree double *reference = NULL;
      GeglNode *node = NULL;
      Noise noise;

      noise_init (&noise, 97, 61, 1);
      node = graph_node (noise.graph, noise.source, "capra:gaussian-blur", "std-dev-x", cases[i].x, "std-dev-y",
                         cases[i].y, "filter", cases[i].number, "abyss-policy", CAPRA_BORDER_MIRROR, NULL);
      reference = reference_filter_separable (&noise.image, &filter, (CapraRect){ 0, 0, 97, 61 });
      assert_node (node, 1, reference, 2e-5, cases[i].filter);
      noise_clear (&noise);
    }
}

/* Colors are linear and weighted by alpha. */
static void
test_gaussian_colors (void)
{
  const gint width = 31, height = 22;
  const GeglRectangle rect = { 0, 0, width, height };
  gsize count = (gsize) width * height;
  g_autofree float *values = support_noise (4 * count, 0.05, 1.0, 5);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("R'G'B'A float", &rect, values);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, buffer), "capra:gaussian-blur", "std-dev-x", 2.0,
                               "std-dev-y", 2.0, NULL);
  g_autofree double *associated = g_new (double, 4 * count);
  g_autofree double *blurred = NULL;
  g_autofree float *pixels = NULL;
  int radius = 0;
  g_autofree double *weights = graph_gaussian (2.0, 4.0, &radius);
  ReferenceFilter filter = { weights, weights, NULL, radius, radius, radius, radius, 0, 0, CAPRA_BORDER_CLAMP };
  ReferenceImage image = { width, height, 1, 4, associated };

  for (gsize i = 0; i < count; i++)
    for (guint c = 0; c < 4; c++)
      {
        double v = values[4 * i + c];
        double linear = v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);

        associated[4 * i + c] = c == 3 ? v : linear * values[4 * i + 3];
      }
  blurred = reference_filter_separable (&image, &filter, (CapraRect){ 0, 0, width, height });
  for (gsize i = 0; i < count; i++)
    for (guint c = 0; c < 3; c++)
      blurred[4 * i + c] /= blurred[4 * i + 3];
  pixels = graph_render (node, NULL, "RGBA float");
  support_assert_close (pixels, blurred, 4 * count, 2e-5, "colors");
}

/* Pixels of any format are processed as the colors that they represent. */
static void
test_formats (void)
{
  static const char *const others[] = { "CMYK float",   "HSVA float",   "CIE Lab float",
                                        "R'G'B'A half", "Y' u8",        "Y'A u16",
                                        "RGB double",   "cairo-ARGB32", NULL };
  const GeglRectangle rect = { -3, 8, 31, 22 };
  const guint8 colors[] = { 0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 255, 255, 255, 128 };
  g_autofree float *noise = support_noise (4 * 31 * 22, 0.1, 0.9, 5);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const Babl *format = others[i] ? babl_format (others[i]) : NULL, *with_alpha = NULL;
      g_autofree float *pixels = g_new (float, 4 * 31 * 22);
      g_autofree guint8 *indices = g_new (guint8, 31 * 22);
      g_autofree float *other = NULL, *plain = NULL;
      g_autofree double *expected = g_new (double, 4 * 31 * 22);
      g_autoptr (GeglBuffer) a = NULL;
      g_autoptr (GeglBuffer) b = NULL;
      g_autoptr (GeglNode) graph = gegl_node_new ();

      if (!format)
        {
          babl_new_palette (NULL, &format, &with_alpha);
          babl_palette_set_palette (format, babl_format ("R'G'B'A u8"), (gpointer) colors, 4);
        }
      a = gegl_buffer_new (&rect, format);
      for (guint k = 0; k < 31 * 22; k++)
        indices[k] = (guint8) (noise[k] * 4.0f);
      gegl_buffer_set (a, &rect, 0, others[i] ? babl_format ("R'G'B'A float") : format,
                       others[i] ? (gpointer) noise : (gpointer) indices, GEGL_AUTO_ROWSTRIDE);
      gegl_buffer_get (a, &rect, 1.0, babl_format ("RGBA float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      b = graph_buffer ("RGBA float", &rect, pixels);
      other = graph_render (graph_node (graph, graph_source (graph, a), "capra:gaussian-blur", NULL), NULL,
                            "RGBA float");
      plain = graph_render (graph_node (graph, graph_source (graph, b), "capra:gaussian-blur", NULL), NULL,
                            "RGBA float");
      for (guint k = 0; k < 4 * 31 * 22; k++)
        expected[k] = plain[k];
      support_assert_close (other, expected, 4 * 31 * 22, 1e-4, others[i] ? others[i] : "palette");
    }
}

static void
test_box (void)
{
  for (guint channels = 1; channels <= 4; channels++)
    for (int radius = 0; radius <= 40; radius = radius * 3 + 1)
      {
        CapraBorder border = (CapraBorder) (channels - 1);
        g_autofree double *weights = g_new (double, 2 * radius + 1);
        g_autofree double *reference = NULL;
        ReferenceFilter filter = { weights, weights, NULL, radius, radius, radius, radius, 0, 0, border };
        GeglNode *node = NULL;
        Noise noise;

        for (int i = 0; i <= 2 * radius; i++)
          weights[i] = 1.0 / (2 * radius + 1);
        noise_init (&noise, 41, 29, channels);
        node = graph_node (noise.graph, noise.source, "capra:box-blur", "radius", radius, "abyss-policy", border, NULL);
        reference = reference_filter_separable (&noise.image, &filter, (CapraRect){ 0, 0, 41, 29 });
        assert_node (node, channels, reference, 2e-5, "box");
        noise_clear (&noise);
      }
}

typedef struct {
  int width, height; /* of the matrix */
  gboolean correlate;
  CapraExtent extent;
  CapraBorder border;
  int stride_x, stride_y;
} Convolution;

/* The reference computes a correlation with offsets from -left to +right, so the matrix of a convolution is rotated. */
static double *
convolved (const Noise *noise, const Convolution *c, const double *matrix, CapraRect *result)
{
  int cx = c->width / 2, cy = c->height / 2;
  int left = c->correlate ? cx : c->width - 1 - cx, right = c->width - 1 - left;
  int top = c->correlate ? cy : c->height - 1 - cy, bottom = c->height - 1 - top;
  int x0 = c->extent == CAPRA_EXTENT_FULL ? -right : c->extent == CAPRA_EXTENT_VALID ? left : 0;
  int y0 = c->extent == CAPRA_EXTENT_FULL ? -bottom : c->extent == CAPRA_EXTENT_VALID ? top : 0;
  int x1 = c->extent == CAPRA_EXTENT_FULL    ? noise->rect.width + left
           : c->extent == CAPRA_EXTENT_VALID ? noise->rect.width - right
                                             : noise->rect.width;
  int y1 = c->extent == CAPRA_EXTENT_FULL    ? noise->rect.height + top
           : c->extent == CAPRA_EXTENT_VALID ? noise->rect.height - bottom
                                             : noise->rect.height;
  int count = c->width * c->height;
  g_autofree double *weights = g_new (double, count);
  ReferenceFilter reach = { NULL, NULL, NULL, left, right, top, bottom, 0, 0, c->border };

  for (int i = 0; i < count; i++)
    weights[i] = matrix[c->correlate ? i : count - 1 - i];
  *result = (CapraRect){ 0, 0, (x1 - x0 + c->stride_x - 1) / c->stride_x, (y1 - y0 + c->stride_y - 1) / c->stride_y };
  return reference_filter_matrix (&noise->image, weights, &reach, x0, y0, c->stride_x, c->stride_y, *result);
}

static char *
matrix_text (const double *matrix, int width, int height)
{
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (int i = 0; i < width * height; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0           ? ""
                            : i % width == 0 ? "; "
                                             : " ",
                            g_ascii_dtostr (number, sizeof number, matrix[i]));
  return g_string_free (text, FALSE);
}

static void
check_convolution (const Convolution *c, guint channels, const double *matrix, double sum)
{
  g_autofree char *text = matrix_text (matrix, c->width, c->height);
  g_autofree char *what = g_strdup_printf ("convolve %dx%d correlate %d extent %d border %d stride %d %d", c->width,
                                           c->height, c->correlate, c->extent, c->border, c->stride_x, c->stride_y);
  g_autofree double *reference = NULL;
  CapraRect result;
  GeglRectangle box;
  GeglNode *node = NULL;
  Noise noise;

  noise_init (&noise, 37, 26, channels);
  node = graph_node (noise.graph, noise.source, "capra:convolve", "matrix", text, "correlate", c->correlate, "extent",
                     c->extent, "border", c->border, "stride-x", c->stride_x, "stride-y", c->stride_y, NULL);
  reference = convolved (&noise, c, matrix, &result);
  box = gegl_node_get_bounding_box (node);
  g_assert_cmpint (box.width, ==, result.width);
  g_assert_cmpint (box.height, ==, result.height);
  assert_node (node, channels, reference, 1e-5 * 2.0 * sum, what);
  noise_clear (&noise);
}

static void
test_convolve (void)
{
  static const Convolution cases[] = {
    { 3, 3, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_NONE, 1, 1 },
    { 5, 3, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP, 1, 1 },
    { 4, 2, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_MIRROR, 1, 1 },
    { 4, 2, TRUE, CAPRA_EXTENT_SAME, CAPRA_BORDER_WRAP, 1, 1 },
    { 5, 4, FALSE, CAPRA_EXTENT_FULL, CAPRA_BORDER_NONE, 1, 1 },
    { 5, 4, TRUE, CAPRA_EXTENT_VALID, CAPRA_BORDER_NONE, 1, 1 },
    { 7, 7, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP, 5, 3 },
    { 1, 1, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP, 2, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize count = (gsize) cases[i].width * cases[i].height;
      g_autofree float *values = support_noise (count, -1.0, 1.0, i);
      g_autofree double *matrix = g_new (double, count);
      double sum = 0.0;

      for (gsize k = 0; k < count; k++)
        sum += fabs (matrix[k] = values[k]);
      check_convolution (&cases[i], 1 + i % 4, matrix, sum);
    }
}

/* The same matrix from a file and from the aux pad; divisor and offset. */
static void
test_convolve_sources (void)
{
  const double matrix[6] = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };
  const float picture[6] = { 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f };
  const Convolution c = { 3, 2, FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP, 1, 1 };
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", GEGL_RECTANGLE (9, 9, 3, 2), picture);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "capra-matrix-XXXXXX", NULL);
  g_autofree double *reference = NULL;
  GeglNode *node = NULL;
  CapraRect result;
  Noise noise;
  int file = g_mkstemp (path);

  g_assert_true (file >= 0
                 && g_file_set_contents (path,
                                         "\xef\xbb\xbf"
                                         "1 2 3 # a row\r\n4 5 6\n",
                                         -1, NULL));
  noise_init (&noise, 37, 26, 1);
  reference = convolved (&noise, &c, matrix, &result);
  for (gsize i = 0; i < 37 * 26; i++)
    reference[i] = reference[i] / 21.0 + 0.25;

  node = graph_node (noise.graph, noise.source, "capra:convolve", "path", path, "divisor", 0.0, "offset", 0.25, NULL);
  assert_node (node, 1, reference, 2e-5, "matrix file");
  gegl_node_set (node, "path", "", "matrix", "7", NULL);
  gegl_node_connect (graph_source (noise.graph, image), "output", node, "aux");
  assert_node (node, 1, reference, 2e-5, "matrix image");
  g_unlink (path);
  close (file);
  noise_clear (&noise);
}

/* A part of an unbounded input can be computed. */
static void
test_unbounded (void)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *checks = graph_node (graph, NULL, "gegl:checkerboard", "x", 3, "y", 3, NULL);
  GeglNode *blur = graph_node (graph, checks, "capra:gaussian-blur", "std-dev-x", 30.0, "std-dev-y", 30.0, NULL);
  GeglRectangle part = { 1000, -1000, 16, 16 };
  g_autofree float *pixels = graph_render (blur, &part, "Y float");

  for (gsize i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon (pixels[i], 0.5, 1e-3);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/filters/gaussian", test_gaussian);
  g_test_add_func ("/filters/gaussian-narrow", test_gaussian_narrow);
  g_test_add_func ("/filters/gaussian-filters", test_gaussian_filters);
  g_test_add_func ("/filters/gaussian-colors", test_gaussian_colors);
  g_test_add_func ("/filters/formats", test_formats);
  g_test_add_func ("/filters/box", test_box);
  g_test_add_func ("/filters/convolve", test_convolve);
  g_test_add_func ("/filters/convolve-sources", test_convolve_sources);
  g_test_add_func ("/filters/unbounded", test_unbounded);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

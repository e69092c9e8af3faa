/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outside the extent of the image on the aux pad, thresholds are 0, in whichever parts a host renders. */
#include "tests/support/graph.h"

#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#define WIDTH 301
#define HEIGHT 203
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };

/* The extent of the thresholds. */
static const struct {
  const char *name;
  GeglRectangle rect;
  gboolean covers;
} cases[] = {
  { "same", { -13, 27, WIDTH, HEIGHT }, TRUE },
  { "larger", { -50, -20, 500, 400 }, TRUE },
  { "inside", { 60, 80, 90, 70 } },
  { "corner", { -40, 0, 100, 100 } },
  { "rows", { -13, 100, WIDTH, 40 } },
  { "column", { 100, 27, 1, HEIGHT } },
  { "pixel", { 150, 120, 1, 1 } },
  { "beside", { 288, 27, 50, 50 } },
  { "far", { 5000, -3000, 60, 40 } },
};

/* Values of both signs, so that a threshold of 0 sets some pixels; with or without alpha. */
static GeglBuffer *
new_image (gboolean alpha)
{
  guint channels = alpha ? 2 : 1;
  g_autofree float *values = support_noise (channels * COUNT, -0.5, 1.0, 3);

  return graph_buffer (alpha ? "YA float" : "Y float", &rect, values);
}

static GeglBuffer *
new_thresholds (const GeglRectangle *area)
{
  g_autofree float *values = support_noise ((gsize) area->width * area->height, 0.1, 0.8, 4);

  return graph_buffer ("Y float", area, values);
}

/* The expected mask, computed from pixels in host memory. */
static float *
new_expected (GeglBuffer *image, GeglBuffer *thresholds, const char *format, double high)
{
  g_autofree float *values = g_new (float, COUNT), *lows = g_new (float, COUNT);
  float *mask = g_new (float, COUNT);

  gegl_buffer_get (image, &rect, 1.0, babl_format (format), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (thresholds, &rect, 1.0, babl_format (format), lows, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gint i = 0; i < COUNT; i++)
    mask[i] = (double) values[i] >= lows[i] && values[i] <= high ? 1.0f : 0.0f;
  return mask;
}

static void
expect_remark (gboolean expected)
{
  if (expected)
    g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*do not cover the image*missing thresholds are 0*");
}

/* At once, and in different parts. */
static void
assert_mask (GeglNode *node, const float *expected, gboolean remarks)
{
  static const gint sizes[] = { 400, 128, 64, 37 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree float *mask = NULL;

      expect_remark (remarks && i == 0);
      mask = graph_render_parts (node, "Y float", 1, sizes[i]);
      g_test_assert_expected_messages ();
      for (gint k = 0; k < COUNT; k++)
        if (mask[k] != expected[k])
          g_error ("in parts of %d, the pixel at %d, %d is %g, not %g", sizes[i], k % WIDTH, k / WIDTH, mask[k],
                   expected[k]);
    }
}

/* Parts of a few rows, from top to bottom, rendered first. */
static void
assert_rows (GeglNode *node, const float *expected)
{
  for (gint y = 0; y < HEIGHT; y += 50)
    {
      GeglRectangle rows = { rect.x, rect.y + y, WIDTH, MIN (3, HEIGHT - y) };
      gsize bytes = (gsize) rows.width * rows.height * sizeof (float);
      g_autofree float *mask = graph_render (node, &rows, "Y float");

      g_assert_cmpmem (mask, bytes, expected + y * WIDTH, bytes);
    }
}

/* @number: the case; its bits from 4 on: alpha, perceptual values, a method, an upper limit. */
static void
test_extent (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);

  for (guint bits = 0; bits < 16; bits++)
    {
      gboolean perceptual = (bits & 2) != 0;
      double high = bits & 8 ? 0.75 : 1e9;
      g_autoptr (GeglBuffer) image = new_image (bits & 1), thresholds = new_thresholds (&cases[number].rect);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *aux = graph_source (graph, thresholds);
      GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:threshold", "value", 0.3, "high", high,
                                   "perceptual", perceptual, "method", bits & 4 ? 1 : 0, NULL);
      g_autofree float *expected = new_expected (image, thresholds, perceptual ? "Y' float" : "Y float", high);

      gegl_node_connect (aux, "output", node, "aux");
      assert_mask (node, expected, !cases[number].covers);
      assert_rows (node, expected);
    }
}

/* Both images are on a device, or in bands on all devices. */
static void
test_resident (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  const char *const devices[] = { "0", "all" };

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autoptr (GeglBuffer) image = new_image (FALSE), thresholds = new_thresholds (&cases[number].rect);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *aux = graph_node (graph, graph_source (graph, thresholds), "capra:box-blur", "radius", 0, NULL);
      GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:box-blur", "radius", 0, "device",
                                   support_device_name (devices[i]), NULL);
      g_autofree float *expected = new_expected (image, thresholds, "Y float", INFINITY);

      node = graph_node (graph, node, "capra:threshold", "value", 0.3, "device", support_device_name (devices[i]),
                         NULL);
      gegl_node_connect (aux, "output", node, "aux");
      assert_mask (node, expected, !cases[number].covers);
    }
}

/* Thresholds that cover the image. */
static void
test_infinite (void)
{
  g_autoptr (GeglBuffer) image = new_image (FALSE), thresholds = gegl_buffer_new (&rect, babl_format ("Y float"));
  GeglColor *color = gegl_color_new ("rgb(0.5,0.5,0.5)");
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *aux = graph_node (graph, NULL, "gegl:color", "value", color, NULL);
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:threshold", "value", 0.3, NULL);
  g_autofree float *expected = NULL;

  gegl_buffer_set_color (thresholds, &rect, color);
  g_object_unref (color);
  expected = new_expected (image, thresholds, "Y float", INFINITY);
  gegl_node_connect (aux, "output", node, "aux");
  assert_mask (node, expected, FALSE);
  assert_rows (node, expected);
}

/* An image without pixels, which GIMP connects to an input that the user has not set, is like no image. */
static void
test_empty (void)
{
  g_autoptr (GeglBuffer) image = new_image (FALSE);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *aux = gegl_node_new_child (graph, "operation", "gegl:buffer-source", NULL);
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:threshold", "value", 0.3, NULL);
  g_autofree float *values = g_new (float, COUNT), *expected = g_new (float, COUNT);

  gegl_buffer_get (image, &rect, 1.0, NULL, values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gint i = 0; i < COUNT; i++)
    expected[i] = values[i] >= 0.3 ? 1.0f : 0.0f;
  gegl_node_connect (aux, "output", node, "aux");
  assert_mask (node, expected, FALSE);
  assert_rows (node, expected);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      graph_add_case ("/threshold-aux/extent/", cases[i].name, i, test_extent);
      graph_add_case ("/threshold-aux/resident/", cases[i].name, i, test_resident);
    }
  g_test_add_func ("/threshold-aux/infinite", test_infinite);
  g_test_add_func ("/threshold-aux/empty", test_empty);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra:label outputs colors as bytes, and transfers and launches no more for colors than for numbers. */
#include "tests/support/graph.h"

#include <gegl-plugin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 301
#define HEIGHT 203
#define COUNT (WIDTH * HEIGHT)

enum { NUMBERS = 1 }; /* of the property "rendering" */

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };

/* A mask of about half of the pixels in @format. */
static GeglBuffer *
new_mask (const char *format)
{
  g_autofree float *noise = support_noise (COUNT, -1.0, 1.0, 5);
  GeglBuffer *buffer = gegl_buffer_new (&rect, babl_format (format));

  for (gint i = 0; i < COUNT; i++)
    noise[i] = noise[i] > 0.0f;
  gegl_buffer_set (buffer, &rect, 0, babl_format ("Y float"), noise, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static const Babl *
get_format (GeglNode *node)
{
  gegl_node_get_bounding_box (node); /* prepares the node */
  return gegl_operation_get_format (gegl_node_get_gegl_operation (node), "output");
}

/* The pixels of the colors of @labels, R'G'B'A. Free with g_free(). */
static guint8 *
make_colors (const guint32 *labels)
{
  guint8 *pixels = g_malloc (4 * COUNT);

  for (gint i = 0; i < COUNT; i++)
    {
      guint32 color = capra_label_color (labels[i]);

      for (guint k = 0; k < 4; k++)
        pixels[4 * i + k] = (guint8) (color >> (k < 3 ? 16 - 8 * k : 24));
    }
  return pixels;
}

/* The colors of the exact numbers, from sources with and without alpha, rendered at once and in parts. */
static void
test_bytes (void)
{
  static const char *const sources[] = { "Y float", "Y' u8", "RGBA float", "R'G'B' u16" };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) mask = new_mask (sources[i]);
      GeglNode *source = graph_source (graph, mask);
      GeglNode *numbers = graph_node (graph, source, "capra:label", "rendering", NUMBERS, NULL);
      GeglNode *colors = graph_node (graph, source, "capra:label", NULL);
      g_autofree guint32 *labels = graph_render (numbers, NULL, "Y' u32");
      g_autofree guint8 *expected = make_colors (labels), *whole = graph_render (colors, NULL, "R'G'B'A u8");
      g_autofree float *parts = graph_render_parts (colors, "R'G'B'A float", 4, 64);
      int count = 0, count_of_colors = 0;

      g_assert_cmpstr (babl_get_name (get_format (colors)), ==, "R'G'B'A u8");
      g_assert_cmpstr (babl_get_name (get_format (numbers)), ==, "Y' u32");
      g_assert_cmpmem (whole, 4 * COUNT, expected, 4 * COUNT);
      for (gint k = 0; k < 4 * COUNT; k++)
        g_assert_cmpfloat_with_epsilon (parts[k] * 255.0f, expected[k], 1e-3);
      gegl_node_get (numbers, "count", &count, NULL);
      gegl_node_get (colors, "count", &count_of_colors, NULL);
      g_assert_cmpint (count, >, 100);
      g_assert_cmpint (count_of_colors, ==, count);
    }
}

/* The colors are in the color space of the source. */
static void
test_space (void)
{
  const Babl *space = babl_space ("ProPhoto"), *format = babl_format_with_space ("R'G'B'A u8", space);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) mask = gegl_buffer_new (&rect, babl_format_with_space ("RGB float", space));
  GeglNode *colors = graph_node (graph, graph_source (graph, mask), "capra:label", NULL);
  guint8 pixel[4] = { 0 };

  gegl_buffer_set_color_from_pixel (mask, &rect, (const float[]){ 0.5f, 0.5f, 0.5f }, gegl_buffer_get_format (mask));
  g_assert_true (get_format (colors) == format);
  gegl_node_blit (colors, 1.0, GEGL_RECTANGLE (0, 100, 1, 1), format, pixel, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmphex ((guint) pixel[3] << 24 | pixel[0] << 16 | pixel[1] << 8 | pixel[2], ==, capra_label_color (1));
}

/* All commands since the last call of graph_forget(). */
static guint64
count_commands (void)
{
  guint64 count = 0;

  capra_timeline_total (NULL, NULL, &count, NULL);
  return count;
}

/* The mask is uploaded once and four bytes a pixel are downloaded once: for numbers, for colors, and for colors that
 * are written as floats. Otherwise only the count is downloaded. Colors need no command more than numbers. */
static void
test_transfers (void)
{
  static const struct {
    const char *rendering, *target;
  } cases[] = {
    { "numbers", "Y' u32" },     { "colors", "R'G'B'A u8" }, { "colors", "R'G'B'A float" },
    { "colors", "R'G'B'A u16" }, { "colors", "Y float" },
  };
  guint64 commands = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) mask = new_mask ("Y float");
      g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, babl_format (cases[i].target));
      GeglNode *label = graph_node (graph, graph_source (graph, mask), "capra:label", "rendering",
                                    g_str_equal (cases[i].rendering, "numbers") ? NUMBERS : 0, NULL);

      graph_forget ();
      gegl_node_process (graph_node (graph, label, "gegl:write-buffer", "buffer", target, NULL));
      g_assert_cmpuint (graph_bytes ("upload"), ==, 4 * COUNT);
      g_assert_cmpuint (graph_bytes ("download"), ==, 4 * COUNT);
      g_assert_cmpuint (graph_bytes ("result"), ==, sizeof (guint32));
      g_assert_cmpuint (graph_count ("label_colors") + graph_count ("convert"), ==, 0);
      if (i == 0)
        commands = count_commands ();
      g_assert_cmpuint (count_commands (), ==, commands);
    }
}

/* The table of regions that is written when @node is rendered: the last one. Free with g_free(). */
static char *
write_table (GeglNode *graph, GeglNode *node, const char *format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree void *passed = NULL;
  const char *table = NULL;

  g_object_set_data (G_OBJECT (graph), "capra:table-text", text);
  passed = graph_render (node, NULL, format);
  g_object_set_data (G_OBJECT (graph), "capra:table-text", NULL);
  table = g_strrstr (text->str, "label");
  g_assert_nonnull (table);
  return g_strdup (table);
}

/* Colors are for the eye: what is measured are the numbers that they stand for, also in a part of the image, behind
 * another measurement, and if the measurement is added when the colors have been rendered. */
static void
test_measured (void)
{
  static const char *const between[] = { "gegl:nop", "gegl:crop", "capra:statistics", "capra:measure" };

  for (guint i = 0; i < G_N_ELEMENTS (between); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) mask = new_mask ("Y float");
      GeglNode *source = graph_source (graph, mask);
      GeglNode *numbers = graph_node (graph, source, "capra:label", "rendering", NUMBERS, NULL);
      GeglNode *colors = graph_node (graph, source, "capra:label", NULL);
      g_autofree guint8 *shown = graph_render (colors, NULL, "R'G'B'A u8"), *passed = NULL;
      GeglNode *first = graph_node (graph, numbers, between[i], NULL);
      GeglNode *second = graph_node (graph, colors, between[i], NULL);
      g_autofree char *expected = NULL, *table = NULL, *error = NULL;
      int count = 0;

      if (g_str_equal (between[i], "gegl:crop"))
        {
          gegl_node_set (first, "x", 11.0, "y", 40.0, "width", 77.0, "height", 91.0, NULL);
          gegl_node_set (second, "x", 11.0, "y", 40.0, "width", 77.0, "height", 91.0, NULL);
        }
      first = graph_node (graph, first, "capra:measure", NULL);
      second = graph_node (graph, second, "capra:measure", NULL);
      expected = write_table (graph, first, "Y' u32");
      table = write_table (graph, second, "R'G'B'A u8");
      error = graph_error (second);
      g_assert_cmpstr (error, ==, "");
      g_assert_cmpstr (table, ==, expected);
      gegl_node_get (second, "count", &count, NULL);
      g_assert_cmpint (count, >, 10);
      passed = graph_render (colors, NULL, "R'G'B'A u8"); /* the colors are the same */
      g_assert_cmpmem (passed, 4 * COUNT, shown, 4 * COUNT);
    }
}

static int
compare_labels (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* Of the numbers themselves, against a scalar reference, on both devices. */
static void
test_statistics (void)
{
  for (guint device = 0; device < 2; device++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) mask = new_mask ("Y float");
      const char *name = support_device_name (device ? "1" : "0");
      GeglNode *labels = graph_node (graph, graph_source (graph, mask), "capra:label", "rendering", NUMBERS, "device",
                                     name, NULL);
      GeglNode *node = graph_node (graph, labels, "capra:statistics", "device", name, NULL);
      g_autofree guint32 *numbers = graph_render (labels, NULL, "Y' u32"), *passed = NULL;
      double count, low, high, middle, std, median, sum, total = 0.0, squares = 0.0;

      passed = graph_render (node, NULL, "Y' u32");
      g_assert_cmpmem (passed, 4 * COUNT, numbers, 4 * COUNT);
      gegl_node_get (node, "count", &count, "min", &low, "max", &high, "mean", &middle, "std", &std, "median", &median,
                     "sum", &sum, NULL);
      qsort (numbers, COUNT, 4, compare_labels);
      for (gsize i = 0; i < COUNT; i++)
        total += numbers[i];
      for (gsize i = 0; i < COUNT; i++)
        squares += (numbers[i] - total / COUNT) * (numbers[i] - total / COUNT);
      g_assert_cmpfloat (count, ==, COUNT);
      g_assert_cmpfloat (low, ==, numbers[0]);
      g_assert_cmpfloat (high, ==, numbers[COUNT - 1]);
      g_assert_cmpfloat (median, ==, numbers[COUNT / 2]);
      g_assert_cmpfloat (sum, ==, total);
      g_assert_cmpfloat_with_epsilon (middle, total / COUNT, 1e-9 * total / COUNT);
      g_assert_cmpfloat_with_epsilon (std, sqrt (squares / COUNT), 1e-6 * total / COUNT);
    }
}

/* Colors can be labeled again, as a mask, without leaving the device; what another operation makes of them cannot be
 * measured. */
static void
test_chained (void)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) mask = new_mask ("Y float");
  GeglNode *source = graph_source (graph, mask);
  GeglNode *numbers = graph_node (graph, source, "capra:label", "rendering", NUMBERS, NULL);
  GeglNode *colors = graph_node (graph, source, "capra:label", NULL);
  GeglNode *again = graph_node (graph, colors, "capra:label", "rendering", NUMBERS, NULL);
  GeglNode *blurred = graph_node (graph, colors, "capra:box-blur", NULL);
  GeglNode *measure = graph_node (graph, blurred, "capra:measure", NULL);
  g_autofree guint32 *labels = graph_render (numbers, NULL, "Y' u32"), *second = NULL;
  g_autofree guint8 *expected = graph_render (blurred, NULL, "R'G'B'A u8"), *passed = NULL;
  g_autofree char *error = NULL;

  graph_forget ();
  second = graph_render (again, NULL, "Y' u32");
  g_assert_cmpmem (second, 4 * COUNT, labels, 4 * COUNT);
  g_assert_cmpuint (graph_count ("download"), ==, 1);

  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*values that are not labels*rendering=numbers*");
  passed = graph_render (measure, NULL, "R'G'B'A u8");
  g_test_assert_expected_messages ();
  error = graph_error (measure);
  g_assert_nonnull (strstr (error, "rendering=numbers"));
  g_assert_cmpmem (passed, 4 * COUNT, expected, 4 * COUNT);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/label-rendering/bytes", test_bytes);
  g_test_add_func ("/label-rendering/space", test_space);
  g_test_add_func ("/label-rendering/transfers", test_transfers);
  g_test_add_func ("/label-rendering/measured", test_measured);
  g_test_add_func ("/label-rendering/statistics", test_statistics);
  g_test_add_func ("/label-rendering/chained", test_chained);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

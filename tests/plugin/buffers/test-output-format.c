/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that are written into buffers have the buffers' format and the values that GEGL's conversion gives. */
#include <math.h>

#include "tests/support/graph.h"
#include "plugin/buffers/output-format.h"

#define WIDTH 301
#define HEIGHT 203

static const GeglRectangle small = { -13, 27, WIDTH, HEIGHT };
/* Large enough for non-temporal stores. The rows are not a multiple of the length of a cache line. */
static const GeglRectangle large = { -13, 27, 1102, 1003 };

/* An image in the format @source. Its mask by Otsu's method, or the result of @operation, is written to buffers of the
 * formats @targets (one or two). The expected format of the result is @shown. */
typedef struct {
  const char *name, *source, *targets[2], *shown, *operation;
} Case;

static const Case cases[] = {
  { "alpha", "RGBA float", { "RGBA float" }, "RGBA float" },
  { "perceptual", "RGBA float", { "R'G'B'A float" }, "R'G'B'A float" },
  { "associated", "RGBA float", { "YaA float" }, "YaA float" },
  { "gray", "Y float", { "RGB float" }, "RGB float" },
  { "new-alpha", "Y float", { "RaGaBaA float" }, "RaGaBaA float" },
  { "the-same", "Y float", { "Y float" }, "Y float" },
  { "twice", "RGBA float", { "RGBA float", "RGBA float" }, "RGBA float" },
  /* GEGL does conversions that lose information, since other nodes may read the same result. */
  { "no-alpha", "RGBA float", { "RGB float" }, "YA float" },
  { "bytes", "RGBA float", { "R'G'B'A u8" }, "YA float" },
  { "halves", "RGBA float", { "RGBA half" }, "YA float" },
  { "differ", "RGBA float", { "RGBA float", "YA float" }, "YA float" },
  { "model", "Y float", { "HSVA float" }, "Y float" },
  /* The colors of labels are bytes. */
  { "colors-float", "Y float", { "R'G'B'A float" }, "R'G'B'A float", "capra:label" },
  { "colors-linear", "Y float", { "RGBA float" }, "RGBA float", "capra:label" },
  { "colors-16-bit", "Y float", { "R'G'B'A u16" }, "R'G'B'A u16", "capra:label" },
  { "colors-bytes", "Y float", { "R'G'B'A u8" }, "R'G'B'A u8", "capra:label" },
  { "colors-no-alpha", "Y float", { "R'G'B' u8" }, "R'G'B'A u8", "capra:label" },
  { "colors-gray", "Y float", { "Y float" }, "R'G'B'A u8", "capra:label" },
  { "colors-halves", "Y float", { "R'G'B'A half" }, "R'G'B'A u8", "capra:label" },
};

static GeglBuffer *
new_source (const char *format, const GeglRectangle *rect, guint32 seed)
{
  gsize count = (gsize) rect->width * rect->height * 4;
  g_autofree float *values = support_noise (count, 0.0, 1.0, seed);
  GeglBuffer *buffer = gegl_buffer_new (rect, babl_format (format));

  for (gsize i = 3; i < count; i += 20)
    values[i] = 0.0f; /* some transparent pixels */
  gegl_buffer_set (buffer, rect, 0, babl_format ("RGBA float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* The result of @operation, converted to @format by GEGL. */
static gpointer
render_alone (GeglNode *input, const char *operation, const char *format)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = NULL;
  GeglNode *node = NULL;

  gegl_node_get (input, "buffer", &buffer, NULL);
  node = graph_node (graph, graph_source (graph, buffer), operation, NULL);
  if (g_str_equal (operation, "capra:threshold"))
    gegl_node_set (node, "method", 1, NULL); /* Otsu */
  return graph_render (node, NULL, format);
}

/* The value of a component at @index; NAN for types that are not compared by value. */
static double
get_value (gconstpointer values, const Babl *type, gsize index)
{
  if (type == babl_type ("u8"))
    return ((const guint8 *) values)[index];
  if (type == babl_type ("u16"))
    return ((const guint16 *) values)[index];
  return type == babl_type ("float") ? ((const float *) values)[index] : NAN;
}

/* The device rounds the values of transfer curves and quotients differently: floats by a few units in the last place,
 * integers by 1 where a value is between two. */
static void
assert_equal_pixels (gconstpointer got, gconstpointer expected, const Babl *format, gsize pixels)
{
  const Babl *type = babl_format_get_type (format, 0);
  gsize n = pixels * (gsize) babl_format_get_n_components (format);
  double tolerance = type == babl_type ("float") ? 2e-6 : 1.0;

  if (isnan (get_value (got, type, 0)))
    {
      gsize bytes = pixels * (gsize) babl_format_get_bytes_per_pixel (format);

      g_assert_cmpmem (got, bytes, expected, bytes);
      return;
    }
  for (gsize i = 0; i < n; i++)
    {
      double right = get_value (expected, type, i);

      g_assert_cmpfloat_with_epsilon (get_value (got, type, i), right, tolerance * MAX (fabs (right), 1.0));
    }
}

static void
assert_target (GeglBuffer *target, GeglNode *source, const char *operation)
{
  const Babl *format = gegl_buffer_get_format (target);
  const GeglRectangle *rect = gegl_buffer_get_extent (target);
  gsize bytes = (gsize) rect->width * rect->height * babl_format_get_bytes_per_pixel (format);
  g_autofree gpointer expected = render_alone (source, operation, babl_get_name (format)), got = g_malloc (bytes);

  gegl_buffer_get (target, rect, 1.0, format, got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  assert_equal_pixels (got, expected, format, (gsize) rect->width * rect->height);
}

static void
assert_format (GeglNode *node, const char *format)
{
  GeglOperation *operation = gegl_node_get_gegl_operation (node);
  const Babl *held = gegl_operation_get_format (operation, "output");

  g_assert_cmpstr (babl_get_name (capra_output_format_get (operation, held)), ==, format);
}

static void
test_formats (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = new_source (c->source, &small, 5);
  GeglNode *source = graph_source (graph, buffer), *last = NULL, *sinks[2] = { NULL };
  const char *operation = c->operation ? c->operation : "capra:threshold";
  GeglNode *mask = graph_node (graph, source, operation, NULL);
  g_autoptr (GeglBuffer) first = gegl_buffer_new (&small, babl_format (c->targets[0])), second = NULL;

  if (!c->operation)
    gegl_node_set (mask, "method", 1, NULL); /* Otsu */
  sinks[0] = graph_node (graph, mask, "gegl:write-buffer", "buffer", first, NULL);
  if (c->targets[1])
    {
      second = gegl_buffer_new (&small, babl_format (c->targets[1]));
      last = graph_node (graph, graph_node (graph, mask, "gegl:crop", NULL), "gegl:nop", NULL);
      sinks[1] = graph_node (graph, last, "gegl:write-buffer", "buffer", second, NULL);
    }
  for (guint i = 0; i < 2 && sinks[i]; i++)
    {
      gegl_node_process (sinks[i]);
      assert_target (i == 0 ? first : second, source, operation);
    }
  assert_format (mask, c->shown);
}

/* If a node that does not write to a buffer reads the result too, the result is not converted. */
static void
test_other_reader (void)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = new_source ("Y float", &small, 7);
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&small, babl_format ("RGBA float"));
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *mask = graph_node (graph, source, "capra:threshold", "method", 1, NULL);
  GeglNode *sink = graph_node (graph, mask, "gegl:write-buffer", "buffer", target, NULL);

  graph_node (graph, mask, "gegl:invert-linear", NULL);
  gegl_node_process (sink);
  assert_target (target, source, "capra:threshold");
  assert_format (mask, "Y float");
}

/* Nodes that convert all that they read get tiles in the format of their output, if that loses nothing. */
static void
test_converters (void)
{
  static const struct {
    const char *format, *shown;
  } wanted[] = {
    { "RGBA float", "RGBA float" },     { "R'G'B'A float", "R'G'B'A float" }, { "R'G'B'A u8", "RaGaBaA float" },
    { "R'G'B'A u16", "RaGaBaA float" }, { "RGB float", "RaGaBaA float" },
  };
  g_autoptr (GeglBuffer) buffer = new_source ("RGBA float", &small, 6);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (wanted); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *blur = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 2, NULL),
               *last = NULL;
      const char *format = wanted[i / 2].format;
      g_autofree gpointer expected = graph_render (blur, &small, format), got = NULL;

      last = graph_node (graph, graph_node (graph, blur, "gegl:translate", NULL), "gegl:convert-format", "format",
                         babl_format (format), NULL);
      if (i % 2)
        last = graph_node (graph, last, "gegl:cache", NULL);
      got = graph_render (last, &small, format);
      assert_equal_pixels (got, expected, babl_format (format), WIDTH * HEIGHT);
      assert_format (blur, wanted[i / 2].shown);
    }
}

/* If device memory is short, bands are converted before they are downloaded. */
static void
test_parts (void)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = new_source ("RGBA float", &small, 8);
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&small, babl_format ("RGBA float"));
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *blur = graph_node (graph, source, "capra:box-blur", NULL);
  GeglNode *sink = graph_node (graph, blur, "gegl:write-buffer", "buffer", target, NULL);
  g_autofree char *error = NULL;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), (guint64) WIDTH * HEIGHT * 16);
    }
  graph_forget ();
  gegl_node_process (sink);
  g_assert_cmpuint (graph_count ("download"), >, 1);
  error = graph_error (blur);
  g_assert_cmpstr (error, ==, "");
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_set_budget (support_device (i), 0);
  assert_target (target, source, "capra:box-blur");
}

/* Results that are larger than the processor's caches, with and without a conversion. */
static void
test_large (void)
{
  static const char *const formats[] = { "RGBA float", "RaGaBaA float" };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) buffer = new_source ("RGBA float", &large, 9);
  GeglNode *blur = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      gsize bytes = (gsize) large.width * large.height * 16;
      g_autoptr (GeglBuffer) target = gegl_buffer_new (&large, babl_format (formats[i]));
      GeglNode *sink = graph_node (graph, blur, "gegl:write-buffer", "buffer", target, NULL);
      g_autofree float *got = g_malloc (bytes), *expected = NULL;

      gegl_node_process (sink);
      gegl_buffer_get (target, &large, 1.0, NULL, got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_node_disconnect (sink, "input");
      expected = graph_render_parts (blur, formats[i], 4, 400);
      assert_equal_pixels (got, expected, babl_format (formats[i]), (gsize) large.width * large.height);
    }
}

/* A program announces the format in which it alone reads: the tiles have it, also if the conversion loses information,
 * unless channels would be missing. */
static void
test_announced (void)
{
  static const char *const announced[][2] = { { "R'G'B' u8", "R'G'B' u8" }, { "Y' u8", "RGB float" } };

  for (guint i = 0; i < G_N_ELEMENTS (announced); i++)
    {
      const Babl *format = babl_format (announced[i][0]);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      g_autoptr (GeglBuffer) buffer = new_source ("RGB float", &small, 5);
      GeglNode *source = graph_source (graph, buffer);
      GeglNode *blur = graph_node (graph, source, "capra:box-blur", NULL);
      g_autofree gpointer expected = render_alone (source, "capra:box-blur", announced[i][0]), got = NULL;

      g_object_set_data (G_OBJECT (blur), CAPRA_KEY_READ_FORMAT, (gpointer) format);
      got = graph_render (blur, NULL, announced[i][0]);
      assert_equal_pixels (got, expected, format, (gsize) WIDTH * HEIGHT);
      assert_format (blur, announced[i][1]);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/target/formats/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_formats);
    }
  g_test_add_func ("/target/other-reader", test_other_reader);
  g_test_add_func ("/target/converters", test_converters);
  g_test_add_func ("/target/parts", test_parts);
  g_test_add_func ("/target/large", test_large);
  g_test_add_func ("/target/announced", test_announced);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

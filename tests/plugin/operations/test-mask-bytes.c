/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra:threshold chooses the format of its mask by its consumers; their results are the same as with floats. */
#include "tests/support/graph.h"

#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#define WIDTH 301
#define HEIGHT 203
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };

typedef struct {
  GeglBuffer *buffer, *thresholds;
  GeglNode *graph, *source, *mask;
  float *expected; /* the mask */
} Scene;

/* Where thresholds come from: a value, a method, an image that covers a part of the input. */
static const char *const kinds[] = { "value", "method", "aux" };

static void
scene_init (Scene *scene, guint kind, const char *format)
{
  g_autofree float *noise = support_noise (4 * COUNT, -0.2, 1.0, 5), *lows = support_noise (COUNT, 0.2, 0.8, 6);
  const GeglRectangle some = { 20, 50, 150, 100 };
  GeglNode *aux = NULL;

  scene->buffer = gegl_buffer_new (&rect, babl_format (format));
  gegl_buffer_set (scene->buffer, &rect, 0, babl_format ("RGBA float"), noise, GEGL_AUTO_ROWSTRIDE);
  scene->thresholds = graph_buffer ("Y float", &some, lows);
  scene->graph = gegl_node_new ();
  scene->source = graph_source (scene->graph, scene->buffer);
  scene->mask = graph_node (scene->graph, scene->source, "capra:threshold", "value", 0.4, "method",
                            g_str_equal (kinds[kind], "method") ? 1 : 0, NULL);
  if (g_str_equal (kinds[kind], "aux"))
    {
      aux = graph_source (scene->graph, scene->thresholds);
      gegl_node_connect (aux, "output", scene->mask, "aux");
      g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*missing thresholds are 0*");
    }
  scene->expected = graph_render (scene->mask, NULL, "Y float");
}

static void
scene_clear (Scene *scene)
{
  g_test_assert_expected_messages ();
  g_object_unref (scene->graph);
  g_object_unref (scene->buffer);
  g_object_unref (scene->thresholds);
  g_free (scene->expected);
}

static void
assert_output (Scene *scene, const char *format)
{
  const Babl *output = gegl_operation_get_format (gegl_node_get_gegl_operation (scene->mask), "output");

  g_assert_cmpstr (babl_get_name (output), ==, format);
}

/* The labels of the mask equal those of a GeglBuffer with the same mask as floats. */
static void
assert_labels (Scene *scene, GeglNode *label)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) plain = graph_buffer ("Y float", &rect, scene->expected);
  GeglNode *other = graph_node (graph, graph_source (graph, plain), "capra:label", "rendering", 1, NULL);
  g_autofree guint32 *got = graph_render (label, NULL, "Y' u32"), *expected = graph_render (other, NULL, "Y' u32");

  g_assert_cmpmem (got, COUNT * sizeof *got, expected, COUNT * sizeof *expected);
  for (gint i = 0; i < COUNT; i++)
    g_assert_true ((got[i] > 0) == (scene->expected[i] > 0.0f));
}

static void
test_label (gconstpointer data)
{
  Scene scene;
  GeglNode *label = NULL;

  scene_init (&scene, GPOINTER_TO_UINT (data), "RGB float");
  assert_output (&scene, "Y float"); /* no node reads it */
  label = graph_node (scene.graph, graph_node (scene.graph, scene.mask, "gegl:nop", NULL), "capra:label", "rendering",
                      1, NULL);
  gegl_node_set (scene.mask, "high", 0.9, NULL); /* discards cached results */
  g_free (scene.expected);
  graph_forget ();
  g_free (graph_render (label, NULL, "Y' u32"));
  assert_output (&scene, "Y u8");
  g_assert_cmpuint (graph_count ("convert"), <=, 1); /* the source, not the mask */
  scene.expected = graph_render (scene.mask, NULL, "Y float");
  assert_labels (&scene, label);
  scene_clear (&scene);
}

/* Gray byte buffers get 0 and 255 with any transfer curve; rendered at once and in parts. */
static void
test_targets (gconstpointer data)
{
  static const char *const formats[] = { "Y u8", "Y' u8" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++)
    {
      const Babl *format = babl_format (formats[i / 2]);
      g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, format);
      g_autofree guint8 *got = g_malloc0 (COUNT);
      GeglNode *sink = NULL;
      Scene scene;

      scene_init (&scene, GPOINTER_TO_UINT (data), i % 2 ? "R'G'B' u8" : "Y float");
      sink = graph_node (scene.graph, scene.mask, "gegl:write-buffer", "buffer", target, NULL);
      gegl_node_process (sink);
      assert_output (&scene, formats[i / 2]);
      gegl_buffer_get (target, &rect, 1.0, format, got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (gint k = 0; k < COUNT; k++)
        g_assert_cmpint (got[k], ==, scene.expected[k] > 0.0f ? 255 : 0);
      scene_clear (&scene);
    }
}

/* Any other consumer, and any with alpha, gets floats, even beside a consumer that accepts bytes. */
static void
test_others (void)
{
  Scene scene;
  GeglNode *label = NULL, *blur = NULL;
  g_autofree float *before = NULL, *after = NULL;

  scene_init (&scene, 0, "Y float");
  label = graph_node (scene.graph, scene.mask, "capra:label", "rendering", 1, NULL);
  assert_labels (&scene, label);
  assert_output (&scene, "Y u8");
  blur = graph_node (scene.graph, scene.mask, "capra:box-blur", "radius", 2, NULL);
  after = graph_render (blur, NULL, "Y float");
  assert_output (&scene, "Y float");
  assert_labels (&scene, label);
  gegl_node_disconnect (label, "input");
  before = graph_render (blur, NULL, "Y float");
  g_assert_cmpmem (after, COUNT * sizeof *after, before, COUNT * sizeof *before);
  scene_clear (&scene);

  scene_init (&scene, 1, "RGBA float");
  label = graph_node (scene.graph, scene.mask, "capra:label", "rendering", 1, NULL);
  assert_labels (&scene, label);
  assert_output (&scene, "YA float");
  scene_clear (&scene);
}

/* A cached mask of bytes is exactly 0 and 1 for consumers that are connected later. */
static void
test_kept (void)
{
  Scene scene;
  GeglNode *label = NULL, *box = NULL;
  g_autofree float *pixels = NULL;
  g_autofree guint8 *bytes = NULL;

  scene_init (&scene, 1, "Y float");
  gegl_node_set (scene.mask, "high", 0.9, NULL);
  label = graph_node (scene.graph, scene.mask, "capra:label", "rendering", 1, NULL);
  assert_labels (&scene, label);
  assert_output (&scene, "Y u8");
  box = graph_node (scene.graph, scene.mask, "capra:box-blur", "radius", 0, NULL);
  pixels = graph_render (box, NULL, "Y float");
  g_assert_cmpmem (pixels, COUNT * sizeof *pixels, scene.expected, COUNT * sizeof *pixels);
  bytes = graph_render (scene.mask, NULL, "Y' u8");
  for (gint i = 0; i < COUNT; i++)
    g_assert_cmpint (bytes[i], ==, pixels[i] > 0.0f ? 255 : 0);
  scene_clear (&scene);
}

/* The mask of @value of an image in @source, as floats from GEGL's conversion of the image. */
static float *
expected_mask (GeglBuffer *buffer, double value)
{
  float *pixels = g_new (float, 2 * COUNT);

  gegl_buffer_get (buffer, &rect, 1.0, babl_format ("YA float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gint i = 0; i < COUNT; i++)
    pixels[2 * i] = pixels[2 * i] >= value ? 1.0f : 0.0f;
  return pixels;
}

/* Without a consumer, masks have the format of the image if that has an alpha of integers, and otherwise one that GEGL
 * converts fast. In any format a program reads 0 and 1, and the alpha of the image. */
static void
test_programs (void)
{
  static const struct {
    const char *source, *output;
  } formats[] = {
    { "Y' u8", "Y' u8" },
    { "RGB float", "Y float" },
    { "R'G'B' u16", "Y' u8" },
    { "Y'A u8", "Y'A u8" },
    { "R'G'B'A u8", "R'G'B'A u8" },
    { "R'G'B'A u16", "R'G'B'A u16" },
    { "RGBA u16", "RGBA u16" },
    { "RGBA float", "YA float" },
    { "R'G'B'A float", "Y'A float" },
    { "R'G'B'A half", "Y'A float" },
    { "RaGaBaA float", "YA float" },
    { "RGBA u8", "YA float" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      Scene scene;
      g_autofree float *expected = NULL, *got = NULL;

      scene_init (&scene, 0, formats[i].source);
      assert_output (&scene, formats[i].output);
      expected = expected_mask (scene.buffer, 0.4);
      got = graph_render (scene.mask, NULL, "YA float");
      for (gint k = 0; k < 2 * COUNT; k++)
        g_assert_cmpfloat (fabsf (got[k] - expected[k]), <=, k % 2 ? 1e-7f : 0.0f);
      scene_clear (&scene);
    }
}

/* Masks that are written into one buffer have its format if that holds them. */
static void
test_buffers (void)
{
  static const struct {
    const char *source, *target, *output;
  } formats[] = {
    { "R'G'B'A u8", "R'G'B'A u8", "R'G'B'A u8" },  { "R'G'B'A u16", "R'G'B'A float", "R'G'B'A float" },
    { "RGB float", "R'G'B'A u16", "R'G'B'A u16" }, { "RGBA float", "R'G'B'A u8", "YA float" },
    { "R'G'B'A u8", "R'G'B' u8", "YA float" },     { "R'G'B'A u8", "RaGaBaA float", "YA float" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const Babl *format = babl_format (formats[i].target);
      g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, format);
      g_autofree float *expected = NULL, *got = g_new (float, COUNT);
      GeglNode *sink = NULL;
      Scene scene;

      scene_init (&scene, 0, formats[i].source);
      sink = graph_node (scene.graph, scene.mask, "gegl:write-buffer", "buffer", target, NULL);
      gegl_node_process (sink);
      assert_output (&scene, formats[i].output);
      expected = expected_mask (scene.buffer, 0.4);
      gegl_buffer_get (target, &rect, 1.0, babl_format ("Y float"), got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (gint k = 0; k < COUNT; k++)
        if (!babl_format_has_alpha (format) || expected[2 * k + 1] > 0.01f)
          g_assert_cmpfloat (got[k], ==, expected[2 * k]);
      scene_clear (&scene);
    }
}

/* Gray images of bytes and words are labeled without a conversion. */
static void
test_sources (void)
{
  static const char *const formats[] = { "Y u8", "Y' u8", "Y u16", "Y' u16", "Y' float", "Y half" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree float *noise = support_noise (COUNT, -0.3, 0.6, 9), *values = g_new (float, COUNT);
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (formats[i]));
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *label = graph_node (graph, graph_source (graph, buffer), "capra:label", "rendering", 1, NULL);
      g_autofree guint32 *labels = NULL;

      gegl_buffer_set (buffer, &rect, 0, babl_format ("Y float"), noise, GEGL_AUTO_ROWSTRIDE);
      gegl_buffer_get (buffer, &rect, 1.0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      labels = graph_render (label, NULL, "Y' u32");
      for (gint k = 0; k < COUNT; k++)
        g_assert_true ((labels[k] > 0) == (values[k] > 0.0f));
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *label = g_strconcat ("/mask-bytes/label/", kinds[i], NULL);
      g_autofree char *target = g_strconcat ("/mask-bytes/targets/", kinds[i], NULL);

      g_test_add_data_func (label, GUINT_TO_POINTER (i), test_label);
      g_test_add_data_func (target, GUINT_TO_POINTER (i), test_targets);
    }
  g_test_add_func ("/mask-bytes/others", test_others);
  g_test_add_func ("/mask-bytes/kept", test_kept);
  g_test_add_func ("/mask-bytes/programs", test_programs);
  g_test_add_func ("/mask-bytes/buffers", test_buffers);
  g_test_add_func ("/mask-bytes/sources", test_sources);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

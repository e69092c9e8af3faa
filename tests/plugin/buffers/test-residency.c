/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images stay on the device from one operation to the next, and their pixels are correct. */
#include "tests/support/graph.h"

#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#define HEIGHT 203

/* An even and an odd width. */
static gint width = 301;

/* A test image at an offset, its blur in double precision, and a graph that begins with both. */
typedef struct {
  GeglRectangle rect;
  float *values;
  double *blurred;
  GeglBuffer *buffer;
  GeglNode *graph, *source, *blur;
} Scene;

static double *
blurred_values (const float *values, const GeglRectangle *rect, double sigma)
{
  int radius = 0;
  g_autofree double *weights = graph_gaussian (sigma, 4.0, &radius);
  gsize count = (gsize) rect->width * rect->height;
  g_autofree double *doubles = g_new (double, count);
  ReferenceImage image = { rect->width, rect->height, 1, 1, doubles };
  ReferenceFilter filter = { weights, weights, NULL, radius, radius, radius, radius, 0, 0, CAPRA_BORDER_CLAMP };

  for (gsize i = 0; i < count; i++)
    doubles[i] = values[i];
  return reference_filter_separable (&image, &filter, (CapraRect){ 0, 0, rect->width, rect->height });
}

static void
scene_init (Scene *scene)
{
  scene->rect = (GeglRectangle){ -13, 27, width, HEIGHT };
  scene->values = support_noise (width * HEIGHT, 0.0, 1.0, 7);
  scene->blurred = blurred_values (scene->values, &scene->rect, 2.0);
  scene->buffer = graph_buffer ("Y float", &scene->rect, scene->values);
  scene->graph = gegl_node_new ();
  scene->source = graph_source (scene->graph, scene->buffer);
  scene->blur = graph_node (scene->graph, scene->source, "capra:gaussian-blur", "std-dev-x", 2.0, "std-dev-y", 2.0,
                            NULL);
  graph_forget ();
}

static void
scene_clear (Scene *scene)
{
  g_object_unref (scene->graph);
  g_object_unref (scene->buffer);
  g_free (scene->values);
  g_free (scene->blurred);

  /* All device memory is freed. GEGL's threads may free the last tiles a little later. */
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      CapraMemory memory;
      gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

      do
        capra_memory_query (support_device (i), &memory);
      while (memory.bytes[CAPRA_MEMORY_RESIDENT] + memory.bytes[CAPRA_MEMORY_ARRAYS] > 0
             && g_get_monotonic_time () < end && (g_usleep (1000), TRUE));
      g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_RESIDENT], ==, 0);
      g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_ARRAYS], ==, 0);
    }
}

static void
assert_transfers (guint64 uploads, guint64 downloads)
{
  g_assert_cmpuint (graph_count ("upload"), ==, uploads);
  g_assert_cmpuint (graph_count ("download"), ==, downloads);
}

static void
test_chain (void)
{
  Scene scene;
  GeglNode *last = NULL;
  g_autofree float *pixels = NULL;
  g_autofree double *twice = NULL, *box = NULL;
  g_autofree float *rounded = g_new (float, width * HEIGHT);

  scene_init (&scene);
  for (gint i = 0; i < width * HEIGHT; i++)
    rounded[i] = (float) scene.blurred[i];
  twice = blurred_values (rounded, &scene.rect, 1.0);
  last = graph_node (scene.graph, scene.blur, "capra:gaussian-blur", "std-dev-x", 1.0, "std-dev-y", 1.0, NULL);
  last = graph_node (scene.graph, last, "gegl:nop", NULL);
  last = graph_node (scene.graph, last, "capra:box-blur", "radius", 0, NULL);
  pixels = graph_render (last, NULL, "Y float");
  support_assert_close (pixels, twice, width * HEIGHT, 1e-5, "two blurs");
  assert_transfers (1, 1);
  g_assert_cmpuint (graph_bytes ("upload"), ==, width * HEIGHT * sizeof (float));
  scene_clear (&scene);
}

/* Cropping and translation pass on the same array with another extent. */
static void
test_crop_and_translate (void)
{
  const GeglRectangle crop = { 11, 40, 100, 90 };
  Scene scene;
  GeglNode *last = NULL;
  g_autofree float *pixels = NULL;
  g_autofree float *part = g_new (float, crop.width * crop.height);
  g_autofree double *expected = NULL;
  GeglRectangle box;

  scene_init (&scene);
  for (gint y = 0; y < crop.height; y++)
    for (gint x = 0; x < crop.width; x++)
      part[y * crop.width + x] = (float) scene.blurred[(y + crop.y - scene.rect.y) * width + x + crop.x - scene.rect.x];
  expected = blurred_values (part, &crop, 1.5);

  last = graph_node (scene.graph, scene.blur, "gegl:crop", "x", 11.0, "y", 40.0, "width", 100.0, "height", 90.0, NULL);
  last = graph_node (scene.graph, last, "gegl:translate", "x", 1000.0, "y", -7.0, NULL);
  last = graph_node (scene.graph, last, "capra:gaussian-blur", "std-dev-x", 1.5, "std-dev-y", 1.5, NULL);
  last = graph_node (scene.graph, last, "gegl:translate", "x", -1.0, "y", -1.0, NULL);
  last = graph_node (scene.graph, last, "capra:box-blur", "radius", 0, NULL);
  box = gegl_node_get_bounding_box (last);
  g_assert_cmpint (box.x, ==, 1010);
  g_assert_cmpint (box.y, ==, 32);
  pixels = graph_render (last, NULL, "Y float");
  support_assert_close (pixels, expected, crop.width * crop.height, 1e-5, "cropped and moved");
  assert_transfers (1, 1);
  scene_clear (&scene);
}

/* A crop that is larger than the image has zeros around the image. */
static void
test_crop_beyond (void)
{
  Scene scene;
  GeglNode *last = NULL;
  g_autofree float *pixels = NULL;
  g_autofree double *expected = g_new0 (double, (width + 30) * (HEIGHT + 20));

  scene_init (&scene);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < width; x++)
      expected[(y + 10) * (width + 30) + x + 10] = scene.blurred[y * width + x];
  last = graph_node (scene.graph, scene.blur, "gegl:crop", "x", (double) scene.rect.x - 10, "y",
                     (double) scene.rect.y - 10, "width", width + 30.0, "height", HEIGHT + 20.0, NULL);
  last = graph_node (scene.graph, last, "capra:box-blur", "radius", 0, "abyss-policy", 1, NULL);
  pixels = graph_render (last, NULL, "Y float");
  support_assert_close (pixels, expected, (width + 30) * (HEIGHT + 20), 1e-5, "beyond");
  assert_transfers (1, 1);
  scene_clear (&scene);
}

/* Colors with alpha are blurred with associated alpha, thresholded by luminance and labeled. Each operation uses
 * another format, and nothing is downloaded in between. */
static void
test_formats (void)
{
  const GeglRectangle rect = { 3, 4, 120, 77 };
  g_autofree float *values = support_noise (4 * 120 * 77, 0.1, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("RGBA float", &rect, values);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = graph_node (graph, graph_source (graph, buffer), "capra:gaussian-blur", "std-dev-x", 2.0,
                               "std-dev-y", 2.0, NULL);
  GeglNode *mask = graph_node (graph, blur, "capra:threshold", "value", 0.55, NULL);
  GeglNode *luma = graph_node (graph, blur, "capra:threshold", "value", 0.77, "perceptual", TRUE, NULL);
  GeglNode *label = graph_node (graph, mask, "capra:label", "rendering", 1, NULL);
  g_autofree float *gray = graph_render (blur, NULL, "YA float");
  g_autofree float *perceptual = graph_render (blur, NULL, "Y' float");
  g_autofree float *pixels = NULL, *second = NULL;
  g_autofree guint32 *labels = NULL;

  graph_forget ();
  pixels = graph_render (mask, NULL, "YA float");
  assert_transfers (0, 1); /* the blurred image is still on the device */
  second = graph_render (luma, NULL, "YA float");
  for (gsize i = 0; i < 120 * 77; i++)
    {
      if (fabs (gray[2 * i] - 0.55) > 1e-5)
        g_assert_cmpfloat (pixels[2 * i], ==, gray[2 * i] >= 0.55 ? 1.0 : 0.0);
      if (fabs (perceptual[i] - 0.77) > 1e-5)
        g_assert_cmpfloat (second[2 * i], ==, perceptual[i] >= 0.77 ? 1.0 : 0.0);
      g_assert_cmpfloat_with_epsilon (pixels[2 * i + 1], gray[2 * i + 1], 1e-5);
    }
  graph_forget ();
  labels = graph_render (label, NULL, "Y' u32");
  g_assert_cmpuint (graph_count ("upload"), ==, 0);
  for (gsize i = 0; i < 120 * 77; i++)
    g_assert_true ((labels[i] > 0) == (pixels[2 * i] > 0.0f));
}

/* An operation of GEGL that works in place, and a second consumer of the same node. */
static void
test_in_place (void)
{
  Scene scene;
  GeglNode *invert = NULL, *copy = NULL, *add = NULL;
  g_autofree float *pixels = NULL;
  g_autofree double *expected = g_new (double, width * HEIGHT);

  scene_init (&scene);
  for (gint i = 0; i < width * HEIGHT; i++)
    expected[i] = (1.0 - scene.blurred[i]) + scene.blurred[i];
  invert = graph_node (scene.graph, scene.blur, "gegl:invert-linear", NULL);
  copy = graph_node (scene.graph, scene.blur, "capra:box-blur", "radius", 0, NULL);
  add = graph_node (scene.graph, invert, "gegl:add", NULL);
  gegl_node_connect (copy, "output", add, "aux");
  pixels = graph_render (add, NULL, "Y float");
  support_assert_close (pixels, expected, width * HEIGHT, 1e-5, "inverted plus blurred");
  g_free (g_steal_pointer (&pixels));

  /* As the only consumer, it may write into the result's pixels. */
  for (gint i = 0; i < width * HEIGHT; i++)
    expected[i] = 1.0 - scene.blurred[i];
  gegl_node_disconnect (add, "aux");
  for (guint run = 0; run < 2; run++)
    {
      pixels = graph_render (invert, NULL, "Y float");
      support_assert_close (pixels, expected, width * HEIGHT, 1e-5, "inverted");
      g_free (g_steal_pointer (&pixels));
    }
  scene_clear (&scene);
}

/* An operation that passes its input on and keeps a reference to it. GEGL has no such operation. */
typedef struct {
  GeglOperationFilter parent_instance;
} Tap;

typedef struct {
  GeglOperationFilterClass parent_class;
} TapClass;

static GType tap_get_type (void);
G_DEFINE_TYPE (Tap, tap, GEGL_TYPE_OPERATION_FILTER)

static GeglBuffer *tapped;

static gboolean
tap_process (GeglOperation *operation, GeglOperationContext *context, const gchar *pad, const GeglRectangle *roi,
             gint level)
{
  GObject *input = gegl_operation_context_get_object (context, "input");

  g_set_object (&tapped, (GeglBuffer *) input);
  gegl_operation_context_set_object (context, "output", input);
  return TRUE;
}

static void
tap_class_init (TapClass *klass)
{
  GEGL_OPERATION_CLASS (klass)->process = tap_process;
  gegl_operation_class_set_key (GEGL_OPERATION_CLASS (klass), "name", "test:tap");
}

static void
tap_init (Tap *self)
{
}

/* The buffer that is the output of @node, not a copy (unref). */
static GeglBuffer *
tap (Scene *scene, GeglNode *node)
{
  GeglRectangle box = gegl_node_get_bounding_box (node);

  gegl_node_blit (graph_node (scene->graph, node, "test:tap", NULL), 1.0, &box, NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  g_assert_nonnull (tapped);
  return g_steal_pointer (&tapped);
}

/* After the host has written into a result, the next operation must not use the array on the device. */
static void
test_written (void)
{
  Scene scene;
  GeglBuffer *result = NULL, *part = NULL, *twin = NULL;
  GeglNode *again = NULL;
  g_autofree float *pixels = NULL;
  const float marks[2] = { 42.0f, 43.0f };
  gsize at = 5 * width + 8;

  scene_init (&scene);
  result = tap (&scene, scene.blur);
  assert_transfers (1, 0);
  twin = gegl_buffer_dup (result);

  gegl_buffer_set (result, GEGL_RECTANGLE (scene.rect.x + 8, scene.rect.y + 5, 1, 1), 0, babl_format ("Y float"),
                   &marks[0], GEGL_AUTO_ROWSTRIDE);
  part = gegl_buffer_create_sub_buffer (result, GEGL_RECTANGLE (scene.rect.x + 9, scene.rect.y + 5, 1, 1));
  gegl_buffer_set (part, NULL, 0, babl_format ("Y float"), &marks[1], GEGL_AUTO_ROWSTRIDE);
  g_object_unref (part);

  again = graph_node (scene.graph, graph_source (scene.graph, result), "capra:box-blur", "radius", 0, NULL);
  pixels = graph_render (again, NULL, "Y float");
  g_assert_cmpfloat (pixels[at], ==, 42.0f);
  g_assert_cmpfloat (pixels[at + 1], ==, 43.0f);
  scene.blurred[at] = 42.0;
  scene.blurred[at + 1] = 43.0;
  support_assert_close (pixels, scene.blurred, width * HEIGHT, 1e-5, "written");

  /* A copy that was made before has its own pixels, also after the original is freed. */
  gegl_node_set (gegl_node_get_producer (again, "input", NULL), "buffer", NULL, NULL);
  g_object_unref (result);
  gegl_buffer_get (twin, NULL, 1.0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpfloat (pixels[at], <, 1.0f);
  gegl_buffer_set (twin, GEGL_RECTANGLE (scene.rect.x + 8, scene.rect.y + 5, 1, 1), 0, babl_format ("Y float"),
                   &marks[0], GEGL_AUTO_ROWSTRIDE);
  g_object_unref (twin);
  scene_clear (&scene);
}

static void
test_devices (void)
{
  Scene scene;
  GeglNode *last = NULL;
  g_autofree float *pixels = NULL;

  scene_init (&scene);
  gegl_node_set (scene.blur, "device", support_device_name ("0"), NULL);
  last = graph_node (scene.graph, scene.blur, "capra:box-blur", "radius", 0, "device", support_device_name ("1"), NULL);
  last = graph_node (scene.graph, last, "capra:box-blur", "radius", 0, "device", support_device_name ("0"), NULL);
  pixels = graph_render (last, NULL, "Y float");
  support_assert_close (pixels, scene.blurred, width * HEIGHT, 1e-5, "two devices");
  scene_clear (&scene);
}

static void
test_property_change (void)
{
  Scene scene;
  GeglNode *mask = NULL, *label = NULL;
  g_autofree double *wide = NULL;
  g_autofree float *pixels = NULL;
  g_autofree guint32 *labels = NULL, *other = NULL;
  int before = 0, after = 0;

  scene_init (&scene);
  mask = graph_node (scene.graph, scene.blur, "capra:threshold", "value", 0.5, NULL);
  label = graph_node (scene.graph, mask, "capra:label", "rendering", 1, NULL);
  labels = graph_render (label, NULL, "Y' u32");
  gegl_node_get (label, "count", &before, NULL);

  gegl_node_set (scene.blur, "std-dev-x", 3.0, "std-dev-y", 3.0, NULL);
  wide = blurred_values (scene.values, &scene.rect, 3.0);
  pixels = graph_render (scene.blur, NULL, "Y float");
  support_assert_close (pixels, wide, width * HEIGHT, 1e-5, "wider");
  other = graph_render (label, NULL, "Y' u32");
  gegl_node_get (label, "count", &after, NULL);
  g_assert_cmpint (after, <, before);
  for (gint i = 0; i < width * HEIGHT; i++)
    if (fabs (wide[i] - 0.5) > 1e-5)
      g_assert_true ((other[i] > 0) == (wide[i] >= 0.5));
  scene_clear (&scene);
}

/* Many threads read one resident buffer, at full and at reduced scale. */
static void
test_reading (void)
{
  Scene scene;
  GeglBuffer *result = NULL;
  GeglNode *over = NULL;
  g_autofree float *pixels = NULL, *half = g_new (float, (width / 2) * (HEIGHT / 2));
  double mean = 0.0, reduced = 0.0;

  scene_init (&scene);
  result = tap (&scene, scene.blur);
  gegl_buffer_get (result, GEGL_RECTANGLE (scene.rect.x / 2, scene.rect.y / 2, width / 2, HEIGHT / 2), 0.5,
                   babl_format ("Y float"), half, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_CLAMP);
  for (gint i = 0; i < width * HEIGHT; i++)
    mean += scene.blurred[i] / (width * HEIGHT);
  for (gint i = 0; i < (width / 2) * (HEIGHT / 2); i++)
    reduced += half[i] / ((width / 2) * (HEIGHT / 2));
  g_assert_cmpfloat_with_epsilon (reduced, mean, 0.01);

  over = graph_node (scene.graph, graph_source (scene.graph, result), "gegl:opacity", "value", 1.0, NULL);
  pixels = graph_render (over, NULL, "Y float");
  support_assert_close (pixels, scene.blurred, width * HEIGHT, 1e-5, "native reader");
  gegl_node_set (gegl_node_get_producer (over, "input", NULL), "buffer", NULL, NULL);
  g_object_unref (result);
  scene_clear (&scene);
}

static const struct {
  const char *name;
  void (*run) (void);
} tests[] = {
  { "chain", test_chain },
  { "crop-and-translate", test_crop_and_translate },
  { "crop-beyond", test_crop_beyond },
  { "formats", test_formats },
  { "in-place", test_in_place },
  { "written", test_written },
  { "devices", test_devices },
  { "property-change", test_property_change },
  { "reading", test_reading },
};

static void
run_even (gconstpointer data)
{
  width = 302;
  tests[GPOINTER_TO_UINT (data)].run ();
}

static void
run_odd (gconstpointer data)
{
  width = 301;
  tests[GPOINTER_TO_UINT (data)].run ();
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_type_class_unref (g_type_class_ref (tap_get_type ()));
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *even = g_strdup_printf ("/residency/%s/even", tests[i].name);
      g_autofree char *odd = g_strdup_printf ("/residency/%s/odd", tests[i].name);

      g_test_add_data_func (even, GUINT_TO_POINTER (i), run_even);
      g_test_add_data_func (odd, GUINT_TO_POINTER (i), run_odd);
    }
  status = g_test_run ();
  gegl_exit ();
  return status;
}

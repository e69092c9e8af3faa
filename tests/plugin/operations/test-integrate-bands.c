/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra:azimuthal-integrate under a budget of a part of the frame: the same results as without a limit. The matrix
 * takes many times the memory of the frame. */
#include <float.h>
#include <gegl-plugin.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/support/graph.h"

enum { WIDTH = 211, HEIGHT = 2003, COUNT = WIDTH * HEIGHT, BYTES = COUNT * sizeof (float) };

static const GeglRectangle rect = { -31, 17, WIDTH, HEIGHT };

static const char geometry[] = "poni_version: 2\nDetector: Detector\n"
                               "Detector_config: {\"pixel1\": 1e-4, \"pixel2\": 1e-4, \"orientation\": 3}\n"
                               "Distance: 0.5\nPoni1: 0.07\nPoni2: 0.006\nRot1: 0.1\nRot2: -0.05\nRot3: 0.2\n"
                               "Wavelength: 1e-10\n";

static char *geometry_path, *dark_path;

typedef struct {
  const char *name, *properties;
  const char *format; /* of the frame */
  gboolean mask, dark;
  guint part; /* of the frame: the budget is that much smaller */
} Case;

/* Frames of integers that are all valid take kernels that add in another order. */
static const Case cases[] = {
  { "none", "splitting=none", "Y float", FALSE, FALSE, 14 },
  { "box", "splitting=bbox error-model=poisson", "Y float", TRUE, TRUE, 9 },
  { "full", "error-model=poisson use-dummy=true dummy=500 delta-dummy=20", "Y u16", TRUE, FALSE, 9 },
  { "counts", "error-model=poisson", "Y u16", FALSE, TRUE, 9 },
  { "azimuthal", "error-model=azimuthal empty=-1", "Y float", TRUE, FALSE, 9 },
  { "clip", "error-model=hybrid sigma-clip=true threshold=2 iterations=2", "Y float", FALSE, TRUE, 9 },
  { "cake", "azimuthal-bins=8 error-model=poisson", "Y float", TRUE, TRUE, 9 },
  { "cake-clip", "azimuthal-bins=8 splitting=bbox error-model=azimuthal sigma-clip=true threshold=2 iterations=1",
    "Y float", TRUE, FALSE, 9 },
};

/* Sets the budget of all devices; 0 for the default. */
static void
set_budget (guint64 bytes)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_trim (support_device (i));
      capra_memory_set_budget (support_device (i), bytes);
    }
}

typedef struct {
  float *pixels;
  gsize n;
  char *table;
} Result;

static void
result_clear (Result *result)
{
  g_free (result->pixels);
  g_free (result->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static GeglBuffer *
make_frame (const char *format)
{
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 7);
  g_autofree guint16 *counts = g_new (guint16, COUNT);

  for (gsize i = 0; i < COUNT; i++)
    {
      noise[i] *= i % 97 == 5 ? 30 : 1;
      counts[i] = (guint16) noise[i];
      noise[i] = i % 1009 == 3 ? NAN : noise[i] - 20;
    }
  return graph_buffer (format, &rect, g_str_equal (format, "Y float") ? (gconstpointer) noise : counts);
}

static GeglBuffer *
make_mask (void)
{
  g_autofree float *mask = g_new0 (float, COUNT);

  for (gsize i = 0; i < COUNT; i++)
    mask[i] = i % 13 == 2 || i / WIDTH % 300 == 9;
  return graph_buffer ("Y float", &rect, mask);
}

static GeglNode *
make_node (GeglNode *graph, const Case *c, GeglBuffer *frame, GeglBuffer *mask, const char *device)
{
  g_autofree char *chain = g_strdup_printf ("capra:azimuthal-integrate bins=90 %s", c->properties);
  GeglNode *node = graph_chain (graph_source (graph, frame), chain, device);

  gegl_node_set (node, "poni", geometry_path, "dark", c->dark ? dark_path : "", NULL);
  if (c->mask)
    gegl_node_connect (graph_source (graph, mask), "output", node, "aux");
  return node;
}

static Result
run (const Case *c, GeglBuffer *frame, const char *device)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) mask = make_mask ();
  GeglNode *node = make_node (graph, c, frame, mask, device);
  GeglRectangle box = gegl_node_get_bounding_box (node);
  GString *table = g_string_new (NULL);
  g_autofree char *error = NULL;
  Result result = { .n = (gsize) box.width * (gsize) box.height };

  g_object_set_data (G_OBJECT (graph), "capra:table-text", table);
  result.pixels = graph_render (node, NULL, "Y float");
  g_object_set_data (G_OBJECT (graph), "capra:table-text", NULL);
  result.table = g_string_free (table, FALSE);
  error = graph_error (node);
  g_assert_cmpstr (error, ==, "");
  return result;
}

static void
assert_same (const Case *c, const Result *got, const Result *wanted)
{
  gboolean exact = !g_str_equal (c->name, "counts");

  g_assert_cmpuint (got->n, ==, wanted->n);
  for (gsize i = 0; i < got->n; i++)
    if (exact ? memcmp (&got->pixels[i], &wanted->pixels[i], sizeof (float)) != 0
              : !(fabsf (got->pixels[i] - wanted->pixels[i]) <= 2 * FLT_EPSILON * fabsf (wanted->pixels[i])))
      g_error ("%s: value %u is %.9g in bands, %.9g at once", c->name, (guint) i, got->pixels[i], wanted->pixels[i]);
  if (exact)
    g_assert_cmpstr (got->table, ==, wanted->table);
}

static void
test_case (gconstpointer data)
{
  static const char *const devices[] = { "0", "1", "0,1" };
  const Case *c = data;
  guint i = (guint) (c - cases) % (support_devices_equal () ? 3 : 2);
  g_autoptr (GeglBuffer) frame = make_frame (c->format);
  g_auto (Result) wanted = run (c, frame, support_devices_equal () ? "0" : devices[i]);
  g_auto (Result) got = { NULL };
  guint64 uploads = 0;

  g_assert_cmpuint (strlen (wanted.table), >, 90);
  set_budget (BYTES / c->part);
  graph_forget ();
  got = run (c, frame, devices[i]);
  uploads = graph_bytes ("upload");
  set_budget (0);
  g_assert_cmpuint (uploads, >=, (guint64) COUNT * (g_str_equal (c->format, "Y float") ? 4 : 2));
  assert_same (c, &got, &wanted);
}

/* A frame of 20 times a budget of 16 MiB, of equal values: so is the mean of each bin, and each pixel counts once. */
static void
test_large (void)
{
  const GeglRectangle whole = { 0, 0, 9161, 9157 };
  const gsize n = 1000;
  g_autoptr (GeglBuffer) frame = gegl_buffer_new (&whole, babl_format ("Y float"));
  GeglColor *color = gegl_color_new ("white");
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autofree char *error = NULL;
  g_autofree float *pixels = NULL;
  GeglNode *node = NULL;
  double count = 0;

  gegl_buffer_set_color (frame, NULL, color);
  g_object_unref (color);
  node = graph_chain (graph_source (graph, frame), "capra:azimuthal-integrate splitting=bbox solid-angle=false", "0");
  gegl_node_set (node, "poni", geometry_path, NULL);
  set_budget (16 << 20);
  pixels = graph_render (node, NULL, "Y float");
  set_budget (0);
  error = graph_error (node);
  g_assert_cmpstr (error, ==, "");
  for (gsize b = 0; b < n; b++)
    {
      count += pixels[3 * n + b];
      g_assert_cmpfloat (pixels[b], ==, pixels[3 * n + b] > 0 ? 1 : 0);
    }
  g_assert_cmpfloat_with_epsilon (count / ((double) whole.width * whole.height), 1, 1e-6);
}

/* If not even a band fits, the error says what would help; nothing is written. */
static void
test_no_memory (void)
{
  g_autoptr (GeglBuffer) frame = make_frame ("Y float");
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = make_node (graph, &cases[0], frame, NULL, "0");
  GString *table = g_string_new (NULL);
  g_autofree char *error = NULL;
  g_autofree float *pixels = NULL;

  gegl_node_set (node, "empty", -3.0, NULL); /* no matrix is kept for these settings */
  g_object_set_data (G_OBJECT (graph), "capra:table-text", table);
  set_budget (16 << 10);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*sparse matrix*raise CAPRA_MEMORY_BUDGET*");
  pixels = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  set_budget (0);
  error = graph_error (node);
  g_assert_nonnull (strstr (error, "CAPRA_MEMORY_BUDGET"));
  g_assert_cmpfloat (pixels[45], ==, 0);
  g_assert_cmpstr (table->str, ==, "");
  g_object_set_data (G_OBJECT (graph), "capra:table-text", NULL);
  g_string_free (table, TRUE);
}

static char *
make_file (const char *name)
{
  char *path = NULL;
  int file = g_file_open_tmp (name, &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  return path;
}

static void
write_files (void)
{
  const GeglRectangle frame = { 0, 0, WIDTH, HEIGHT };
  g_autofree float *dark = support_noise (COUNT, 0, 15, 3);
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &frame, dark);

  geometry_path = make_file ("capra-test-XXXXXX.poni");
  g_assert_true (g_file_set_contents (geometry_path, geometry, -1, NULL));
  dark_path = make_file ("capra-test-XXXXXX.gegl");
  gegl_buffer_save (image, dark_path, NULL);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  write_files ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/integrate-bands/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/integrate-bands/no-memory", test_no_memory);
  if (g_test_slow ())
    g_test_add_func ("/integrate-bands/large", test_large);
  status = g_test_run ();
  g_remove (geometry_path);
  g_remove (dark_path);
  g_free (geometry_path);
  g_free (dark_path);
  gegl_exit ();
  return status;
}

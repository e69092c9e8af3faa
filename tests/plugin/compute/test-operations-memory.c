/* SPDX-License-Identifier: GPL-3.0-or-later */
/* If a device's memory is short, images are evicted and uploaded again, with the same pixels. */
#include "tests/support/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 512
#define HEIGHT 512
#define COUNT (WIDTH * HEIGHT)
#define BYTES (COUNT * 4)
#define N_RESULTS 6

static const GeglRectangle rect = { -7, 11, WIDTH, HEIGHT };

static CapraMemory
query (guint index)
{
  CapraMemory memory;

  capra_memory_query (support_device (index), &memory);
  return memory;
}

/* Sets the budget of the device, in images. */
static void
set_budget (guint index, double images)
{
  capra_memory_trim (support_device (index));
  capra_memory_set_budget (support_device (index), (guint64) (images * BYTES));
}

/* Automatic thresholds need the whole image, and their results are cached on the device. */
static GeglNode *
add_cached_results (GeglNode *graph, GeglNode *source, GeglNode **nodes)
{
  GeglNode *sum = NULL;

  for (guint i = 0; i < N_RESULTS; i++)
    {
      nodes[i] = graph_node (graph, source, "capra:box-blur", "radius", (int) i, "device", support_device_name ("0"),
                             NULL);
      nodes[i] = graph_node (graph, nodes[i], "capra:threshold", "method", 1 + (int) i % 2, "device",
                             support_device_name ("0"), NULL);
      nodes[i] = graph_node (graph, nodes[i], "capra:box-blur", "radius", 1, "device", support_device_name ("0"), NULL);
      if (sum)
        {
          GeglNode *add = graph_node (graph, sum, "gegl:add", NULL);

          gegl_node_connect (nodes[i], "output", add, "aux");
          sum = add;
        }
      else
        sum = nodes[i];
    }
  return sum;
}

/* Six results are cached in memory for two, while the graph is rendered several times. Those that are not used are
 * freed, and no array is moved to the host. */
static void
test_cached_results (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 5);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *nodes[N_RESULTS];
  GeglNode *sum = add_cached_results (graph, graph_source (graph, buffer), nodes);
  g_autofree float *expected = graph_render (sum, NULL, "Y float");

  g_clear_object (&graph);
  graph = gegl_node_new ();
  sum = add_cached_results (graph, graph_source (graph, buffer), nodes);
  set_budget (0, 5.5);
  graph_forget ();
  for (guint round = 0; round < 3; round++)
    {
      g_autofree float *pixels = graph_render (sum, NULL, "Y float");

      g_assert_cmpmem (pixels, BYTES, expected, BYTES);
      for (guint i = 0; i < N_RESULTS; i++)
        {
          g_autofree char *error = graph_error (nodes[i]);

          g_assert_cmpstr (error, ==, "");
        }
    }
  g_assert_cmpuint (graph_count ("evict"), ==, 0);
  g_assert_cmpuint (query (0).bytes[CAPRA_MEMORY_RESIDENT], <=, 5.5 * BYTES);
  set_budget (0, 0);
}

typedef struct {
  GeglNode *node;
  const float *expected;
  gint right;
} Worker;

static gpointer
render_many_times (gpointer data)
{
  Worker *worker = data;

  for (guint round = 0; round < 10; round++)
    {
      g_autofree float *pixels = graph_render (worker->node, NULL, "Y float");

      worker->right += memcmp (pixels, worker->expected, BYTES) == 0;
    }
  return NULL;
}

/* Graphs in several threads evict each other's images from the same device. */
static void
test_threads (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 6);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autofree float *expected = NULL;
  GeglNode *graphs[3], *nodes[N_RESULTS];
  Worker workers[3];
  GThread *threads[3];

  for (guint i = 0; i < 3; i++)
    {
      graphs[i] = gegl_node_new ();
      workers[i] = (Worker){ add_cached_results (graphs[i], graph_source (graphs[i], buffer), nodes), NULL, 0 };
    }
  expected = graph_render (workers[0].node, NULL, "Y float");
  set_budget (0, 14.0);
  for (guint i = 0; i < 3; i++)
    {
      workers[i].expected = expected;
      threads[i] = g_thread_new ("render", render_many_times, &workers[i]);
    }
  for (guint i = 0; i < 3; i++)
    {
      g_thread_join (threads[i]);
      g_assert_cmpint (workers[i].right, ==, 10);
      g_object_unref (graphs[i]);
    }
  set_budget (0, 0);
}

/* 21 × 21: with such a wide matrix, the last digits of a pixel depend on the rows that are computed together. */
#define THREE(text) text text text
#define ROW THREE (THREE (".002 ") THREE (".002 ") ".002 ") ";"
#define WIDE THREE (THREE (ROW) THREE (ROW) ROW)

/* Operations whose results may be computed in parts. */
static const struct {
  const char *operation;
  const char *property, *value; /* the value as text */
  gboolean aux;
  double room;      /* a sufficient budget, in images */
  double tolerance; /* above 0 if rounding depends on the first row of a band */
} divisible[] = {
  { "capra:gaussian-blur", "std-dev-y", "3.5", FALSE, 0.9, 0.0 },
  { "capra:gaussian-blur", "filter", "iir", FALSE, 0.9, 1e-6 },
  { "capra:gaussian-blur", "abyss-policy", "wrap", FALSE, 1.5, 0.0 },
  { "capra:box-blur", "radius", "1", FALSE, 0.9, 0.0 },
  { "capra:box-blur", "radius", "60", FALSE, 0.9, 1e-6 },
  { "capra:convolve", "matrix", "1 2 3; 4 -5 6; -7 8 9; 1 1 1", FALSE, 0.9, 0.0 },
  { "capra:convolve", "matrix", WIDE, FALSE, 0.9, 1e-6 },
  { "capra:convolve", "extent", "full", FALSE, 0.9, 0.0 },
  { "capra:convolve", "stride-y", "3", FALSE, 0.9, 0.0 },
  { "capra:threshold", "value", "0.4", FALSE, 0.9, 0.0 },
  { "capra:threshold", "value", "0.4", TRUE, 0.9, 0.0 },
};

/* Appends the divisible operation @i to @source; with @chain also a blur and a threshold, which are computed in
 * parts of its parts. */
static GeglNode *
add_divisible (GeglNode *graph, GeglNode *source, guint i, const char *device, gboolean chain)
{
  GeglNode *node = graph_node (graph, source, divisible[i].operation, "device", support_device_name (device), NULL);
  GParamSpec *spec = gegl_node_find_property (node, divisible[i].property);
  g_auto (GValue) text = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&text, G_TYPE_STRING);
  g_value_set_string (&text, divisible[i].value);
  if (G_IS_PARAM_SPEC_STRING (spec))
    gegl_node_set_property (node, divisible[i].property, &text);
  else if (G_IS_PARAM_SPEC_ENUM (spec))
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (spec->value_type);

      gegl_node_set (node, divisible[i].property, g_enum_get_value_by_nick (klass, divisible[i].value)->value, NULL);
    }
  else if (G_IS_PARAM_SPEC_INT (spec))
    gegl_node_set (node, divisible[i].property, atoi (divisible[i].value), NULL);
  else
    gegl_node_set (node, divisible[i].property, g_ascii_strtod (divisible[i].value, NULL), NULL);
  if (divisible[i].aux)
    gegl_node_connect (graph_node (graph, source, "capra:box-blur", "device", support_device_name (device), NULL),
                       "output", node, "aux");
  if (chain)
    {
      node = graph_node (graph, node, "capra:gaussian-blur", "device", support_device_name (device), NULL);
      node = graph_node (graph, node, "gegl:crop", "x", -20.0, "y", 15.0, "width", 300.0, "height", 400.0, NULL);
      node = graph_node (graph, node, "capra:convolve", "device", support_device_name (device), NULL);
    }
  return node;
}

static void
assert_same (const float *pixels, const float *expected, gsize count, double tolerance)
{
  for (gsize i = 0; i < count; i++)
    if (fabsf (pixels[i] - expected[i]) > tolerance)
      g_error ("pixel %" G_GSIZE_FORMAT ": %.9g instead of %.9g", i, pixels[i], expected[i]);
}

/* The number of devices with commands since graph_forget(). */
static guint
count_busy (void)
{
  guint n = 0;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      guint64 count = 0;

      capra_timeline_total (support_device (i), NULL, &count, NULL);
      n += count > 0;
    }
  return n;
}

/* The number of commands of a device since graph_forget(). */
static guint64
count_commands (guint index)
{
  guint64 count = 0;

  capra_timeline_total (support_device (index), NULL, &count, NULL);
  return count;
}

/* A device whose memory holds only a part of the image computes it in parts. */
static void
test_parts (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 7);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (divisible); i++)
    {
      gboolean chain = i % 2;
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *source = graph_source (graph, buffer);
      GeglNode *node = add_divisible (graph, source, i / 2, "0", chain);
      GeglRectangle box = gegl_node_get_bounding_box (node);
      gsize count = (gsize) box.width * box.height;
      g_autofree float *expected = NULL, *pixels = NULL;
      g_autofree char *error = NULL;
      guint64 steps = 0;

      graph_forget ();
      expected = graph_render (node, NULL, "Y float");
      steps = count_commands (0);
      g_test_message ("%s %s", divisible[i / 2].operation, divisible[i / 2].value);
      set_budget (0, divisible[i / 2].room);
      graph_forget ();
      node = add_divisible (graph, source, i / 2, "0", chain);
      pixels = graph_render (node, NULL, "Y float");
      error = graph_error (node);
      g_assert_cmpstr (error, ==, "");
      assert_same (pixels, expected, count, divisible[i / 2].tolerance);
      g_assert_true (chain || count_commands (0) > steps);
      set_budget (0, 0);
    }
}

static void
set_discrete (gboolean discrete)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    ((CapraDeviceInfo *) capra_device_get_info (support_device (i)))->unified = !discrete;
}

typedef enum { ALL_UNIFIED, ALL_DISCRETE, ALL_WITHOUT_CLOCK } All;

/* Whether an operation is split over two devices depends on the times of earlier runs. The pixels are always the
 * same as on one device. The test runs in a new process, which has no times yet. */
static void
test_all (gconstpointer how)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 8);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  guint both = 0, one = 0;

  if (support_skip_alone ())
    return;
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  set_discrete (GPOINTER_TO_INT (how) == ALL_DISCRETE);
  if (GPOINTER_TO_INT (how) == ALL_WITHOUT_CLOCK)
    ((CapraDeviceInfo *) capra_device_get_info (support_device (1)))->clock = 0; /* as with Intel's runtime */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (divisible); i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *source = graph_source (graph, buffer);
      GeglNode *node = add_divisible (graph, source, i / 2, "0", i % 2);
      GeglRectangle box = gegl_node_get_bounding_box (node);
      g_autofree float *expected = graph_render (node, NULL, "Y float");
      double tolerance = MAX (divisible[i / 2].tolerance, support_devices_equal () ? 0 : 1e-5);

      g_test_message ("%s %s", divisible[i / 2].operation, divisible[i / 2].value);
      node = add_divisible (graph, source, i / 2, "all", i % 2);
      for (guint run = 0; run < 6; run++)
        {
          g_autofree float *pixels = NULL;

          graph_touch (buffer);
          graph_forget ();
          pixels = graph_render (node, NULL, "Y float");
          assert_same (pixels, expected, (gsize) box.width * box.height, tolerance);
          both += count_busy () > 1;
          one += count_busy () == 1;
        }
    }
  g_assert_cmpuint (both, >=, 3 * 4); /* the first three runs of four operations */
  g_assert_cmpuint (both + one, ==, 6 * 2 * G_N_ELEMENTS (divisible));
  set_discrete (FALSE);
}

/* Each device keeps its rows from one operation to the next, and only the rows near the split are transferred.
 * Operations that need the whole image run on one device. */
static void
test_all_chain (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 9);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  const char *const devices[] = { "0", "all" };
  float *pixels[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = graph_source (graph, buffer);

      /* Three equal blurs count as three runs of one operation. */
      for (guint k = 0; k < 3; k++)
        node = graph_node (graph, node, "capra:gaussian-blur", "device", support_device_name (devices[i]), NULL);
      graph_forget ();
      g_free (graph_render (node, NULL, "Y float"));
      g_assert_cmpuint (graph_bytes ("upload"), <, BYTES + BYTES / 2);
      node = graph_node (graph, node, "capra:threshold", "method", 1, "device", support_device_name (devices[i]), NULL);
      node = graph_node (graph, node, "capra:label", "device", support_device_name (devices[i]), NULL);
      pixels[i] = graph_render (node, NULL, "Y float");
    }
  g_assert_cmpmem (pixels[1], BYTES, pixels[0], BYTES);
  g_free (pixels[0]);
  g_free (pixels[1]);
}

/* If one of several devices has no memory, the others compute its part. */
static void
test_all_failing (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 10);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *node = graph_node (graph, source, "capra:box-blur", "device", support_device_name ("0"), NULL);
  g_autofree float *expected = graph_render (node, NULL, "Y float");

  if (support_skip_alone ())
    return;
  node = graph_node (graph, source, "capra:box-blur", "device", "all", NULL);
  set_budget (1, 0.001);
  for (guint run = 0; run < 8; run++)
    {
      g_autofree float *pixels = NULL;

      if (run == 0)
        g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*trying*instead*");
      pixels = graph_render (node, NULL, "Y float");
      assert_same (pixels, expected, COUNT, 1e-6);
    }
  g_test_assert_expected_messages ();
  set_budget (1, 0);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/operations-memory/cached-results", test_cached_results);
  g_test_add_func ("/operations-memory/threads", test_threads);
  g_test_add_func ("/operations-memory/parts", test_parts);
  /* This test needs first runs, and so precedes the other tests that split operations. */
  g_test_add_func ("/operations-memory/all-failing", test_all_failing);
  g_test_add_func ("/operations-memory/all-chain", test_all_chain);
  g_test_add_data_func ("/operations-memory/all/unified", GINT_TO_POINTER (ALL_UNIFIED), test_all);
  g_test_add_data_func ("/operations-memory/all/discrete", GINT_TO_POINTER (ALL_DISCRETE), test_all);
  g_test_add_data_func ("/operations-memory/all/without-clock", GINT_TO_POINTER (ALL_WITHOUT_CLOCK), test_all);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

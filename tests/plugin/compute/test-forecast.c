/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecasts of memory: with as much as was forecast every operation computes at once, and needs most of it. */
#include "tests/support/graph.h"
#include "tests/support/operations.h"

#include <gegl-plugin.h>
#include <string.h>

#define WIDTH 701
#define HEIGHT 499

/* What the counters show may be less than the forecast by this factor: an operation of one pass needs no image between
 * its input and its result (2 of 3 images), and one that reads bytes directly needs no floats of them (a mask of an
 * image of bytes: 4 of 9 bytes a pixel). */
#define LEAST 0.4

/* Three chains whose operations differ in what they need, and operations that read numbers. */
static const char *const chains[] = {
  "capra:gaussian-blur std-dev-x=5 std-dev-y=5 capra:threshold method=otsu capra:label",
  "capra:box-blur radius=3 capra:convolve gegl:crop x=100 y=50 width=300 height=200 capra:box-blur",
  "capra:threshold value=0.6 capra:label rendering=colors capra:measure capra:gaussian-blur",
  "capra:label rendering=numbers capra:measure-save path=/dev/null",
  "capra:statistics",
};

typedef guint64 (*ForecastFunc) (GeglOperation *operation, guint64 *largest);

static ForecastFunc
find_func (GeglOperation *operation)
{
  GQuark quark = g_quark_from_static_string ("capra:forecast");
  ForecastFunc func = NULL;

  for (GType type = G_OBJECT_TYPE (operation); type && !func; type = g_type_parent (type))
    func = (ForecastFunc) g_type_get_qdata (type, quark);
  return func;
}

static guint64
forecast (GeglNode *graph)
{
  g_autoptr (GSList) nodes = gegl_node_get_children (graph);
  guint64 most = 0, largest = 0;

  for (GSList *link = nodes; link; link = link->next)
    {
      GeglOperation *operation = gegl_node_get_gegl_operation (link->data);
      ForecastFunc func = find_func (operation);

      if (func)
        most = MAX (most, func (operation, &largest));
    }
  return most;
}

static guint64
count_kernels (void)
{
  guint64 count = 0;

  capra_timeline_total (support_device (0), NULL, &count, NULL);
  return count - graph_count ("upload") - graph_count ("download") - graph_count ("copy");
}

/* Renders the chain within @budget, or what is forecast if it is 0. Returns the forecast; sets @kernels to the number
 * of kernels that ran. */
static guint64
run (const char *format, const char *chain, guint64 budget, guint64 *kernels)
{
  GeglRectangle rect = { -9, 14, WIDTH, HEIGHT };
  g_autofree float *noise = support_noise (WIDTH * HEIGHT * 4, 0.0, 1.0, 5);
  g_autoptr (GeglBuffer) buffer = graph_buffer (format, &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_chain (graph_source (graph, buffer), chain, "0");
  GeglRectangle box = gegl_node_get_bounding_box (last);
  guint64 bytes = forecast (graph);
  g_autofree char *error = NULL;

  g_assert_cmpuint (bytes, >, 0);
  capra_memory_set_budget (support_device (0), budget ? budget : bytes);
  graph_forget ();
  if (gegl_node_has_pad (last, "output"))
    g_free (graph_render (last, &box, "RGBA float"));
  else
    gegl_node_process (last);
  *kernels = count_kernels ();
  error = gegl_node_find_property (last, "error") ? graph_error (last) : g_strdup ("");
  g_assert_cmpstr (error, ==, "");
  return bytes;
}

static void
test_peak (const char *format, const char *chain)
{
  guint64 kernels = 0, ample_kernels = 0, bytes = 0;
  CapraMemory memory;

  if (!g_test_subprocess ()) /* the peak is that of a process */
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  bytes = run (format, chain, 0, &kernels);
  capra_memory_query (support_device (0), &memory);
  run (format, chain, 1 << 30, &ample_kernels);
  g_printerr ("# forecast %.2f, peak %.2f bytes a pixel\n", (double) bytes / (WIDTH * HEIGHT),
              (double) memory.peak / (WIDTH * HEIGHT));
  g_assert_cmpuint (kernels, ==, ample_kernels); /* none ran in bands */
  g_assert_cmpfloat ((double) memory.peak, >=, LEAST * (double) bytes);
  g_assert_cmpuint (memory.peak, <=, bytes);
}

static void
test_float (gconstpointer chain)
{
  test_peak ("RGBA float", chain);
}

static void
test_gray (gconstpointer chain)
{
  test_peak ("Y float", chain);
}

static void
test_bytes (gconstpointer chain)
{
  test_peak ("R'G'B' u8", chain);
}

static void
add_test (const char *prefix, const char *chain, GTestDataFunc func)
{
  g_autofree char *path = operations_test_path (prefix, chain);

  g_test_add_data_func (path, chain, func);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) prepared = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  prepared = operations_get ("prepare");
  for (guint i = 0; i < prepared->len; i++)
    add_test ("/forecast/float/", prepared->pdata[i], test_float);
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++)
    {
      if (i % 2 == 0 || g_test_slow ())
        add_test ("/forecast/gray/", chains[i], test_gray);
      if (i % 2 == 1 || g_test_slow ())
        add_test ("/forecast/bytes/", chains[i], test_bytes);
    }
  status = g_test_run ();
  gegl_exit ();
  return status;
}

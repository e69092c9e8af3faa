/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph that has run before, on another image of the same size, allocates no memory, builds or loads no program, and
 * creates no kernel object. */
#include "tests/support/graph.h"
#include "tests/support/operations.h"

#define SIZE 500

/* Several operations with a crop between them. */
#define MIXED_CHAIN \
  "capra:gaussian-blur std-dev-x=5 std-dev-y=5 gegl:crop x=3 y=3 width=300 height=300 capra:threshold method=otsu " \
  "capra:label capra:statistics"

/* Waits until all freed memory is in the pools; GEGL's threads may free the last tiles a little later. */
static void
wait_until_free (void)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
      CapraMemory memory;

      do
        capra_memory_query (support_device (i), &memory);
      while (memory.bytes[CAPRA_MEMORY_RESIDENT] + memory.bytes[CAPRA_MEMORY_ARRAYS] > 0
             && g_get_monotonic_time () < end && (g_usleep (1000), TRUE));
    }
}

/* Runs @chain on a new image. */
static void
run (const char *chain, const char *format, const char *device, guint32 seed)
{
  const Babl *babl = babl_format (format);
  const GeglRectangle rect = { 0, 0, SIZE, SIZE };
  guint channels = (guint) babl_format_get_n_components (babl);
  g_autofree float *values = support_noise (SIZE * SIZE * channels, 0.0, 1.0, seed);
  g_autoptr (GeglBuffer) buffer = graph_buffer (format, &rect, values);
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, babl);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_chain (graph_source (graph, buffer), chain, device);

  if (gegl_node_has_pad (last, "output"))
    last = graph_node (graph, last, "gegl:write-buffer", "buffer", target, NULL);
  gegl_node_process (last);
  g_object_unref (g_steal_pointer (&graph));
  g_clear_object (&buffer);
  wait_until_free ();
}

static void
test_graph (gconstpointer data)
{
  static const char *const formats[] = { "Y float", "RGBA float" };
  const char *chain = data;

  for (guint i = 0; i < 4; i++)
    {
      CapraDevice *device = support_device (i % 2);
      CapraCounters before, after;

      run (chain, formats[i / 2], i % 2 ? "1" : "0", 1);
      capra_counters_query (device, &before);
      run (chain, formats[i / 2], i % 2 ? "1" : "0", 2);
      capra_counters_query (device, &after);
      g_assert_cmpuint (before.kernels, >, 0);
      g_test_message ("%s: %u, %u, %u", formats[i / 2], after.allocations - before.allocations,
                      after.kernels - before.kernels, after.builds + after.loads - before.builds - before.loads);
      g_assert_cmpuint (after.allocations, ==, before.allocations);
      g_assert_cmpuint (after.builds, ==, before.builds);
      g_assert_cmpuint (after.loads, ==, before.loads);
      g_assert_cmpuint (after.kernels, ==, before.kernels);
    }
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) chains = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  chains = operations_get_chains ();
  g_ptr_array_add (chains, MIXED_CHAIN);
  for (guint i = 0; i < chains->len; i++)
    {
      g_autofree char *name = operations_test_path ("/steady/", chains->pdata[i]);

      g_test_add_data_func (name, chains->pdata[i], test_graph);
    }
  status = g_test_run ();
  gegl_exit ();
  return status;
}

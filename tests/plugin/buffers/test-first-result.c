/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory while the first result of a process is computed: free buffers go back to the driver after each part. Later
 * results keep them. */
#include "runtime/memory/memory.h"
#include "tests/support/graph.h"

/* More pixels than a block of the first result has. */
enum { WIDTH = 2048, HEIGHT = 1536, CHUNK = 512 };

static guint64
get_free_bytes (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory.bytes[CAPRA_MEMORY_POOL];
}

static void
test_first (void)
{
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT }, part = { 0, 0, CHUNK, CHUNK };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format ("Y float"));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = graph_chain (graph_source (graph, buffer), "capra:gaussian-blur std-dev-x=2 std-dev-y=2", NULL);

  if (!capra_device_get_info (support_device (0))->unified)
    {
      g_test_skip ("the device has memory of its own");
      return;
    }
  g_free (graph_render (blur, &part, "Y float"));
  g_assert_cmpuint (get_free_bytes (), <=, sizeof (float) * CHUNK * CHUNK);
  g_free (graph_render_parts (blur, "Y float", 1, CHUNK));

  gegl_node_set (blur, "std-dev-x", 3.0, NULL);
  g_free (graph_render_parts (blur, "Y float", 1, CHUNK));
  g_assert_cmpuint (get_free_bytes (), >=, sizeof (float) * WIDTH * HEIGHT);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/first-result/memory", test_first);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

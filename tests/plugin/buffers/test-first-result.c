/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for the first result of a process: its tiles are made ready before its input is, and free buffers go back to
 * the driver after each part. Later results keep them. */
#include "plugin/buffers/first-result.h"

#include <stdio.h>
#include <unistd.h>

#include "runtime/memory/memory.h"
#include "tests/support/graph.h"

enum { WIDTH = 1000, HEIGHT = 700 };

static const GeglRectangle whole = { 0, 0, WIDTH, HEIGHT }, top = { 0, 0, WIDTH, 300 }, bottom = { 0, 300, WIDTH, 400 };

/* The bytes of free buffers, of which there is one at least, after @rect was computed. */
static guint64
compute (const GeglRectangle *rect)
{
  CapraShape shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_F32);
  CapraMemory memory;

  capra_array_unref (capra_array_new (support_device (0), &shape, NULL));
  capra_first_result_add (rect, &whole, support_device (0));
  capra_memory_query (support_device (0), &memory);
  return memory.bytes[CAPRA_MEMORY_POOL];
}

static void
test_memory (void)
{
  g_assert_cmpuint (compute (&top), ==, 0);
  g_assert_false (capra_first_result_is_complete ());
  g_assert_cmpuint (compute (&bottom), ==, 0);
  g_assert_true (capra_first_result_is_complete ());
  g_assert_cmpuint (compute (&whole), >=, sizeof (float) * WIDTH * HEIGHT);
}

/* The bytes of this process that are in memory. */
static guint64
get_resident (void)
{
  g_autofree char *text = NULL;
  unsigned long resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%*u %lu", &resident), ==, 1);
  return (guint64) resident * (guint64) sysconf (_SC_PAGESIZE);
}

/* The request is known before anything is decoded or computed. With this variable set, no driver is loaded in advance,
 * whose memory would be counted, too. */
static void
test_prepare (void)
{
  const GeglRectangle rect = { 0, 0, 2048, 1024 };
  const guint64 bytes = 2048 * 1024 * 3 * sizeof (float);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format ("RGB float"));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", NULL);
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  gboolean is_set = g_getenv ("OCL_ICD_FILENAMES") != NULL;
  guint64 before = 0;

  if (!is_set)
    g_setenv ("OCL_ICD_FILENAMES", "", TRUE);
  gegl_node_get_bounding_box (node); /* prepares the operation */
  before = get_resident ();
  gegl_operation_get_required_for_output (gegl_node_get_gegl_operation (node), "input", &rect);
  while (get_resident () < before + bytes && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_assert_cmpuint (get_resident (), >=, before + bytes);
  if (!is_set)
    g_unsetenv ("OCL_ICD_FILENAMES");
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/first-result/prepare", test_prepare);
  g_test_add_func ("/first-result/memory", test_memory);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

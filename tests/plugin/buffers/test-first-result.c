/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory while the first result of a process is computed: free buffers go back to the driver after each part. Later
 * results keep them. */
#include "plugin/buffers/first-result.h"

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

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/first-result/memory", test_memory);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

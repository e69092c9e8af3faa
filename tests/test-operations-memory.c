/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a device's memory is short, images give way to others and come back, with the same pixels. */
#include "graph.h"

#include <string.h>

#define WIDTH 512
#define HEIGHT 512
#define COUNT (WIDTH * HEIGHT)
#define BYTES (COUNT * 4)
#define N_MEMOS 6

static const GeglRectangle rect = { -7, 11, WIDTH, HEIGHT };

static CapraMemory
query (guint index)
{
  CapraMemory memory;

  capra_memory_query (support_device (index), &memory);
  return memory;
}

/* What @device may take from now on, in images. */
static void
set_budget (guint index, double images)
{
  capra_memory_trim (support_device (index));
  capra_memory_set_budget (support_device (index), (guint64) (images * BYTES));
}

/* Thresholds that are found need the whole image, and keep their results on the device. */
static GeglNode *
add_memos (GeglNode *graph, GeglNode *source, GeglNode **nodes)
{
  GeglNode *sum = NULL;

  for (guint i = 0; i < N_MEMOS; i++)
    {
      nodes[i] = graph_node (graph, source, "capra:box-blur", "radius", (int) i, "device", "0", NULL);
      nodes[i] = graph_node (graph, nodes[i], "capra:threshold", "method", 1 + (int) i % 2, "device", "0",
                             NULL);
      nodes[i] = graph_node (graph, nodes[i], "capra:box-blur", "radius", 1, "device", "0", NULL);
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

/* Six results are kept where two fit, while the graph is rendered over and over. */
static void
test_memos (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 5);
  g_autoptr(GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autoptr(GeglNode) graph = gegl_node_new ();
  GeglNode *nodes[N_MEMOS];
  GeglNode *sum = add_memos (graph, graph_source (graph, buffer), nodes);
  g_autofree float *expected = graph_render (sum, NULL, "Y float");
  guint64 before = 0;

  g_clear_object (&graph);
  graph = gegl_node_new ();
  sum = add_memos (graph, graph_source (graph, buffer), nodes);
  set_budget (0, 5.5);
  before = query (0).evictions;
  for (guint round = 0; round < 3; round++)
    {
      g_autofree float *pixels = graph_render (sum, NULL, "Y float");

      g_assert_cmpmem (pixels, BYTES, expected, BYTES);
      for (guint i = 0; i < N_MEMOS; i++)
        {
          g_autofree char *error = graph_error (nodes[i]);

          g_assert_cmpstr (error, ==, "");
        }
    }
  g_assert_cmpuint (query (0).evictions, >, before + N_MEMOS / 2);
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

/* Graphs in threads of their own push each other's images out of the same device. */
static void
test_threads (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 6);
  g_autoptr(GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autofree float *expected = NULL;
  GeglNode *graphs[3], *nodes[N_MEMOS];
  Worker workers[3];
  GThread *threads[3];

  for (guint i = 0; i < 3; i++)
    {
      graphs[i] = gegl_node_new ();
      workers[i] = (Worker) { add_memos (graphs[i], graph_source (graphs[i], buffer), nodes), NULL, 0 };
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

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/operations-memory/memos", test_memos);
  g_test_add_func ("/operations-memory/threads", test_threads);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

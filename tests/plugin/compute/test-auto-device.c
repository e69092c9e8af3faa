/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device=auto: an operation runs on the device that finishes first, with given rates. */
#include <string.h>

#include <gegl-plugin.h>

#include "tests/support/graph.h"

enum { WIDTH = 300, HEIGHT = 200, COUNT = WIDTH * HEIGHT };

static const GeglRectangle rect = { 5, -7, WIDTH, HEIGHT };

/* A device that is faster by far than the other one, so that what is queued does not count. */
static void
set_faster (const char *operation, guint faster)
{
  for (guint i = 0; i < 2; i++)
    capra_device_set_rate (support_device (i), operation, i == faster ? 1e9 : 1);
}

static guint64
count_commands (guint device)
{
  guint64 count = 0;

  capra_timeline_total (support_device (device), NULL, &count, NULL);
  return count;
}

static void
test_faster (gconstpointer data)
{
  const char *chain = data;
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autofree float *wanted = graph_render (graph_chain (graph_source (graph, buffer), chain, "0"), NULL, "Y float");

  if (support_skip_alone ())
    return;
  for (guint faster = 0; faster < 2; faster++)
    {
      GeglNode *node = graph_chain (graph_source (graph, buffer), chain, "auto");
      g_autofree char *reason = NULL, *chosen = NULL;
      g_autofree float *got = NULL;

      set_faster (gegl_node_get_operation (node), faster);
      graph_forget ();
      capra_timeline_reset ();
      got = graph_render (node, NULL, "Y float");
      support_assert_same (got, wanted, COUNT);
      g_assert_cmpuint (count_commands (faster), >, 0);
      g_assert_cmpuint (count_commands (1 - faster), ==, 0);
      reason = capra_device_choice_describe (gegl_node_get_operation (node));
      chosen = g_strdup_printf ("→ %u: ", capra_device_get_info (support_device (faster))->index);
      g_assert_nonnull (strstr (reason, chosen));
    }
}

/* An image on a device stays there if its transfer takes longer than the slower computation. */
static void
test_resident (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 4);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = graph_chain (graph_source (graph, buffer), "capra:box-blur radius=1", "0");
  GeglNode *node = graph_chain (blur, "capra:box-blur radius=2", "auto");
  g_autofree guint8 *got = NULL;

  if (support_skip_alone ())
    return;
  set_faster ("capra:box-blur", 1);
  for (guint i = 0; i < 2; i++)
    capra_device_set_rate (support_device (i), NULL, 1e-3);
  graph_forget ();
  capra_timeline_reset ();
  got = graph_render (node, NULL, "Y float");
  g_assert_cmpuint (count_commands (0), >, 0);
  g_assert_cmpuint (count_commands (1), ==, 0);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_data_func ("/auto-device/filter", "capra:gaussian-blur std-dev-x=1.2 std-dev-y=1.2", test_faster);
  g_test_add_data_func ("/auto-device/whole", "capra:threshold method=otsu", test_faster);
  g_test_add_func ("/auto-device/resident", test_resident);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

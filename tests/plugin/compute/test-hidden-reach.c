/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a change alters the last digits of results downstream: sums over graphs with many paths, and rectangles near
 * the limits of coordinates. */
#include "plugin/compute/hidden-reach.h"
#include "plugin/compute/job.h"
#include "tests/support/graph.h"

static guint n_calls;

static CapraHiddenReach
get_own (GeglOperation *operation)
{
  n_calls++;
  return (CapraHiddenReach){ 3, 5 };
}

static CapraHiddenReach
get_huge (GeglOperation *operation)
{
  return (CapraHiddenReach){ G_MAXINT, G_MAXINT - 1 };
}

/* Each operation is visited once, though 2^LEVELS paths lead to the first one. */
static void
test_paths (void)
{
  enum { LEVELS = 30 };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_node (graph, NULL, "gegl:color", NULL);
  GeglRectangle rect = { 1000, 2000, 10, 20 };

  for (guint i = 0; i < LEVELS; i++)
    {
      GeglNode *next = graph_node (graph, last, "gegl:over", NULL);

      gegl_node_connect (last, "output", next, "aux");
      last = next;
    }
  n_calls = 0;
  capra_hidden_reach_add (gegl_node_get_gegl_operation (last), get_own, &rect);
  g_assert_cmpuint (n_calls, ==, LEVELS + 1);
  g_assert_true (gegl_rectangle_equal_coords (&rect, 1000 - 3 * (LEVELS + 1), 2000 - 5 * (LEVELS + 1),
                                              10 + 6 * (LEVELS + 1), 20 + 10 * (LEVELS + 1)));
}

/* An operation is found whatever the name of the pad is, and however far upstream. */
static void
test_far (void)
{
  enum { LENGTH = 100 };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_node (graph, NULL, "gegl:color", NULL), *mix = NULL;
  GeglRectangle rect = { 0, 0, 1, 1 };

  for (guint i = 0; i < LENGTH; i++)
    last = graph_node (graph, last, "gegl:nop", NULL);
  mix = graph_node (graph, NULL, "gegl:opacity", NULL);
  gegl_node_connect (last, "output", mix, "aux");
  capra_hidden_reach_add (gegl_node_get_gegl_operation (mix), get_own, &rect);
  g_assert_cmpint (rect.width, ==, 1 + 6 * (LENGTH + 2));
}

/* Ends stay within those of GEGL's infinite plane. */
static void
test_limits (void)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_node (graph, NULL, "gegl:color", NULL), "gegl:nop", NULL);
  GeglRectangle rect = { 5, 5, 10, 10 }, half = { -100, G_MININT / 2, G_MAXINT / 2 + 100, G_MAXINT };
  GeglRectangle infinite = gegl_rectangle_infinite_plane (), empty = { 7, 7, 0, 0 }, moved = infinite, result;

  capra_hidden_reach_add (gegl_node_get_gegl_operation (node), get_huge, &rect);
  g_assert_cmpint (rect.x, ==, infinite.x);
  g_assert_cmpint (rect.y, ==, infinite.y);
  g_assert_cmpint (rect.width, >, G_MAXINT - 10);
  g_assert_cmpint (rect.height, >, G_MAXINT - 10);

  result = capra_rect_enlarge (&half, 1000, 1000);
  g_assert_cmpint (result.x, ==, -1100);
  g_assert_cmpint (result.width, >=, half.width + 1000);
  g_assert_cmpint (result.height, ==, G_MAXINT);
  moved.x += 50;
  result = capra_rect_enlarge (&moved, 1000, 0);
  g_assert_cmpint (result.x, ==, infinite.x);
  g_assert_cmpint (result.width, ==, G_MAXINT);
  result = capra_rect_enlarge (&infinite, 1000, 1000);
  g_assert_true (gegl_rectangle_equal (&result, &infinite));
  result = capra_rect_enlarge (&empty, 1000, 1000);
  g_assert_true (gegl_rectangle_equal (&result, &empty));
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/hidden-reach/paths", test_paths);
  g_test_add_func ("/hidden-reach/far", test_far);
  g_test_add_func ("/hidden-reach/limits", test_limits);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

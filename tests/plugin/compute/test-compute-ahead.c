/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much is computed at once when a host requests an image in parts. */
#include "plugin/compute/compute-ahead.h"
#include "tests/support/graph.h"

static guint64
count_pixels (void)
{
  return graph_bytes ("download") / sizeof (float);
}

/* A program limits what is computed at once beyond its requests; the pixels are the same. */
static void
test_block (void)
{
  enum { CHUNK = 128, BLOCK = 2 * CHUNK };
  const GeglRectangle extent = { -13, 27, 1301, 805 };
  GraphScene scene;
  GeglNode *blur = NULL, *fresh = NULL;
  g_autofree float *pixels = NULL, *expected = NULL;

  graph_scene_init (&scene, &extent, 0.0);
  blur = graph_chain (scene.source, "capra:gaussian-blur std-dev-x=2 std-dev-y=2", "");
  fresh = graph_chain (scene.source, "capra:gaussian-blur std-dev-x=2 std-dev-y=2", "");
  g_object_set_data (G_OBJECT (blur), CAPRA_KEY_BLOCK_PIXELS, GUINT_TO_POINTER (BLOCK * BLOCK));
  for (int i = 0; i < 3; i++)
    {
      const GeglRectangle chunk = { extent.x + 3 * CHUNK * i, extent.y + 2 * CHUNK * i, CHUNK, CHUNK };
      g_autofree float *part = NULL;

      graph_forget ();
      part = graph_render (blur, &chunk, "Y float");
      g_assert_cmpuint (count_pixels (), <=, (BLOCK + CHUNK) * (BLOCK + CHUNK));
    }
  pixels = graph_render (blur, NULL, "Y float");
  expected = graph_render (fresh, NULL, "Y float");
  support_assert_same (pixels, expected, (gsize) extent.width * extent.height);
  graph_scene_clear (&scene);
}

/* Where a device shares memory with the host, blocks of an image have up to 2 Mpx, which serve the next block: also
 * when a request needs much of what is missing. */
static void
test_rest (void)
{
  enum { WIDTH = 2560, HEIGHT = 1792, ROWS = 256, BLOCK = 2048 * 1024 };
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
  GraphScene scene;
  GeglNode *mask = NULL;
  guint64 total = 0;

  if (!capra_device_get_info (support_device (0))->unified)
    {
      g_test_skip ("the device has memory of its own");
      return;
    }
  graph_scene_init (&scene, &extent, 0.0);
  mask = graph_chain (scene.source, "capra:threshold value=0.5", "0");
  for (int y = 0; y < HEIGHT; y += y == 0 ? ROWS : 3 * ROWS)
    {
      const GeglRectangle rows = { 0, y, WIDTH, MIN (y == 0 ? ROWS : 3 * ROWS, HEIGHT - y) };
      g_autofree float *part = NULL;

      graph_forget ();
      part = graph_render (mask, &rows, "Y float");
      g_assert_cmpuint (count_pixels (), <=, MAX (BLOCK, rows.width * rows.height) + WIDTH * ROWS);
      total += count_pixels ();
    }
  g_assert_cmpuint (total, ==, WIDTH * HEIGHT);
  graph_scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/compute-ahead/block", test_block);
  g_test_add_func ("/compute-ahead/rest", test_rest);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

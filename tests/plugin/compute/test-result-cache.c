/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that are stored: what is computed and transferred for chunks, strokes and freed results. */
#include <glib/gstdio.h>

#include "plugin/buffers/tile-map.h"
#include "runtime/memory/memory.h"
#include "tests/support/graph.h"

enum { WIDTH = 1301, HEIGHT = 805, CHUNK = 128, BYTES = WIDTH * HEIGHT * sizeof (float) };

static const GeglRectangle extent = { -13, 27, WIDTH, HEIGHT };

/* An image, its blur, and an automatic threshold of that. */
typedef struct {
  GeglBuffer *buffer;
  GeglNode *graph, *blur, *mask;
} Scene;

static Scene
new_graph (GeglBuffer *buffer)
{
  Scene scene = { g_object_ref (buffer), gegl_node_new () };

  scene.blur = graph_node (scene.graph, graph_source (scene.graph, buffer), "capra:gaussian-blur", "std-dev-x", 2.0,
                           "std-dev-y", 2.0, NULL);
  scene.mask = graph_node (scene.graph, scene.blur, "capra:threshold", "method", 1, NULL);
  return scene;
}

static Scene
new_scene (void)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 7);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &extent, values);

  return new_graph (buffer);
}

static void
scene_clear (Scene *scene)
{
  g_clear_object (&scene->graph);
  g_clear_object (&scene->buffer);
}

/* @parts must be what a new graph renders at once. */
static void
assert_whole (Scene *scene, gboolean mask, const float *parts)
{
  Scene fresh = new_graph (scene->buffer);
  g_autofree float *whole = graph_render (mask ? fresh.mask : fresh.blur, NULL, "Y float");

  g_assert_cmpmem (parts, BYTES, whole, BYTES);
  scene_clear (&fresh);
}

static void
assert_no_transfers (void)
{
  g_assert_cmpuint (graph_count ("upload"), ==, 0);
  g_assert_cmpuint (graph_count ("download"), ==, 0);
}

/* The input is uploaded about once, and each result downloaded once. */
static void
test_chunks (void)
{
  Scene scene = new_scene ();
  g_autofree float *blur = NULL, *again = NULL, *mask = NULL;

  graph_forget ();
  blur = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_bytes ("upload"), <=, BYTES * 5 / 4);
  g_assert_cmpuint (graph_bytes ("download"), <=, BYTES * 5 / 4);
  assert_whole (&scene, FALSE, blur);

  graph_forget ();
  again = graph_render_parts (scene.blur, "Y float", 1, CHUNK / 2);
  g_assert_cmpmem (again, BYTES, blur, BYTES);
  assert_no_transfers ();

  /* The next operation reads the parts on the device, and is computed once. */
  mask = graph_render_parts (scene.mask, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_count ("upload"), ==, 0);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  assert_whole (&scene, TRUE, mask);
  scene_clear (&scene);
}

/* A stroke computes what it reaches. Of the input only the changed tiles are uploaded, whatever the reach is. */
static void
test_stroke (gconstpointer data)
{
  const GeglRectangle stroke = { 150, 160, 5, 3 };
  const float ink[15] = { 0 };
  double sigma = GPOINTER_TO_INT (data);
  Scene scene = new_scene ();
  g_autofree float *pixels = NULL, *whole = NULL;
  Scene fresh;

  gegl_node_set (scene.blur, "std-dev-x", sigma, "std-dev-y", sigma, NULL);
  pixels = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  gegl_buffer_set (scene.buffer, &stroke, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  graph_forget ();
  g_free (pixels);
  pixels = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_count ("upload"), >, 0);
  g_assert_cmpuint (graph_bytes ("upload"), <, BYTES / 20);
  if (sigma < 10.0)
    g_assert_cmpuint (graph_bytes ("download"), <, BYTES / 10);

  fresh = new_graph (scene.buffer);
  gegl_node_set (fresh.blur, "std-dev-x", sigma, "std-dev-y", sigma, NULL);
  whole = graph_render (fresh.blur, NULL, "Y float");
  g_assert_cmpmem (pixels, BYTES, whole, BYTES);
  scene_clear (&fresh);
  scene_clear (&scene);
}

/* After a stroke under a filter that reaches most of the image, the part that the stroke touches is computed alone, and
 * what else is requested later is computed at once. */
static void
test_dab (void)
{
  const GeglRectangle dab = { 600, 400, 16, 16 }, touched = { 590, 390, 36, 36 };
  g_autofree float *ink = g_new0 (float, 16 * 16), *first = NULL, *part = NULL, *rest = NULL, *whole = NULL;
  Scene scene = new_scene (), fresh;

  gegl_node_set (scene.blur, "std-dev-x", 50.0, "std-dev-y", 50.0, NULL);
  first = graph_render (scene.blur, NULL, "Y float");
  gegl_buffer_set (scene.buffer, &dab, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  graph_forget ();
  part = graph_render (scene.blur, &touched, "Y float");
  g_assert_cmpuint (graph_bytes ("download"), <, BYTES / 20);

  graph_forget ();
  rest = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  fresh = new_graph (scene.buffer);
  gegl_node_set (fresh.blur, "std-dev-x", 50.0, "std-dev-y", 50.0, NULL);
  whole = graph_render (fresh.blur, NULL, "Y float");
  g_assert_cmpmem (rest, BYTES, whole, BYTES);
  scene_clear (&fresh);
  scene_clear (&scene);
}

/* After a stroke under a filter that reaches little, no more than the request is computed. If the host requests the
 * same again and again, it is stored after some times. */
static void
test_small_dab (void)
{
  enum { REQUESTS = 20 };
  const GeglRectangle dab = { 560, 405, 16, 16 }, touched = { 550, 395, 36, 36 };
  const guint64 bytes = 36 * 36 * sizeof (float);
  g_autofree float *ink = g_new0 (float, 16 * 16), *whole = NULL, *expected = NULL;
  Scene scene = new_scene (), fresh;

  whole = graph_render (scene.blur, NULL, "Y float");
  gegl_buffer_set (scene.buffer, &dab, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  fresh = new_graph (scene.buffer);
  expected = graph_render (fresh.blur, &touched, "Y float");
  for (guint i = 0; i < REQUESTS; i++)
    {
      g_autofree float *part = NULL;

      graph_forget ();
      part = graph_render (scene.blur, &touched, "Y float");
      g_assert_cmpmem (part, bytes, expected, bytes);
      if (i == 0)
        g_assert_cmpuint (graph_bytes ("download"), ==, bytes);
    }
  assert_no_transfers ();
  scene_clear (&fresh);
  scene_clear (&scene);
}

/* The host has downloaded a result, so the device frees it without a transfer. The next operation uploads it again. */
static void
test_freed (void)
{
  Scene scene = new_scene ();
  g_autofree float *pixels = graph_render (scene.blur, NULL, "Y float"), *mask = NULL;

  graph_forget ();
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_free_unused (support_device (i));
  assert_no_transfers ();
  mask = graph_render (scene.mask, NULL, "Y float");
  g_assert_cmpuint (graph_bytes ("upload"), ==, BYTES);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  assert_whole (&scene, TRUE, mask);
  scene_clear (&scene);
}

/* Blits @rect of @node, and again after its @property was changed back and forth, when nothing is stored. */
static void
assert_equals_new (GeglNode *node, const char *property, const GeglRectangle *rect)
{
  g_autofree float *stored = graph_render (node, rect, "Y float"), *fresh = NULL;
  double value = 0.0;

  gegl_node_get (node, property, &value, NULL);
  gegl_node_set (node, property, value + 1.0, NULL);
  gegl_node_set (node, property, value, NULL);
  fresh = graph_render (node, rect, "Y float");
  g_assert_cmpmem (stored, (gsize) rect->width * rect->height * sizeof (float), fresh,
                   (gsize) rect->width * rect->height * sizeof (float));
}

/* An operation that reads a part whole, with tiles that were changed since, stores only what was requested. */
static void
test_old_tiles (void)
{
  const GeglRectangle image = { 0, 0, 384, 1280 }, first = { 0, 0, 384, 320 }, left = { 0, 0, 256, 320 };
  const GeglRectangle right = { 256, 0, 128, 320 }, stroke = { 300, 70, 40, 40 };
  g_autofree float *dark = g_new0 (float, 384 * 1280), *ink = g_new (float, 1600);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &image, dark);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = graph_node (graph, graph_source (graph, buffer), "capra:gaussian-blur", "std-dev-x", 1.0,
                               "std-dev-y", 1.0, NULL);
  GeglNode *mask = graph_node (graph, blur, "capra:threshold", "value", 0.5, NULL);
  g_autofree float *unused = graph_render (mask, &first, "Y float"), *more = NULL;

  for (guint i = 0; i < 1600; i++)
    ink[i] = 0.9f;
  gegl_buffer_set (buffer, &stroke, 0, babl_format ("Y float"), ink, GEGL_AUTO_ROWSTRIDE);
  gegl_node_set (mask, "value", 0.45, NULL);
  more = graph_render (mask, &left, "Y float");
  assert_equals_new (mask, "value", &right);
}

/* An image that appears on the aux pad, or disappears, changes all pixels of a threshold. */
static void
test_aux (void)
{
  const GeglRectangle image = { 0, 0, 512, 512 }, small = { 0, 0, 100, 100 };
  g_autofree float *values = support_noise (512 * 512, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &image, values);
  g_autoptr (GeglBuffer) thresholds = graph_buffer ("Y float", &small, values);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *aux = graph_source (graph, thresholds);
  GeglNode *mask = graph_node (graph, graph_source (graph, buffer), "capra:threshold", "value", 0.5, NULL);
  g_autofree float *unused = graph_render (aux, &small, "Y float"), *first = graph_render (mask, &image, "Y float");

  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*missing thresholds are 0*");
  gegl_node_connect (aux, "output", mask, "aux");
  assert_equals_new (mask, "value", &image);
  gegl_node_disconnect (mask, "aux");
  assert_equals_new (mask, "value", &image);
  g_test_assert_expected_messages ();
}

/* The file of a matrix may be written at any time. */
static void
test_matrix_file (void)
{
  const GeglRectangle image = { 0, 0, 256, 256 };
  g_autofree float *values = support_noise (256 * 256, 0.0, 1.0, 3), *first = NULL, *second = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "capra-matrix.txt", NULL);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &image, values);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = NULL;

  g_assert_true (g_file_set_contents (path, "1\n", -1, NULL));
  node = graph_node (graph, graph_source (graph, buffer), "capra:convolve", "path", path, NULL);
  first = graph_render (node, &image, "Y float");
  g_assert_true (g_file_set_contents (path, "2 \n", -1, NULL));
  second = graph_render (node, &image, "Y float");
  for (guint i = 0; i < 256 * 256; i++)
    g_assert_cmpfloat (second[i], ==, 2.0f * first[i]);
  g_remove (path);
}

/* Results of several operations that are larger than half of GEGL's tile cache are freed, the first ones first. */
static void
test_limit (void)
{
  guint64 tile_cache = 0;
  Scene scene = new_scene ();
  g_autofree float *pixels = NULL, *other = NULL;
  GeglNode *second = graph_node (scene.graph, scene.blur, "capra:box-blur", "radius", 3, NULL);

  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  g_object_set (gegl_config (), "tile-cache-size", (guint64) BYTES * 3, NULL);
  pixels = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  other = graph_render_parts (second, "Y float", 1, CHUNK);
  g_free (g_steal_pointer (&other));
  graph_forget ();
  other = graph_render_parts (second, "Y float", 1, CHUNK);
  assert_no_transfers ();
  g_free (g_steal_pointer (&other));
  other = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_count ("download"), >, 0);
  g_assert_cmpmem (other, BYTES, pixels, BYTES);
  g_object_set (gegl_config (), "tile-cache-size", tile_cache, NULL);
  scene_clear (&scene);
}

/* Of an image that is larger than what may be stored, blocks are computed and stored, not each chunk with its reach. */
static void
test_large_image (void)
{
  Scene scene = new_scene (), fresh;
  guint64 tile_cache = 0;
  g_autofree float *parts = NULL, *whole = NULL;

  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  g_object_set (gegl_config (), "tile-cache-size", (guint64) BYTES * 3 / 2, NULL);
  gegl_node_set (scene.blur, "std-dev-x", 50.0, "std-dev-y", 50.0, NULL);
  graph_forget ();
  parts = graph_render_parts (scene.blur, "Y float", 1, CHUNK);
  g_assert_cmpuint (graph_count ("download"), <, 16); /* of 77 chunks */
  fresh = new_graph (scene.buffer);
  gegl_node_set (fresh.blur, "std-dev-x", 50.0, "std-dev-y", 50.0, NULL);
  whole = graph_render (fresh.blur, NULL, "Y float");
  g_assert_cmpmem (parts, BYTES, whole, BYTES);
  g_object_set (gegl_config (), "tile-cache-size", tile_cache, NULL);
  scene_clear (&fresh);
  scene_clear (&scene);
}

/* A part of an image that has more tiles than can be counted in memory. */
static void
test_huge_image (void)
{
  const GeglRectangle part = { 1000000, 2000000, 64, 64 };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GObject) gray = (GObject *) gegl_color_new ("rgb(0.5, 0.5, 0.5)");
  GeglNode *color = graph_node (graph, NULL, "gegl:color", "value", gray, NULL);
  GeglNode *crop = graph_node (graph, color, "gegl:crop", "width", 2e8, "height", 2e8, NULL);
  GeglNode *blur = graph_node (graph, crop, "capra:gaussian-blur", "std-dev-x", 2.0, "std-dev-y", 2.0, NULL);
  g_autofree float *pixels = graph_render (blur, &part, "Y float"), *wanted = graph_render (crop, &part, "Y float");

  for (gint i = 0; i < part.width * part.height; i++)
    g_assert_cmpfloat_with_epsilon (pixels[i], wanted[i], 1e-6);
}

/* At a mipmap level, operations of GEGL write its tiles alone. What was computed then is not used later. */
static void
test_mipmap (gconstpointer chain)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 7), *pixels = NULL, *expected = NULL;
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &extent, values);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *invert = graph_node (graph, graph_source (graph, buffer), "gegl:invert-linear", NULL);
  GeglNode *node = graph_chain (invert, chain, ""), *fresh = graph_chain (invert, chain, "");

  for (guint i = 0; i < 2; i++)
    gegl_node_blit_buffer (node, NULL, GEGL_RECTANGLE (100, 100 * (gint) i, 64, 64), 1, GEGL_ABYSS_NONE);
  pixels = graph_render (node, NULL, "Y float");
  expected = graph_render (fresh, NULL, "Y float");
  g_assert_cmpmem (pixels, BYTES, expected, BYTES);
}

/* Parts replace each other tile by tile. */
static void
test_map (void)
{
  const Babl *format = babl_format ("Y u8");
  CapraTileGrid grid = capra_tile_grid_new (&extent, format, format);
  g_autoptr (CapraTileMap) map = capra_tile_map_new (&grid), rest = NULL;
  const GeglRectangle inside = { grid.width + 3, 2 * grid.height + 5, 1, 1 };
  const GeglRectangle tile = { grid.width, 2 * grid.height, grid.width, grid.height };
  GeglRectangle aligned = capra_tile_map_align (map, &inside), hull;
  GeglRectangle most = { extent.x, extent.y, WIDTH * 2 / 3, HEIGHT };
  CapraTileGrid all = grid, one = capra_tile_grid_new (&tile, format, format);
  g_autoptr (GPtrArray) parts = NULL;

  g_assert_true (gegl_rectangle_equal (&aligned, &tile));
  g_assert_cmpint (capra_tile_map_get_missing (map, &extent, &hull), ==, WIDTH * HEIGHT);
  g_assert_true (gegl_rectangle_equal (&hull, &extent));

  capra_tile_map_add (map, capra_device_tiles_new_from_tiles (&all, capra_tile_grid_new_tiles (&all)));
  g_assert_cmpint (capra_tile_map_get_missing (map, &extent, &hull), ==, 0);
  g_assert_true (gegl_rectangle_is_empty (&hull));

  /* Each map has a reference to the labels. */
  map->labels = gegl_buffer_new (&extent, format);
  rest = capra_tile_map_copy (map);
  g_assert_true (rest->labels == map->labels);
  capra_tile_map_remove (rest, &inside);
  g_assert_cmpint (capra_tile_map_get_missing (map, &extent, NULL), ==, 0);
  g_assert_cmpint (capra_tile_map_get_missing (rest, &extent, &hull), ==, tile.width * tile.height);
  g_assert_true (gegl_rectangle_equal (&hull, &tile));

  capra_tile_map_add (rest, capra_device_tiles_new_from_tiles (&one, capra_tile_grid_new_tiles (&one)));
  parts = capra_tile_map_list_parts (rest, &inside);
  g_assert_cmpuint (parts->len, ==, 1);
  g_assert_cmpuint (rest->parts->len, ==, 2);
  capra_tile_map_add (rest, capra_device_tiles_new_from_tiles (&all, capra_tile_grid_new_tiles (&all)));
  g_assert_cmpuint (rest->parts->len, ==, 1);

  capra_tile_map_remove (rest, &most);
  g_assert_cmpint (capra_tile_map_get_missing (rest, &extent, NULL), ==, WIDTH * HEIGHT);
  g_assert_cmpuint (rest->parts->len, ==, 0);
}

/* Each part overlaps the next one, so that a column of its tiles is shown. */
static void
test_overlap (void)
{
  enum { COLUMNS = 8, STROKES = 60 };
  const Babl *format = babl_format ("Y u8");
  const GeglRectangle image = { 0, 0, 8192, 1024 };
  CapraTileGrid grid = capra_tile_grid_new (&image, format, format);
  g_autoptr (CapraTileMap) map = capra_tile_map_new (&grid), limited = NULL, same = NULL;
  gint64 pixels = 0;

  for (gint i = 0; i < STROKES; i++)
    {
      const GeglRectangle rect = { i * grid.width, 0, MIN (COLUMNS * grid.width, image.width - i * grid.width),
                                   image.height };
      CapraTileGrid part = capra_tile_grid_new (&rect, format, format);

      capra_tile_map_add (map, capra_device_tiles_new_from_tiles (&part, capra_tile_grid_new_tiles (&part)));
    }
  g_assert_cmpuint (map->parts->len, ==, STROKES);
  g_assert_cmpint (capra_tile_map_get_missing (map, &image, NULL), ==, 0);
  limited = capra_tile_map_limit (map);
  g_assert_cmpint (capra_tile_map_get_missing (map, &image, NULL), ==, 0);
  for (guint i = 0; i < limited->parts->len; i++)
    {
      const GeglRectangle *rect = &capra_device_tiles_get_grid (limited->parts->pdata[i])->extent;

      pixels += (gint64) rect->width * rect->height;
    }
  g_assert_cmpint (pixels, <=, 2 * (gint64) image.width * image.height);
  g_assert_true (g_ptr_array_find (limited->parts, map->parts->pdata[STROKES - 1], NULL));
  same = capra_tile_map_limit (limited);
  g_assert_true (same == limited);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/result-cache/chunks", test_chunks);
  g_test_add_data_func ("/result-cache/stroke/small", GINT_TO_POINTER (2), test_stroke);
  g_test_add_data_func ("/result-cache/stroke/large", GINT_TO_POINTER (50), test_stroke);
  g_test_add_func ("/result-cache/stroke/dab", test_dab);
  g_test_add_func ("/result-cache/stroke/small-dab", test_small_dab);
  g_test_add_func ("/result-cache/freed", test_freed);
  g_test_add_func ("/result-cache/old-tiles", test_old_tiles);
  g_test_add_func ("/result-cache/aux", test_aux);
  g_test_add_func ("/result-cache/matrix-file", test_matrix_file);
  g_test_add_func ("/result-cache/limit", test_limit);
  g_test_add_func ("/result-cache/large-image", test_large_image);
  g_test_add_func ("/result-cache/huge-image", test_huge_image);
  g_test_add_data_func ("/result-cache/mipmap/parts", "capra:box-blur radius=3 capra:gaussian-blur", test_mipmap);
  g_test_add_data_func ("/result-cache/mipmap/whole", "capra:threshold method=otsu", test_mipmap);
  g_test_add_data_func ("/result-cache/mipmap/input", "capra:statistics", test_mipmap);
  g_test_add_func ("/result-cache/map", test_map);
  g_test_add_func ("/result-cache/overlap", test_overlap);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of operations that need the whole image: freed when memory is short, computed again when they are needed, and
 * nothing is written or reported twice. */
#include <glib/gstdio.h>
#include <string.h>

#include <gegl-plugin.h>

#include "tests/support/graph.h"

enum { WIDTH = 517, HEIGHT = 389, CHUNK = 128, BYTES = WIDTH * HEIGHT * sizeof (float) };

static const GeglRectangle extent = { 5, -9, WIDTH, HEIGHT };

/* Two operations on the same image. Rendering @other frees the result of @node, as GEGL's tile cache is small. */
typedef struct {
  GeglBuffer *buffer;
  GeglNode *graph, *node, *other;
  guint64 tile_cache;
} Scene;

static void
scene_init (Scene *scene, const char *chain)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, 0.0, 1.0, 7);
  GeglNode *source = NULL;

  scene->buffer = graph_buffer ("Y float", &extent, values);
  scene->graph = gegl_node_new ();
  source = graph_source (scene->graph, scene->buffer);
  scene->node = graph_chain (source, chain, "");
  scene->other = graph_chain (source, "capra:threshold method=mean", "");
  g_object_get (gegl_config (), "tile-cache-size", &scene->tile_cache, NULL);
}

static void
scene_clear (Scene *scene)
{
  g_object_set (gegl_config (), "tile-cache-size", scene->tile_cache, NULL);
  g_clear_object (&scene->graph);
  g_clear_object (&scene->buffer);
}

static float *
render (GeglNode *node)
{
  return graph_render_parts (node, "Y float", 1, CHUNK);
}

/* Renders another result while the cache has room for one. */
static void
free_result (Scene *scene)
{
  g_object_set (gegl_config (), "tile-cache-size", (guint64) BYTES, NULL);
  g_free (render (scene->other));
  g_object_set (gegl_config (), "tile-cache-size", scene->tile_cache, NULL);
}

/* The result is stored, freed when another one needs its memory, and computed again, once. */
static void
test_freed (gconstpointer chain)
{
  Scene scene;
  g_autofree float *first = NULL, *second = NULL, *third = NULL;

  scene_init (&scene, chain);
  first = render (scene.node);
  graph_forget ();
  second = render (scene.node);
  g_assert_cmpmem (second, BYTES, first, BYTES);
  g_assert_cmpuint (graph_count ("download"), ==, 0);

  free_result (&scene);
  graph_forget ();
  third = render (scene.node);
  g_assert_cmpmem (third, BYTES, first, BYTES);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  g_free (g_steal_pointer (&third));
  graph_forget ();
  third = render (scene.node);
  g_assert_cmpuint (graph_count ("download"), ==, 0);
  scene_clear (&scene);
}

/* Of two results that do not fit, the one that was used last is kept. */
static void
test_order (void)
{
  Scene scene;
  g_autofree float *pixels = NULL, *other = NULL;

  scene_init (&scene, "capra:threshold method=otsu");
  g_object_set (gegl_config (), "tile-cache-size", (guint64) BYTES * 3, NULL);
  pixels = render (scene.node);
  other = render (scene.other);
  graph_forget ();
  g_free (g_steal_pointer (&other));
  other = render (scene.other);
  g_assert_cmpuint (graph_count ("download"), ==, 0);
  g_free (g_steal_pointer (&pixels));
  pixels = render (scene.node);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  scene_clear (&scene);
}

/* The table of the same input is written once. */
static void
test_table (void)
{
  Scene scene;
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  g_autofree float *first = NULL, *second = NULL, *third = NULL;
  g_autofree char *error = NULL;
  double mean = 0.0;

  scene_init (&scene, "capra:statistics");
  g_setenv ("CAPRA_TABLES", path, TRUE);
  first = render (scene.node);
  g_assert_cmpint (g_unlink (path), ==, 0);
  free_result (&scene);
  graph_forget ();
  second = render (scene.node);
  g_assert_cmpmem (second, BYTES, first, BYTES);
  g_assert_cmpuint (graph_count ("upload"), ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  gegl_node_get (scene.node, "mean", &mean, NULL);
  g_assert_cmpfloat_with_epsilon (mean, 0.5, 0.01);

  graph_touch (scene.buffer);
  third = render (scene.node);
  g_assert_cmpmem (third, BYTES, first, BYTES);
  error = graph_error (scene.node);
  g_assert_cmpstr (error, ==, "");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_unsetenv ("CAPRA_TABLES");
  g_rmdir (folder);
  scene_clear (&scene);
}

/* Renders other results in memory for three images. */
static void
use_memory (Scene *scene)
{
  GeglNode *source = gegl_node_get_producer (scene->other, "input", NULL);

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_trim (support_device (i));
      capra_memory_set_budget (support_device (i), BYTES * 7 / 2);
    }
  for (guint i = 1; i < 4; i++)
    {
      g_autofree char *chain = g_strdup_printf ("capra:box-blur radius=%u capra:threshold method=otsu", i);
      GeglNode *node = graph_chain (source, chain, "");
      g_autofree char *error = NULL;

      g_free (render (node));
      error = graph_error (node);
      g_assert_cmpstr (error, ==, "");
    }
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_set_budget (support_device (i), 0);
}

/* Removes the tables in @folder, and returns their number. */
static guint
remove_tables (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;
  guint n = 0;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
      n++;
    }
  return n;
}

/* The statistics keep the buffer of their input. If a device's memory is short, that is freed, without a transfer, and
 * the table is not written again. */
static void
test_table_without_memory (void)
{
  Scene scene;
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  g_autofree float *first = NULL, *second = NULL;

  scene_init (&scene, "capra:gaussian-blur capra:statistics capra:threshold method=otsu");
  g_setenv ("CAPRA_TABLES", path, TRUE);
  first = render (scene.node);
  g_assert_cmpuint (remove_tables (folder), ==, 1);
  graph_forget ();
  use_memory (&scene);
  g_assert_cmpuint (graph_count ("evict"), ==, 0);
  gegl_node_set (scene.node, "perceptual", TRUE, NULL);
  gegl_node_set (scene.node, "perceptual", FALSE, NULL);
  second = render (scene.node);
  g_assert_cmpmem (second, BYTES, first, BYTES);
  g_assert_cmpuint (remove_tables (folder), ==, 0);
  g_unsetenv ("CAPRA_TABLES");
  g_rmdir (folder);
  scene_clear (&scene);
}

/* Exported by the library, but declared in none of its headers. */
GeglOperationContext *gegl_operation_context_new (GeglOperation *operation, GHashTable *contexts);
void gegl_operation_context_destroy (GeglOperationContext *context);

/* A part of the input of a sink, processed in a thread. */
typedef struct {
  GeglOperation *operation;
  GeglBuffer *input;
  GeglRectangle roi;
} Half;

static gpointer
process_half (gpointer data)
{
  const Half *half = data;
  GeglOperationContext *context = gegl_operation_context_new (half->operation, NULL);

  gegl_operation_context_set_object (context, "input", G_OBJECT (half->input));
  g_assert_true (
    GEGL_OPERATION_GET_CLASS (half->operation)->process (half->operation, context, "output", &half->roi, 0));
  gegl_operation_context_destroy (context);
  return NULL;
}

/* A sink whose input is processed in two parts at the same time measures it once, and again in the next pass. */
static void
test_sink (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  g_autofree guint8 *labels = g_malloc (WIDTH * HEIGHT);
  g_autoptr (GeglBuffer) buffer = NULL;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *sink = NULL;
  Half halves[2];
  guint64 once = 0;

  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    labels[i] = (guint8) (i / 7 % 5);
  buffer = graph_buffer ("Y' u8", &extent, labels);
  sink = graph_node (graph, graph_source (graph, buffer), "capra:measure-save", "path", path, NULL);
  for (gint i = 0; i < 2; i++)
    halves[i] = (Half){ gegl_node_get_gegl_operation (sink),
                        buffer,
                        { extent.x + i * (WIDTH / 2), extent.y, i == 0 ? WIDTH / 2 : WIDTH - WIDTH / 2, HEIGHT } };
  gegl_node_process (sink);
  for (guint pass = 0; pass < 20; pass++)
    {
      GThread *thread = NULL;

      graph_forget ();
      if (pass == 0)
        process_half (&halves[0]);
      else
        thread = g_thread_new ("half", process_half, &halves[0]);
      process_half (&halves[1]);
      g_clear_pointer (&thread, g_thread_join);
      g_assert_cmpuint (remove_tables (folder), ==, 1);
      if (pass == 0)
        once = graph_count (NULL);
      g_assert_cmpuint (graph_count (NULL), ==, once);
    }
  g_assert_cmpuint (once, >, 0);
  g_rmdir (folder);
}

/* A failed computation, of fractions as labels, is not repeated for the same input. */
static void
test_failure (void)
{
  Scene scene;
  g_autofree float *first = NULL, *second = NULL, *third = NULL;
  g_autofree char *error = NULL;

  scene_init (&scene, "capra:measure");
  graph_forget ();
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*not labels*");
  first = render (scene.node);
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  error = graph_error (scene.node);
  g_assert_nonnull (strstr (error, "not labels"));
  free_result (&scene);
  graph_forget ();
  second = render (scene.node);
  g_assert_cmpmem (second, BYTES, first, BYTES);
  g_assert_cmpuint (graph_count ("upload"), ==, 0);

  graph_touch (scene.buffer);
  third = render (scene.node);
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_test_assert_expected_messages ();
  scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_data_func ("/whole-results/freed/otsu", "capra:threshold method=otsu", test_freed);
  g_test_add_data_func ("/whole-results/freed/label", "capra:threshold value=0.7 capra:label", test_freed);
  g_test_add_func ("/whole-results/order", test_order);
  g_test_add_func ("/whole-results/table", test_table);
  g_test_add_func ("/whole-results/table-without-memory", test_table_without_memory);
  g_test_add_func ("/whole-results/sink", test_sink);
  g_test_add_func ("/whole-results/failure", test_failure);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

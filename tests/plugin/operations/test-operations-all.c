/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of every operation of the table: images stay on the device, failures are reported, unbounded inputs are
 * computed or refused, writing results has no effect, and properties are those of GEGL's operation. */
#include "tests/support/graph.h"
#include "tests/support/operations.h"

#include <string.h>

#define WIDTH 67
#define HEIGHT 45
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -9, 14, WIDTH, HEIGHT };

/* The pixels of @node as floats; NULL after running a sink. */
static float *
run (GeglNode *node)
{
  if (gegl_node_has_pad (node, "output"))
    return graph_render (node, NULL, "Y float");
  gegl_node_process (node);
  return NULL;
}

static void
assert_no_error (GeglNode *node)
{
  g_autofree char *error = graph_error (node);

  g_assert_cmpstr (error, ==, "");
}

/* The chain reads the result of another operation on the device, without a second upload. */
static void
test_residency (gconstpointer chain)
{
  GraphScene scene;
  GeglNode *first = NULL, *last = NULL;

  graph_scene_init (&scene, &rect, 0.1);
  first = graph_node (scene.graph, scene.source, "capra:box-blur", "radius", 1, NULL);
  last = graph_chain (first, chain, "");
  graph_forget ();
  g_free (run (last));
  assert_no_error (last);
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_assert_cmpuint (graph_bytes ("upload"), ==, COUNT * sizeof (float));
  /* Without doubles, the host clips. */
  if (support_has_doubles () || !strstr (chain, "kappa-sigma"))
    g_assert_cmpuint (graph_count ("download"), <=, gegl_node_has_pad (last, "output") ? 1 : 0);
  graph_scene_clear (&scene);
}

/* With an unknown device the last operation of the chain logs one error and outputs all of its input or zeros. */
static void
test_error (gconstpointer chain)
{
  GraphScene scene;
  GeglNode *last = NULL, *input = NULL;
  g_autofree float *pixels = NULL, *passed = NULL;
  g_autofree char *error = NULL;
  gboolean failed = FALSE;

  graph_scene_init (&scene, &rect, 0.1);
  last = graph_chain (scene.source, chain, "");
  input = gegl_node_get_producer (last, "input", NULL);
  gegl_node_set (last, "device", "no such device", NULL);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*no such device*");
  pixels = run (last);
  g_free (pixels ? run (last) : NULL);
  g_test_assert_expected_messages ();
  error = graph_error (last);
  gegl_node_get (last, "failed", &failed, NULL);
  g_assert_true (failed);
  g_assert_nonnull (strstr (error, "no such device"));
  if (pixels)
    {
      GeglRectangle box = gegl_node_get_bounding_box (last), before = gegl_node_get_bounding_box (input);
      gsize count = (gsize) box.width * (gsize) box.height;
      gboolean zeros = TRUE;

      for (gsize i = 0; i < count; i++)
        zeros = zeros && pixels[i] == 0.0f;
      passed = graph_render (input, &box, "Y float");
      g_assert_true (zeros || (gegl_rectangle_contains (&box, &before) && memcmp (pixels, passed, count * 4) == 0));
    }
  gegl_node_set (last, "device", "", NULL);
  g_free (run (last));
  assert_no_error (last);
  graph_scene_clear (&scene);
}

/* With an unbounded input an operation computes the requested part, or reports that it cannot. */
static void
test_unbounded (gconstpointer chain)
{
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *checks = graph_node (graph, NULL, "gegl:checkerboard", NULL);
  GeglNode *last = graph_chain (checks, chain, "");
  GeglRectangle part = { 3, 4, 8, 8 };
  g_autofree char *error = NULL;
  gboolean failed = FALSE;

  if (gegl_node_has_pad (last, "output"))
    {
      g_free (graph_render (last, &part, "Y float"));
      gegl_node_get (last, "failed", &failed, NULL);
      error = graph_error (last);
      g_assert_true (failed == (strstr (error, "unbounded") != NULL));
      g_assert_true (failed || *error == '\0');
    }
  g_log_set_always_fatal (fatal);
}

static void
count_call (gpointer counter)
{
  ++*(int *) counter;
}

/* Some hosts write all properties that they have read: results keep their value, and nothing is computed again. */
static void
test_results (gconstpointer chain)
{
  GraphScene scene;
  GeglNode *last = NULL;
  guint count = 0;
  g_autofree GParamSpec **list = NULL;

  graph_scene_init (&scene, &rect, 0.1);
  last = graph_chain (scene.source, chain, "");
  g_free (run (last));
  assert_no_error (last);
  list = gegl_operation_list_properties (gegl_node_get_operation (last), &count);
  for (guint i = 0; i < count; i++)
    {
      const char *visible = gegl_param_spec_get_property_key (list[i], "visible");
      g_auto (GValue) before = G_VALUE_INIT, after = G_VALUE_INIT;
      int invalidations = 0;
      gulong handler = 0;

      if (g_strcmp0 (visible, "0") != 0)
        continue;
      g_value_init (&before, list[i]->value_type);
      g_value_init (&after, list[i]->value_type);
      gegl_node_get_property (last, list[i]->name, &before);
      handler = g_signal_connect_swapped (last, "invalidated", G_CALLBACK (count_call), &invalidations);
      g_param_value_set_default (list[i], &after);
      gegl_node_set_property (last, list[i]->name, &after);
      gegl_node_get_property (last, list[i]->name, &after);
      g_assert_cmpint (g_param_values_cmp (list[i], &before, &after), ==, 0);
      if (!g_str_equal (list[i]->name, "failed"))
        g_assert_cmpint (invalidations, ==, 0);
      g_signal_handler_disconnect (last, handler);
    }
  graph_scene_clear (&scene);
}

/* Names, types and defaults are those of GEGL's operation. */
static void
test_twins (void)
{
  g_autoptr (GPtrArray) names = operations_list ();

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      const char *row = operations_get_value (name + strlen ("capra:"), "twin");
      g_auto (GStrv) words = g_strsplit (row ? row : "", " ", -1);

      for (guint k = 1; words[0] && words[k]; k++)
        {
          GParamSpec *theirs = gegl_operation_find_property (words[0], words[k]);
          GParamSpec *ours = gegl_operation_find_property (name, words[k]);

          g_assert_nonnull (theirs);
          g_assert_nonnull (ours);
          g_assert_true (G_PARAM_SPEC_TYPE (theirs) == G_PARAM_SPEC_TYPE (ours));
          g_assert_cmpint (
            g_param_values_cmp (theirs, g_param_spec_get_default_value (theirs), g_param_spec_get_default_value (ours)),
            ==, 0);
        }
    }
}

/* Every operation has the keys and properties that hosts show, and is in a chain of the table or has a test of its own.
 */
static void
test_keys (void)
{
  static const char *const properties[] = { "device", "error", "failed" };
  g_autoptr (GPtrArray) names = operations_list (), chains = operations_get_chains ();

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      const char *label = gegl_operation_get_key (name, "gimp:menu-label");
      gboolean used = operations_get_value (name + strlen ("capra:"), "test") != NULL;

      g_assert_true (gegl_has_operation (name));
      g_assert_nonnull (gegl_operation_get_key (name, "title"));
      g_assert_nonnull (gegl_operation_get_key (name, "description"));
      g_assert_nonnull (gegl_operation_get_key (name, "categories"));
      g_assert_cmpstr (gegl_operation_get_key (name, "gimp:menu-path"), ==, label ? "<Image>/Filters/Capra" : NULL);
      for (guint k = 0; k < G_N_ELEMENTS (properties); k++)
        g_assert_nonnull (gegl_operation_find_property (name, properties[k]));
      for (guint k = 0; k < chains->len; k++)
        {
          g_auto (GStrv) words = g_strsplit (chains->pdata[k], " ", -1);

          used = used || g_strv_contains ((const char *const *) words, name);
        }
      g_assert_true (used);
    }
}

static void
add_tests (const char *prefix, GTestDataFunc func, GPtrArray *chains)
{
  for (guint i = 0; i < chains->len; i++)
    {
      g_autofree char *path = operations_test_path (prefix, chains->pdata[i]);

      g_test_add_data_func (path, chains->pdata[i], func);
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
  g_test_add_func ("/operations-all/keys", test_keys);
  g_test_add_func ("/operations-all/twins", test_twins);
  add_tests ("/operations-all/residency/", test_residency, chains);
  add_tests ("/operations-all/error/", test_error, chains);
  add_tests ("/operations-all/unbounded/", test_unbounded, chains);
  add_tests ("/operations-all/results/", test_results, chains);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

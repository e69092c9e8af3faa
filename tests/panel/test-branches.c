/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Second inputs of steps: text formats, comparison with the same graph in GEGL, unsupported graphs. */
#include <gegl.h>
#include <math.h>
#include <string.h>

#include "tests/support/graph.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/step-paths.h"
#include "ui/panel/steps/step-model.h"
#include "ui/pipeline/write/save.h"
#include "tests/panel/steps.h"
#include "tests/support/support.h"

#define WIDTH 67
#define HEIGHT 41

/* The image minus its blur, times a file, over the blur: uses each kind of source. */
static GPtrArray *
make_steps (const char *path)
{
  GPtrArray *steps = steps_make_blur ("3");
  CapraStep *blur = steps->pdata[0];
  static const char *const others[] = { "gegl:subtract", "gegl:multiply", "gegl:add" };
  CapraAuxSource *const sources[] = {
    capra_aux_source_new_input (),
    capra_aux_source_new_file (path),
    capra_aux_source_new_step (capra_step_get_id (blur)),
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_ptr_array_add (steps, capra_step_new (others[i]));
      capra_step_set_aux (steps->pdata[i + 1], sources[i]);
      capra_aux_source_unref (sources[i]);
    }
  return steps;
}

static float *
render_steps (GeglBuffer *image, GPtrArray *steps)
{
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, TRUE);
  g_autoptr (GHashTable) errors = NULL;
  float *pixels = g_new (float, WIDTH * HEIGHT * 4);

  capra_graph_update (graph, steps);
  capra_graph_render (graph, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("RGBA float"), pixels,
                      GEGL_AUTO_ROWSTRIDE);
  errors = capra_graph_get_errors (graph);
  g_assert_cmpuint (g_hash_table_size (errors), ==, 0);
  return pixels;
}

/* The graph that GEGL parses from @xml, with @image on unconnected inputs. */
static float *
render_xml (GeglBuffer *image, const char *xml)
{
  g_autoptr (GeglNode) root = gegl_node_new_from_xml (xml, NULL);
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *node = gegl_node_get_output_proxy (root, "output");
  float *pixels = g_new (float, WIDTH * HEIGHT * 4);

  while (gegl_node_get_producer (node, "input", NULL))
    node = gegl_node_get_producer (node, "input", NULL);
  gegl_node_link (source, node);
  gegl_node_blit (root, 1.0, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("RGBA float"), pixels,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return pixels;
}

static float *
render_command (GeglBuffer *image, const char *command)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *proxy = gegl_node_get_output_proxy (root, "output");
  float *pixels = g_new (float, WIDTH * HEIGHT * 4);
  GError *error = NULL;

  gegl_node_link (source, proxy);
  gegl_create_chain (command, source, proxy, 0.0, HEIGHT, NULL, &error);
  g_assert_no_error (error);
  gegl_node_blit (root, 1.0, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("RGBA float"), pixels,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return pixels;
}

static void
assert_close (const float *pixels, const float *expected)
{
  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    g_assert_cmpfloat (fabsf (pixels[i] - expected[i]), <=, 1e-5f);
}

static char *
make_file (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B'A u8");
  g_autoptr (GPtrArray) steps = steps_make_blur ("1");
  char *path = g_build_filename (g_get_user_cache_dir (), "the aux.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_mkdir_with_parents (g_get_user_cache_dir (), 0755);
  g_assert_true (capra_save (file, image, steps, 8, NULL, NULL, NULL));
  return path;
}

static void
assert_sources (GPtrArray *steps, const char *path)
{
  g_assert_cmpuint (steps->len, ==, 4);
  g_assert_null (capra_step_get_aux (steps->pdata[0]));
  g_assert_cmpint (capra_aux_source_get_kind (capra_step_get_aux (steps->pdata[1])), ==, CAPRA_AUX_INPUT);
  g_assert_cmpstr (capra_aux_source_get_path (capra_step_get_aux (steps->pdata[2])), ==, path);
  g_assert_cmpuint (capra_aux_source_get_step (capra_step_get_aux (steps->pdata[3])), ==,
                    capra_step_get_id (steps->pdata[0]));
}

static void
test_texts (void)
{
  g_autofree char *path = make_file ();
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "RGBA float");
  g_autoptr (GPtrArray) steps = make_steps (path);
  g_autofree char *xml = capra_steps_to_xml (steps), *command = capra_steps_to_command (steps);
  g_autofree float *pixels = render_steps (image, steps);
  g_autofree float *by_xml = render_xml (image, xml), *by_command = render_command (image, command);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) from_xml = capra_steps_from_xml (xml, &error);
  g_autoptr (GPtrArray) from_command = NULL;

  g_assert_no_error (error);
  assert_sources (from_xml, path);
  from_command = capra_steps_from_command (command, &error);
  g_assert_no_error (error);
  assert_sources (from_command, path);
  assert_close (pixels, by_xml);
  assert_close (pixels, by_command);
}

/* A disabled step keeps its second input; a reference to it gets the result of the step before. */
static void
test_off (void)
{
  g_autoptr (GPtrArray) steps = make_steps ("aux.png");
  g_autoptr (GPtrArray) read = NULL;
  g_autofree char *xml = NULL;

  capra_step_set_enabled (steps->pdata[1], FALSE);
  xml = capra_steps_to_xml (steps);
  read = capra_steps_from_xml (xml, NULL);
  assert_sources (read, "aux.png");
  g_assert_false (capra_step_get_enabled (read->pdata[1]));
  capra_steps_resolve_paths (read, "/folder");
  g_assert_cmpstr (capra_aux_source_get_path (capra_step_get_aux (read->pdata[2])), ==, "/folder/aux.png");

  g_clear_pointer (&xml, g_free);
  g_clear_pointer (&read, g_ptr_array_unref);
  capra_step_set_enabled (steps->pdata[0], FALSE);
  xml = capra_steps_to_xml (steps);
  read = capra_steps_from_xml (xml, NULL);
  g_assert_cmpint (capra_aux_source_get_kind (capra_step_get_aux (read->pdata[3])), ==, CAPRA_AUX_INPUT);
}

/* The graph of the demonstration in a hand-written form. */
static void
test_written (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_xml (
    "<gegl>\n<node operation='gegl:add'>\n<gegl:load path='a.png'/>\n</node>\n"
    "<gegl:gaussian-blur std-dev-x='3' id='x'/><gegl:load path='a.png'/></gegl>",
    &error);
  g_autoptr (GPtrArray) words = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (steps->len, ==, 3);
  g_assert_cmpstr (capra_aux_source_get_path (capra_step_get_aux (steps->pdata[2])), ==, "a.png");
  words = capra_steps_from_command ("id=a gegl:gaussian-blur gegl:add aux=[ ref=a] "
                                    "gegl:add aux=[gegl:load path=a.png]",
                                    &error);
  g_assert_no_error (error);
  g_assert_cmpint (capra_aux_source_get_kind (capra_step_get_aux (words->pdata[1])), ==, CAPRA_AUX_INPUT);
  g_assert_cmpstr (capra_aux_source_get_path (capra_step_get_aux (words->pdata[2])), ==, "a.png");
}

static void
test_refused (void)
{
  static const char *const graphs[] = {
    "<gegl><gegl:over><gegl:invert-linear/></gegl:over></gegl>",
    "<gegl><gegl:over><gegl:gaussian-blur std-dev-x='2'/><gegl:load path='a'/></gegl:over></gegl>",
    "<gegl><gegl:over><gegl:load path='a'/><gegl:load path='b'/></gegl:over></gegl>",
    "<gegl><gegl:invert-linear id='later'/><gegl:over><clone ref='later'/></gegl:over></gegl>",
    "<gegl><gegl:over><gegl:load path='a'><gegl:load path='b'/></gegl:load></gegl:over></gegl>",
    "<gegl><clone ref='a'/><gegl:over id='a'/></gegl>",
  };
  static const char *const chains[] = {
    "gegl:over aux=[ gegl:load path=a gegl:invert-linear ]",
    "gegl:over aux2=[ ref=a ]",
    "gegl:over aux=[ gegl:load path=a ref=b ]",
  };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_assert_null (capra_steps_from_xml (graphs[i], &error));
      g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH);
      g_clear_error (&error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++)
    {
      g_assert_null (capra_steps_from_command (chains[i], &error));
      g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH);
      g_clear_error (&error);
    }
  g_assert_null (capra_steps_from_command ("gegl:over aux=[ ref=nobody ]", &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX);
  g_clear_error (&error);
  g_assert_null (capra_steps_from_command ("gegl:nop id=a gegl:over aux=[ ref=a", &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX);
}

/* The source of a second input can disappear and reappear. */
static void
test_undo (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "RGBA float");
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, TRUE);
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (GPtrArray) steps = make_steps ("/nowhere.png");
  g_autoptr (GPtrArray) broken = NULL, whole = NULL;
  g_autoptr (GHashTable) errors = NULL;
  CapraStep *add = NULL;
  guint id = capra_step_get_id (steps->pdata[3]);

  capra_step_model_replace (pipeline, steps);
  capra_step_model_remove (pipeline, capra_step_model_get_step (pipeline, 0));
  broken = capra_step_model_snapshot (pipeline);
  capra_graph_update (graph, broken);
  errors = capra_graph_get_errors (graph);
  g_assert_cmpuint (g_hash_table_size (errors), ==, 2); /* the file and the removed step */
  g_assert_nonnull (g_hash_table_lookup (errors, GUINT_TO_POINTER (id)));

  capra_step_model_undo (pipeline);
  add = capra_step_model_get_step (pipeline, 3);
  whole = capra_step_model_snapshot (pipeline);
  capra_graph_update (graph, whole);
  g_clear_pointer (&errors, g_hash_table_unref);
  errors = capra_graph_get_errors (graph);
  g_assert_null (g_hash_table_lookup (errors, GUINT_TO_POINTER (id)));
  capra_step_set_aux (add, NULL);
  capra_step_model_undo (pipeline);
  g_assert_nonnull (capra_step_get_aux (capra_step_model_get_step (pipeline, 3)));
}

/* Labels are available for a step that renders them in colors, also behind steps that only measure. */
static void
test_numbers (void)
{
  static const float pixels[] = { 1, 0, 1, 1, 0, 0, 0, 0, 1 }; /* three regions in a row, the first and last small */
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 9, 1), babl_format ("Y float"));
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, TRUE);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (CapraStep) label = capra_step_new ("capra:label");
  guint32 numbers[9];

  if (!gegl_has_operation ("capra:label"))
    {
      g_test_skip ("Capra's module is not there");
      return;
    }
  gegl_buffer_set (image, NULL, 0, babl_format ("Y float"), pixels, GEGL_AUTO_ROWSTRIDE);
  capra_graph_update (graph, steps);
  g_assert_null (capra_graph_get_labels (graph));
  g_ptr_array_add (steps, g_object_ref (label));
  capra_graph_update (graph, steps);
  gegl_node_blit (capra_graph_get_labels (graph), 1.0, GEGL_RECTANGLE (0, 0, 9, 1), babl_format ("Y' u32"), numbers,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmpuint (numbers[0], ==, 1);
  g_assert_cmpuint (numbers[3], ==, 2);
  g_assert_cmpuint (numbers[8], ==, 3);

  steps_set_text (label, "min-size", "2");
  capra_graph_update (graph, steps);
  gegl_node_blit (capra_graph_get_labels (graph), 1.0, GEGL_RECTANGLE (0, 0, 9, 1), babl_format ("Y' u32"), numbers,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmpuint (numbers[0], ==, 0);
  g_assert_cmpuint (numbers[3], ==, 1);

  g_ptr_array_add (steps, capra_step_new ("capra:measure"));
  g_ptr_array_add (steps, capra_step_new ("capra:statistics"));
  capra_graph_update (graph, steps);
  numbers[3] = 0;
  gegl_node_blit (capra_graph_get_labels (graph), 1.0, GEGL_RECTANGLE (0, 0, 9, 1), babl_format ("Y' u32"), numbers,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  g_assert_cmpuint (numbers[3], ==, 1);
  g_ptr_array_add (steps, capra_step_new ("gegl:invert-linear"));
  capra_graph_update (graph, steps);
  g_assert_null (capra_graph_get_labels (graph));
}

int
main (int argc, char **argv)
{
  support_devices (); /* without a writable cache folder, as in a sandbox, PoCL has no devices */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  g_test_add_func ("/branches/texts", test_texts);
  g_test_add_func ("/branches/off", test_off);
  g_test_add_func ("/branches/written", test_written);
  g_test_add_func ("/branches/refused", test_refused);
  g_test_add_func ("/branches/numbers", test_numbers);
  g_test_add_func ("/branches/undo", test_undo);
  return g_test_run ();
}

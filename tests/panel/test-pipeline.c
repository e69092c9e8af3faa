/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipelines without a window: text formats, undo, presets, scales, errors. */
#include <gegl.h>
#include <string.h>

#include "algorithms/label/label.h"
#include "ui/panel/steps/catalog.h"
#include "ui/pipeline/steps/property-condition.h"
#include "ui/pipeline/graph/display.h"
#include "tests/support/graph.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/panel/steps/step-model.h"
#include "ui/panel/steps/presets.h"
#include "ui/panel/preview/pyramid.h"
#include "ui/pipeline/gegl-start.h"
#include "tests/panel/steps.h"

static void
assert_text (CapraStep *step, const char *name, const char *expected)
{
  g_autofree char *text = steps_get_text (step, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_undo (void)
{
  g_autoptr (CapraStepModel) pipeline = capra_step_model_new ();
  g_autoptr (CapraStep) blur = capra_step_new ("gegl:gaussian-blur");
  g_autoptr (CapraStep) invert = capra_step_new ("gegl:invert-linear");

  g_assert_false (capra_step_model_can_undo (pipeline));
  capra_step_model_insert (pipeline, blur, -1);
  capra_step_model_insert (pipeline, invert, -1);
  steps_set_text (blur, "std-dev-x", "4");
  steps_set_text (blur, "std-dev-x", "5"); /* less than a second later: merged into one entry */
  steps_set_text (blur, "std-dev-y", "6");
  capra_step_set_enabled (invert, FALSE);
  capra_step_model_move (pipeline, invert, 0);
  capra_step_model_remove (pipeline, blur);
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);

  capra_step_model_undo (pipeline);
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 2);
  g_assert_cmpint (capra_step_model_find (pipeline, capra_step_get_id (blur)), ==, 1);
  assert_text (capra_step_model_get_step (pipeline, 1), "std-dev-y", "6");
  capra_step_model_undo (pipeline);
  g_assert_cmpint (capra_step_model_find (pipeline, capra_step_get_id (blur)), ==, 0);
  capra_step_model_undo (pipeline);
  g_assert_true (capra_step_get_enabled (capra_step_model_get_step (pipeline, 1)));
  capra_step_model_undo (pipeline);
  assert_text (capra_step_model_get_step (pipeline, 0), "std-dev-y", "1.5");
  assert_text (capra_step_model_get_step (pipeline, 0), "std-dev-x", "5");
  capra_step_model_undo (pipeline);
  assert_text (capra_step_model_get_step (pipeline, 0), "std-dev-x", "1.5");
  capra_step_model_undo (pipeline);
  capra_step_model_undo (pipeline);
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 0);
  g_assert_false (capra_step_model_can_undo (pipeline));
  for (int i = 0; i < 7; i++)
    capra_step_model_redo (pipeline);
  g_assert_false (capra_step_model_can_redo (pipeline));
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);
  g_assert_false (capra_step_get_enabled (capra_step_model_get_step (pipeline, 0)));
}

/* All types of properties, and strings with special characters of shells and XML. */
static GPtrArray *
make_steps (void)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("gegl:gaussian-blur"));
  steps_set_text (steps->pdata[0], "std-dev-x", "2.7182818284590451");
  steps_set_text (steps->pdata[0], "abyss-policy", "none");
  steps_set_text (steps->pdata[0], "clip-extent", "false");
  g_ptr_array_add (steps, capra_step_new ("gegl:text"));
  steps_set_text (steps->pdata[1], "string", "it's <b>a & \"b\"</b> ?> $HOME\nnext");
  steps_set_text (steps->pdata[1], "color", "rgba(0.25, 0.5, 1, 0.5)");
  capra_step_set_enabled (steps->pdata[1], FALSE);
  g_ptr_array_add (steps, capra_step_new ("gegl:pixelize"));
  steps_set_text (steps->pdata[2], "size-x", "7");
  return steps;
}

static void
test_texts (void)
{
  g_autoptr (GPtrArray) steps = make_steps ();
  g_autoptr (GError) error = NULL;
  g_autofree char *xml = capra_steps_to_xml (steps);
  g_autofree char *command = capra_steps_to_command (steps);
  g_autoptr (GPtrArray) from_xml = capra_steps_from_xml (xml, &error);
  g_autoptr (GPtrArray) from_command = NULL;
  g_autoptr (GeglNode) node = gegl_node_new_from_xml (xml, NULL);

  g_assert_no_error (error);
  steps_assert_same (steps, from_xml, FALSE);
  from_command = capra_steps_from_command (command, &error);
  g_assert_no_error (error);
  steps_assert_same (steps, from_command, TRUE);
  g_assert_nonnull (node); /* GEGL parses it, too */
  g_assert_cmpuint (g_slist_length (gegl_node_get_children (node)), >=, 2);
}

static void
test_bad_texts (void)
{
  static const char *const bad[] = {
    "",
    "<gegl>",
    "<svg/>",
    "<gegl><node operation='gegl:nothing-such'/></gegl>",
    "no xml",
    "<gegl><node operation='gegl:gaussian-blur'><params><param name='std-dev-x'>wide</param>"
    "</params></node></gegl>",
    "<gegl><node operation='gegl:over'><node operation='gegl:invert-linear'/></node></gegl>",
    "<gegl><node/></gegl>",
  };
  static const char *const bad_commands[] = {
    "std-dev-x=3",          "gegl:gaussian-blur std-dev-x=99999999", "gegl:gaussian-blur color=red",
    "gegl:gaussian-blur '", "gegl:over aux=[ gegl:color ]",          "gaussian",
    "gegl:seamless-clone",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_steps_from_xml (bad[i], &error));
      g_assert_nonnull (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad_commands); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_steps_from_command (bad_commands[i], &error));
      g_assert_nonnull (error);
    }
}

static void
test_presets (void)
{
  g_autoptr (GPtrArray) steps = make_steps ();
  g_autoptr (GPtrArray) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "capra", "presets", "broken.xml", NULL);

  g_assert_true (capra_presets_save ("Cells / 40×", steps, &error));
  g_assert_no_error (error);
  loaded = capra_presets_load ("Cells / 40×", &error);
  g_assert_no_error (error);
  steps_assert_same (steps, loaded, FALSE);

  g_assert_true (g_file_set_contents (path, "<gegl><node operation='gegl:inv", -1, NULL));
  g_assert_null (capra_presets_load ("broken", &error));
  g_assert_nonnull (error);
  names = capra_presets_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_clear_error (&error);
  g_assert_true (capra_presets_remove ("Cells / 40×", &error));
}

/* The pyramid's levels equal GEGL's scaling, and steps are scaled with them. */
static void
test_scales (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (1500, 700, "R'G'B'A u8");
  CapraPyramid *pyramid = capra_pyramid_new (image);
  GeglRectangle part = { 10, 20, 300, 100 };
  g_autofree guchar *from_level = g_malloc (300 * 100 * 4), *direct = g_malloc (300 * 100 * 4);
  GParamSpec *sigma = capra_operation_find_property ("gegl:gaussian-blur", "std_dev_x");
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_false (capra_pyramid_has (pyramid, 2, &part));
  g_assert_true (capra_pyramid_fill (pyramid, 2, &part, NULL, 0));
  g_assert_true (capra_pyramid_has (pyramid, 2, &part));
  gegl_buffer_get (capra_pyramid_get_buffer (pyramid, 2), &part, 1.0, babl_format ("R'G'B'A u8"), from_level,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (image, &part, 0.25, babl_format ("R'G'B'A u8"), direct, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (from_level, 300 * 100 * 4, direct, 300 * 100 * 4);
  capra_pyramid_unref (pyramid);

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, 8.0);
  capra_graph_scale_value (sigma, 0.25, &value);
  g_assert_cmpfloat (g_value_get_double (&value), ==, 2.0);
}

static gpointer
fill_level (gpointer pyramid)
{
  capra_pyramid_fill_overview (pyramid, 800);
  return NULL;
}

/* Threads that need the same squares do not write them at the same time, which ThreadSanitizer would report. */
static void
test_threads (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (1500, 1400, "R'G'B'A u8");
  CapraPyramid *pyramid = capra_pyramid_new (image);
  GeglRectangle all = { 0, 0, 750, 700 };
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("fill", fill_level, pyramid);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (capra_pyramid_has (pyramid, 1, &all));
  capra_pyramid_unref (pyramid);
}

/* Labels are displayed in distinct colors at every scale, transparency as a checkerboard. */
static void
test_display (void)
{
  g_autoptr (GeglBuffer) labels = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 64, 64), babl_format ("Y' u32"));
  g_autoptr (GeglBuffer) clear = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 32, 32), babl_format ("R'G'B'A u8"));
  g_autoptr (CapraGraph) graph = capra_graph_new (labels, 1.0, TRUE);
  g_autoptr (CapraGraph) clear_graph = capra_graph_new (clear, 1.0, TRUE);
  g_autofree guint32 *numbers = g_new0 (guint32, 64 * 64), *pixels = g_new (guint32, 64 * 64);

  for (int i = 0; i < 64 * 64; i++)
    numbers[i] = i % 64 < 32 ? 70000 : 0;
  gegl_buffer_set (labels, NULL, 0, babl_format ("Y' u32"), numbers, GEGL_AUTO_ROWSTRIDE);
  for (int level = -1; level <= 1; level++)
    {
      capra_display_render (graph, GEGL_RECTANGLE (8, 8, 16, 16), level, NULL, 8, pixels, 16 * 4);
      g_assert_cmphex (pixels[0], ==, capra_label_color (70000));
      capra_display_render (graph,
                            GEGL_RECTANGLE (level < 0 ? 80
                                            : level   ? 20
                                                      : 40,
                                            8, 4, 4),
                            level, NULL, 8, pixels, 4 * 4);
      g_assert_cmphex (pixels[0], ==, 0xFF000000);
    }
  g_assert_cmphex (capra_label_color (70000), !=, capra_label_color (70001));

  capra_display_render (clear_graph, GEGL_RECTANGLE (0, 0, 32, 32), 0, NULL, 8, pixels, 32 * 4);
  g_assert_cmphex (pixels[0] >> 24, ==, 0xFF);
  g_assert_cmphex (pixels[0], !=, pixels[8]);
  g_assert_cmphex (pixels[0], ==, pixels[16]);
  capra_display_render (clear_graph, GEGL_RECTANGLE (0, 0, 32, 32), 0, NULL, 2, pixels, 32 * 4);
  g_assert_cmphex (pixels[0], !=, pixels[2]);
  g_assert_cmphex (pixels[0], ==, pixels[4]);
}

static void
test_errors (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (203, 117, "R'G'B' u8");
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, TRUE);
  g_autoptr (GPtrArray) steps = steps_make_blur ("2");
  g_autoptr (CapraStep) missing = capra_step_new ("gegl:gone");
  g_autoptr (GHashTable) errors = NULL;
  guint8 pixel[4];

  g_ptr_array_add (steps, g_object_ref (missing));
  capra_graph_update (graph, steps);
  capra_graph_render (graph, GEGL_RECTANGLE (5, 5, 1, 1), babl_format ("R'G'B'A u8"), pixel, 4);
  errors = capra_graph_get_errors (graph);
  g_assert_cmpuint (g_hash_table_size (errors), ==, 1);
  g_assert_nonnull (g_hash_table_lookup (errors, GUINT_TO_POINTER (capra_step_get_id (missing))));
}

static void
test_conditions (void)
{
  static const struct {
    const char *condition;
    gboolean holds;
  } cases[] = {
    { NULL, TRUE },
    { "1", TRUE },
    { "0", FALSE },
    { "clip-extent", TRUE },
    { "! clip-extent", FALSE },
    { "abyss-policy {none}", FALSE },
    { "abyss-policy {none, clamp}", TRUE },
    { "!abyss-policy{none}", TRUE },
    { "clip-extent & abyss-policy {none}", FALSE },
    { "clip_extent | 0", TRUE },
    { "(0 | 1) & !(0)", TRUE },
    { "0 & 1 | 1", TRUE },
    { "std-dev-x {1.5}", TRUE },
    /* Invalid conditions: the property is shown. */
    { "", TRUE },
    { "nothing", TRUE },
    { "0 0", TRUE },
    { "0 &", TRUE },
    { "abyss-policy {none", TRUE },
    { "std-dev-x [2, 3]", TRUE },
    { "$clip-extent", TRUE },
    { "(0", TRUE },
  };
  g_autoptr (CapraStep) step = capra_step_new ("gegl:gaussian-blur");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (capra_property_condition_holds (step, cases[i].condition) != cases[i].holds)
      g_error ("“%s” should %shold", cases[i].condition, cases[i].holds ? "" : "not ");
}

static void
test_catalog (void)
{
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR); /* GEGL warns about missing libraries */
  g_autoptr (GListModel) catalog = capra_catalog_new ();
  g_auto (GStrv) categories = capra_catalog_get_categories (catalog);
  gboolean blur = FALSE, loader = FALSE, gpl = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (catalog); i++)
    {
      g_autoptr (CapraOperationInfo) info = g_list_model_get_item (catalog, i);
      const char *name = capra_operation_info_get_name (info);

      blur |= strcmp (name, "gegl:gaussian-blur") == 0 && capra_operation_info_match (info, "blur gauss") > 1
              && !capra_operation_info_match (info, "blur xylophone");
      gpl |= strcmp (name, "gegl:color-to-alpha") == 0;
      g_assert_false (g_str_has_prefix (name, "gegl:seamless-clone"));
      loader |= g_str_has_suffix (name, "-load") || g_str_has_suffix (name, "-save");
    }
  g_assert_true (blur);
  g_assert_true (gpl);
  g_assert_false (loader);
  g_assert_true (g_strv_contains ((const char *const *) categories, "blur"));
  g_log_set_always_fatal (fatal);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  capra_gegl_start ();
  capra_log_catcher_install ();
  g_test_add_func ("/pipeline/undo", test_undo);
  g_test_add_func ("/pipeline/texts", test_texts);
  g_test_add_func ("/pipeline/bad-texts", test_bad_texts);
  g_test_add_func ("/pipeline/presets", test_presets);
  g_test_add_func ("/pipeline/scales", test_scales);
  g_test_add_func ("/pipeline/threads", test_threads);
  g_test_add_func ("/pipeline/display", test_display);
  g_test_add_func ("/pipeline/errors", test_errors);
  g_test_add_func ("/pipeline/conditions", test_conditions);
  g_test_add_func ("/pipeline/catalog", test_catalog);
  status = g_test_run ();
  return status;
}

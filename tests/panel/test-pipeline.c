/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel without a window: pipelines and their texts, undoing, presets, files good and bad. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "catalogue.h"
#include "display.h"
#include "graph.h"
#include "image-file.h"
#include "log-catcher.h"
#include "pipeline-text.h"
#include "pipeline.h"
#include "presets.h"
#include "pyramid.h"
#include "save.h"

#define WIDTH 203
#define HEIGHT 117

static char *folder;

static GFile *
get_file (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

/* Waves of every color, so that each pixel differs from its neighbours. */
static GeglBuffer *
make_image (int width, int height, const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format (format));
  g_autofree float *pixels = g_new (float, (gsize) width * height * 4);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        float *pixel = pixels + ((gsize) y * width + x) * 4;

        pixel[0] = (float) (0.5 + 0.5 * sin (x * 0.31));
        pixel[1] = (float) (0.5 + 0.5 * cos (y * 0.17));
        pixel[2] = (float) (0.5 + 0.5 * sin ((x + y) * 0.05));
        pixel[3] = 1.0f;
      }
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B'A float"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
set_text (CapraStep *step, const char *name, const char *text)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), name);
  g_autoptr(GError) error = NULL;
  g_auto(GValue) value = G_VALUE_INIT;

  g_assert_nonnull (property);
  capra_value_from_text (property, text, &value, &error);
  g_assert_no_error (error);
  capra_step_set (step, property, &value);
}

static char *
get_text (CapraStep *step, const char *name)
{
  g_auto(GValue) value = G_VALUE_INIT;

  capra_step_get (step, capra_operation_find_property (capra_step_get_operation (step), name), &value);
  return capra_value_to_text (&value);
}

static void
assert_text (CapraStep *step, const char *name, const char *expected)
{
  g_autofree char *text = get_text (step, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_undo (void)
{
  g_autoptr(CapraPipeline) pipeline = capra_pipeline_new ();
  g_autoptr(CapraStep) blur = capra_step_new ("gegl:gaussian-blur");
  g_autoptr(CapraStep) invert = capra_step_new ("gegl:invert-linear");

  g_assert_false (capra_pipeline_can_undo (pipeline));
  capra_pipeline_insert (pipeline, blur, -1);
  capra_pipeline_insert (pipeline, invert, -1);
  set_text (blur, "std-dev-x", "4");
  set_text (blur, "std-dev-x", "5"); /* within a second: the same change */
  set_text (blur, "std-dev-y", "6");
  capra_step_set_enabled (invert, FALSE);
  capra_pipeline_move (pipeline, invert, 0);
  capra_pipeline_remove (pipeline, blur);
  g_assert_cmpuint (capra_pipeline_get_length (pipeline), ==, 1);

  capra_pipeline_undo (pipeline);
  g_assert_cmpuint (capra_pipeline_get_length (pipeline), ==, 2);
  g_assert_cmpint (capra_pipeline_find (pipeline, capra_step_get_id (blur)), ==, 1);
  assert_text (capra_pipeline_get_step (pipeline, 1), "std-dev-y", "6");
  capra_pipeline_undo (pipeline);
  g_assert_cmpint (capra_pipeline_find (pipeline, capra_step_get_id (blur)), ==, 0);
  capra_pipeline_undo (pipeline);
  g_assert_true (capra_step_get_enabled (capra_pipeline_get_step (pipeline, 1)));
  capra_pipeline_undo (pipeline);
  assert_text (capra_pipeline_get_step (pipeline, 0), "std-dev-y", "1.5");
  assert_text (capra_pipeline_get_step (pipeline, 0), "std-dev-x", "5");
  capra_pipeline_undo (pipeline);
  assert_text (capra_pipeline_get_step (pipeline, 0), "std-dev-x", "1.5");
  capra_pipeline_undo (pipeline);
  capra_pipeline_undo (pipeline);
  g_assert_cmpuint (capra_pipeline_get_length (pipeline), ==, 0);
  g_assert_false (capra_pipeline_can_undo (pipeline));
  for (int i = 0; i < 7; i++)
    capra_pipeline_redo (pipeline);
  g_assert_false (capra_pipeline_can_redo (pipeline));
  g_assert_cmpuint (capra_pipeline_get_length (pipeline), ==, 1);
  g_assert_false (capra_step_get_enabled (capra_pipeline_get_step (pipeline, 0)));
}

/* Every kind of property, and texts that a shell or XML would take for something else. */
static GPtrArray *
make_steps (void)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("gegl:gaussian-blur"));
  set_text (steps->pdata[0], "std-dev-x", "2.7182818284590451");
  set_text (steps->pdata[0], "abyss-policy", "none");
  set_text (steps->pdata[0], "clip-extent", "false");
  g_ptr_array_add (steps, capra_step_new ("gegl:text"));
  set_text (steps->pdata[1], "string", "it's <b>a & \"b\"</b> ?> $HOME\nnext");
  set_text (steps->pdata[1], "color", "rgba(0.25, 0.5, 1, 0.5)");
  capra_step_set_enabled (steps->pdata[1], FALSE);
  g_ptr_array_add (steps, capra_step_new ("gegl:pixelize"));
  set_text (steps->pdata[2], "size-x", "7");
  return steps;
}

static void
assert_same_steps (GPtrArray *steps, GPtrArray *others, gboolean only_enabled)
{
  guint at = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      guint count;
      const char *operation = capra_step_get_operation (steps->pdata[i]);
      g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

      if (only_enabled && !capra_step_get_enabled (steps->pdata[i]))
        continue;
      g_assert_cmpuint (at, <, others->len);
      g_assert_cmpstr (capra_step_get_operation (others->pdata[at]), ==, operation);
      g_assert_cmpint (capra_step_get_enabled (others->pdata[at]), ==,
                       capra_step_get_enabled (steps->pdata[i]));
      for (guint j = 0; j < count; j++)
        {
          g_autofree char *one = get_text (steps->pdata[i], list[j]->name);
          g_autofree char *other = get_text (others->pdata[at], list[j]->name);

          g_assert_cmpstr (one, ==, other);
        }
      at++;
    }
  g_assert_cmpuint (at, ==, others->len);
}

static void
test_texts (void)
{
  g_autoptr(GPtrArray) steps = make_steps ();
  g_autoptr(GError) error = NULL;
  g_autofree char *xml = capra_steps_to_xml (steps);
  g_autofree char *command = capra_steps_to_command (steps);
  g_autoptr(GPtrArray) from_xml = capra_steps_from_xml (xml, &error);
  g_autoptr(GPtrArray) from_command = NULL;
  g_autoptr(GeglNode) node = gegl_node_new_from_xml (xml, NULL);

  g_assert_no_error (error);
  assert_same_steps (steps, from_xml, FALSE);
  from_command = capra_steps_from_command (command, &error);
  g_assert_no_error (error);
  assert_same_steps (steps, from_command, TRUE);
  g_assert_nonnull (node); /* GEGL reads it, too */
  g_assert_cmpuint (g_slist_length (gegl_node_get_children (node)), >=, 2);
}

static void
test_bad_texts (void)
{
  static const char *const bad[] = {
    "", "<gegl>", "<svg/>", "<gegl><node operation='gegl:nothing-such'/></gegl>", "no xml",
    "<gegl><node operation='gegl:gaussian-blur'><params><param name='std-dev-x'>wide</param>"
    "</params></node></gegl>",
    "<gegl><node operation='gegl:over'><node operation='gegl:invert-linear'/></node></gegl>",
    "<gegl><node/></gegl>",
  };
  static const char *const bad_commands[] = {
    "std-dev-x=3", "gegl:gaussian-blur std-dev-x=99999999", "gegl:gaussian-blur colour=red",
    "gegl:gaussian-blur '", "gegl:over aux=[ gegl:color ]", "gaussian",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (capra_steps_from_xml (bad[i], &error));
      g_assert_nonnull (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad_commands); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (capra_steps_from_command (bad_commands[i], &error));
      g_assert_nonnull (error);
    }
}

static void
test_presets (void)
{
  g_autoptr(GPtrArray) steps = make_steps ();
  g_autoptr(GPtrArray) loaded = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = NULL;
  g_autofree char *path
      = g_build_filename (g_get_user_data_dir (), "capra", "presets", "broken.preset", NULL);

  g_assert_true (capra_presets_save ("Cells / 40×", steps, &error));
  g_assert_no_error (error);
  loaded = capra_presets_load ("Cells / 40×", &error);
  g_assert_no_error (error);
  assert_same_steps (steps, loaded, FALSE);

  g_assert_true (g_file_set_contents (path, "[preset]\nsteps=2\n[step 1]\nope", -1, NULL));
  g_assert_null (capra_presets_load ("broken", &error));
  g_assert_nonnull (error);
  names = capra_presets_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_clear_error (&error);
  g_assert_true (capra_presets_remove ("Cells / 40×", &error));
}

/* The result of a graph as one would get it from GEGL alone. */
static guchar *
render_reference (GeglBuffer *image, double sigma, const char *format, int bytes)
{
  g_autoptr(GeglNode) root = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *blur = gegl_node_new_child (root, "operation", "gegl:gaussian-blur", "std-dev-x", sigma,
                                        "std-dev-y", sigma, NULL);
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  guchar *pixels = g_malloc ((gsize) extent->width * extent->height * bytes);

  gegl_node_link (source, blur);
  gegl_node_blit (blur, 1.0, extent, babl_format (format), pixels, GEGL_AUTO_ROWSTRIDE,
                  GEGL_BLIT_DEFAULT);
  return pixels;
}

static GPtrArray *
make_blur (const char *sigma)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new ("gegl:gaussian-blur"));
  set_text (steps->pdata[0], "std-dev-x", sigma);
  set_text (steps->pdata[0], "std-dev-y", sigma);
  return steps;
}

static void
test_save (void)
{
  static const char *const names[] = { "out.png", "out.tif", "out.jpg" };
  g_autoptr(GeglBuffer) image = make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr(GPtrArray) steps = make_blur ("3");
  g_autofree guchar *expected = render_reference (image, 3.0, "R'G'B' u8", 3);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GFile) file = get_file (names[i]);
      g_autoptr(GError) error = NULL;
      g_autoptr(CapraImage) loaded = NULL;
      g_autofree guchar *pixels = g_malloc (WIDTH * HEIGHT * 3);

      g_assert_true (capra_save (file, image, steps, 16, NULL, NULL, &error));
      g_assert_no_error (error);
      loaded = capra_image_load (file, &error);
      g_assert_no_error (error);
      gegl_buffer_get (loaded->buffer, NULL, 1.0, babl_format ("R'G'B' u8"), pixels,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (int j = 0; j < WIDTH * HEIGHT * 3; j++)
        g_assert_cmpint (ABS (pixels[j] - expected[j]), <=, i == 2 ? 40 : 1); /* JPEG is not exact */
      g_assert_cmpint (loaded->graph != NULL, ==, i == 0);
      if (loaded->graph)
        {
          g_autoptr(GPtrArray) restored = capra_steps_from_xml (loaded->graph, &error);

          g_assert_no_error (error);
          assert_same_steps (steps, restored, FALSE);
        }
    }
}

static void
test_save_fails (void)
{
  g_autoptr(GeglBuffer) image = make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr(GPtrArray) steps = make_blur ("3");
  g_autoptr(GFile) nowhere = g_file_new_for_path ("/proc/none/out.png");
  g_autoptr(GFile) strange = get_file ("out.strange");
  g_autoptr(GFile) cancelled = get_file ("cancelled.png");
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  g_assert_false (capra_save (nowhere, image, steps, 8, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (capra_save (strange, image, steps, 8, NULL, NULL, &error));
  g_assert_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_FILE);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (capra_save (cancelled, image, steps, 8, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_query_exists (cancelled, NULL));
}

/* A file that cannot grow is to a program what a full disk is. */
static void
test_full_disk (void)
{
  static const char *const names[] = { "full.png", "full.tif", "full.jpg", "full.exr" };
  g_autoptr(GeglBuffer) image = make_image (600, 500, "R'G'B' u8");
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  struct rlimit before, small;
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  g_autoptr(GDir) left = NULL;
  const char *name;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GFile) file = get_file (names[i]);
      g_autofree char *path = g_file_get_path (file);
      g_autoptr(GError) error = NULL;
      gboolean saved;

      g_assert_true (g_file_set_contents (path, "older", -1, NULL));
      small = before;
      small.rlim_cur = 4096;
      setrlimit (RLIMIT_FSIZE, &small);
      saved = capra_save (file, image, none, 8, NULL, NULL, &error);
      setrlimit (RLIMIT_FSIZE, &before);
      g_assert_false (saved);
      g_assert_nonnull (error);
      g_test_message ("%s: %s", names[i], error->message);
      {
        g_autofree char *contents = NULL; /* what was there before is there still */

        g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
        g_assert_cmpstr (contents, ==, "older");
      }
    }
  left = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (left)))
    g_assert_false (g_str_has_prefix (name, ".capra-"));
  g_log_set_always_fatal (fatal);
}

static void
assert_unreadable (const char *name, const char *contents, gssize length)
{
  g_autoptr(GFile) file = get_file (name);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr(GError) error = NULL;

  if (contents)
    g_assert_true (g_file_set_contents (path, contents, length, NULL));
  g_assert_null (capra_image_load (file, &error));
  g_assert_nonnull (error);
  g_test_message ("%s: %s", name, error->message);
}

/* A head that promises a hundred thousand by a hundred thousand pixels, and an end. */
static const char huge[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\1\x86\xa0\0\1\x86\xa0\x10\6\0\0\0\xf8\xc2\xd7\x8b"
                           "\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xae\x42\x60\x82";

static void
test_bad_files (void)
{
  g_autoptr(GeglBuffer) image = make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr(GPtrArray) steps = g_ptr_array_new ();
  g_autoptr(GFile) file = get_file ("good.png");
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *contents = NULL;
  GLogLevelFlags fatal;
  gsize length;

  g_assert_true (capra_save (file, image, steps, 8, NULL, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  assert_unreadable ("cut.png", contents, (gssize) length / 2);
  assert_unreadable ("cut-end.png", contents, (gssize) length - 4);
  assert_unreadable ("empty.png", "", 0);
  assert_unreadable ("text.png", "this is text", -1);
  assert_unreadable ("cut.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20);
  assert_unreadable ("broken.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xda\0\0\xff\xd9", 26);
  assert_unreadable ("missing.png", NULL, 0);
  assert_unreadable ("huge.png", huge, sizeof huge - 1);
  /* GEGL's reader of TIFF trips over its own feet there. */
  fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  assert_unreadable ("cut.tif", "II*\0\x08\0\0\0", 8);
  g_log_set_always_fatal (fatal);
}

/* Levels of the pyramid hold what GEGL's own scaling gives, and steps fit their scale. */
static void
test_scales (void)
{
  g_autoptr(GeglBuffer) image = make_image (1500, 700, "R'G'B'A u8");
  CapraPyramid *pyramid = capra_pyramid_new (image);
  GeglRectangle part = { 10, 20, 300, 100 };
  g_autofree guchar *from_level = g_malloc (300 * 100 * 4), *direct = g_malloc (300 * 100 * 4);
  GParamSpec *sigma = capra_operation_find_property ("gegl:gaussian-blur", "std_dev_x");
  g_auto(GValue) value = G_VALUE_INIT;

  g_assert_false (capra_pyramid_has (pyramid, 2, &part));
  g_assert_true (capra_pyramid_fill (pyramid, 2, &part, NULL, 0));
  g_assert_true (capra_pyramid_has (pyramid, 2, &part));
  gegl_buffer_get (capra_pyramid_get_buffer (pyramid, 2), &part, 1.0, babl_format ("R'G'B'A u8"),
                   from_level, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (image, &part, 0.25, babl_format ("R'G'B'A u8"), direct, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_NONE);
  g_assert_cmpmem (from_level, 300 * 100 * 4, direct, 300 * 100 * 4);
  capra_pyramid_unref (pyramid);

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, 8.0);
  capra_graph_scale_value (sigma, 0.25, &value);
  g_assert_cmpfloat (g_value_get_double (&value), ==, 2.0);
}

static void
test_errors (void)
{
  g_autoptr(GeglBuffer) image = make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr(CapraGraph) graph = capra_graph_new (image, 1.0, TRUE);
  g_autoptr(GPtrArray) steps = make_blur ("2");
  g_autoptr(CapraStep) missing = capra_step_new ("gegl:gone");
  g_autoptr(GHashTable) errors = NULL;
  guint8 pixel[4];

  g_ptr_array_add (steps, g_object_ref (missing));
  capra_graph_update (graph, steps);
  capra_graph_render (graph, GEGL_RECTANGLE (5, 5, 1, 1), babl_format ("R'G'B'A u8"), pixel, 4);
  errors = capra_graph_get_errors (graph);
  g_assert_cmpuint (g_hash_table_size (errors), ==, 1);
  g_assert_nonnull (g_hash_table_lookup (errors, GUINT_TO_POINTER (capra_step_get_id (missing))));
}

static void
test_catalogue (void)
{
  g_autoptr(GListModel) catalogue = capra_catalogue_new ();
  g_auto(GStrv) categories = capra_catalogue_get_categories (catalogue);
  gboolean blur = FALSE, loader = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (catalogue); i++)
    {
      g_autoptr(CapraOperationInfo) info = g_list_model_get_item (catalogue, i);
      const char *name = capra_operation_info_get_name (info);

      blur |= strcmp (name, "gegl:gaussian-blur") == 0
              && capra_operation_info_match (info, "blur gauss") > 1
              && !capra_operation_info_match (info, "blur xylophone");
      loader |= g_str_has_suffix (name, "-load") || g_str_has_suffix (name, "-save");
    }
  g_assert_true (blur);
  g_assert_false (loader);
  g_assert_true (g_strv_contains ((const char *const *) categories, "blur"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  folder = g_dir_make_tmp ("capra-panel-XXXXXX", NULL);
  g_test_add_func ("/pipeline/undo", test_undo);
  g_test_add_func ("/pipeline/texts", test_texts);
  g_test_add_func ("/pipeline/bad-texts", test_bad_texts);
  g_test_add_func ("/pipeline/presets", test_presets);
  g_test_add_func ("/pipeline/save", test_save);
  g_test_add_func ("/pipeline/save-fails", test_save_fails);
  g_test_add_func ("/pipeline/full-disk", test_full_disk);
  g_test_add_func ("/pipeline/bad-files", test_bad_files);
  g_test_add_func ("/pipeline/scales", test_scales);
  g_test_add_func ("/pipeline/errors", test_errors);
  g_test_add_func ("/pipeline/catalogue", test_catalogue);
  status = g_test_run ();
  g_free (folder);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invalid input: the errors that operations report, and the pixels that they output. */
#include "tests/support/graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"

#define WIDTH 40
#define HEIGHT 30
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { 5, 6, WIDTH, HEIGHT };

static void
expect (const char *pattern)
{
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, pattern);
}

/* Renders @node, which must fail and log one message that matches @pattern. */
static float *
render_failing (GeglNode *node, const char *pattern)
{
  float *pixels = NULL;
  g_autofree char *error = NULL;
  gboolean failed = FALSE;

  expect (pattern);
  pixels = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  error = graph_error (node);
  gegl_node_get (node, "failed", &failed, NULL);
  g_assert_true (failed);
  g_assert_true (g_pattern_match_simple (pattern, error));
  return pixels;
}

static void
assert_passed (const GraphScene *scene, const float *pixels)
{
  g_assert_cmpmem (pixels, COUNT * sizeof *pixels, scene->values, COUNT * sizeof *pixels);
}

static void
assert_zeros (const float *pixels, gsize count)
{
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat (pixels[i], ==, 0.0);
}

static void
assert_works (GeglNode *node)
{
  g_autofree float *pixels = graph_render (node, NULL, "Y float");
  g_autofree char *error = graph_error (node);
  gboolean failed = TRUE;

  gegl_node_get (node, "failed", &failed, NULL);
  g_assert_cmpstr (error, ==, "");
  g_assert_false (failed);
}

static void
test_device (void)
{
  GraphScene scene;
  GeglNode *blur = NULL, *label = NULL, *stride = NULL;
  g_autofree float *passed = NULL, *zeros = NULL, *small = NULL;
  g_autofree char *device = NULL;
  int code = -1;

  graph_scene_init (&scene, &rect, 0.1);
  blur = graph_node (scene.graph, scene.source, "capra:gaussian-blur", "device", "no such thing", NULL);
  passed = render_failing (blur, "*no such thing*");
  assert_passed (&scene, passed);
  gegl_node_get (blur, "error-code", &code, "error-device", &device, NULL);
  g_assert_cmpint (code, ==, CAPRA_ERROR_NO_DEVICE);
  g_assert_cmpstr (device, ==, "");
  g_free (graph_render (blur, NULL, "Y float")); /* logs no second message */

  gegl_node_set (blur, "device", support_device_name ("1"), NULL);
  assert_works (blur);

  label = graph_node (scene.graph, scene.source, "capra:label", "device", "77", NULL);
  zeros = render_failing (label, "*77*");
  assert_zeros (zeros, COUNT);
  stride = graph_node (scene.graph, scene.source, "capra:convolve", "stride-x", 3, "stride-y", 4, "device", "77", NULL);
  small = render_failing (stride, "*77*");
  g_assert_cmpint (gegl_node_get_bounding_box (stride).width, ==, (WIDTH + 2) / 3);
  assert_zeros (small, (gsize) (WIDTH + 2) / 3 * ((HEIGHT + 3) / 4));
  graph_scene_clear (&scene);
}

static void
test_matrix (void)
{
  static const char *const bad[] = { "", "1 2; 3", "1 x 2", "1 2 nan", ";" };
  g_autofree float *image = g_new0 (float, 300 * 2);
  g_autoptr (GeglBuffer) large = graph_buffer ("Y float", GEGL_RECTANGLE (0, 0, 300, 2), image);
  g_autofree float *path = NULL, *aux = NULL;
  GraphScene scene;
  GeglNode *node = NULL;

  graph_scene_init (&scene, &rect, 0.1);
  node = graph_node (scene.graph, scene.source, "capra:convolve", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree float *pixels = NULL;

      gegl_node_set (node, "matrix", bad[i], NULL);
      pixels = render_failing (node, "*matrix*");
      assert_passed (&scene, pixels);
      gegl_node_set (node, "matrix", "1", NULL);
      assert_works (node);
    }
  gegl_node_set (node, "path", "/nonexistent/matrix.txt", NULL);
  path = render_failing (node, "*nonexistent*");
  assert_passed (&scene, path);
  gegl_node_set (node, "path", "", NULL);
  gegl_node_connect (graph_source (scene.graph, large), "output", node, "aux");
  aux = render_failing (node, "*300 x 2*");
  assert_passed (&scene, aux);
  graph_scene_clear (&scene);
}

/* Files that block when they are read, or have no end. */
static void
test_matrix_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-matrix-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL), *text = g_build_filename (folder, "text", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  const char *const bad[] = { fifo, "/dev/zero", "/proc/self/pagemap", folder };
  GraphScene scene;
  GeglNode *node = NULL;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink (text, link), ==, 0);
  graph_scene_init (&scene, &rect, 0.1);
  node = graph_node (scene.graph, scene.source, "capra:convolve", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("*\"%s\"*", bad[i]);
      g_autofree float *pixels = NULL;

      gegl_node_set (node, "path", bad[i], NULL);
      pixels = render_failing (node, pattern);
      assert_passed (&scene, pixels);
    }
  /* A symbolic link; the file is read again after its size has changed. */
  for (guint i = 0; i < 2; i++)
    {
      g_autofree float *pixels = NULL;

      g_assert_true (g_file_set_contents (text, i == 0 ? "1" : "0 1 0", -1, NULL));
      gegl_node_set (node, "path", "", NULL);
      gegl_node_set (node, "path", link, NULL);
      pixels = graph_render (node, NULL, "Y float");
      assert_passed (&scene, pixels);
      assert_works (node);
    }
  graph_scene_clear (&scene);
  g_remove (link);
  g_remove (text);
  g_remove (fifo);
  g_rmdir (folder);
}

static void
test_labels (void)
{
  GraphScene scene;
  GeglNode *measure = NULL, *aux = NULL, *label = NULL;
  g_autofree float *fractions = NULL, *uncovered = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "capra-never-written.csv", NULL);

  graph_scene_init (&scene, &rect, 0.1);
  g_setenv ("CAPRA_TABLES", path, TRUE);
  measure = graph_node (scene.graph, scene.source, "capra:measure", NULL);
  fractions = render_failing (measure, "*not labels*");
  assert_passed (&scene, fractions);

  label = graph_node (scene.graph, scene.source, "capra:label", "rendering", 1, NULL);
  measure = graph_node (scene.graph, label, "capra:measure", NULL);
  aux = graph_node (scene.graph, scene.source, "gegl:translate", "x", 1.0, NULL);
  gegl_node_connect (aux, "output", measure, "aux");
  uncovered = render_failing (measure, "*do not cover*");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_unsetenv ("CAPRA_TABLES");
  graph_scene_clear (&scene);
}

static void
test_tables (void)
{
  GraphScene scene;
  GeglNode *node = NULL, *label = NULL, *save = NULL;
  g_autofree float *pixels = NULL;

  graph_scene_init (&scene, &rect, 0.1);
  g_setenv ("CAPRA_TABLES", "/nonexistent/folder/table.csv", TRUE);
  node = graph_node (scene.graph, scene.source, "capra:statistics", NULL);
  pixels = render_failing (node, "*nonexistent*");
  assert_passed (&scene, pixels);
  g_unsetenv ("CAPRA_TABLES");

  label = graph_node (scene.graph, scene.source, "capra:label", "rendering", 1, NULL);
  save = graph_node (scene.graph, label, "capra:measure-save", NULL);
  expect ("*path*");
  gegl_node_process (save);
  gegl_node_set (save, "path", "/nonexistent/folder/table.csv", NULL);
  expect ("*nonexistent*");
  gegl_node_process (save);
  g_test_assert_expected_messages ();
  graph_scene_clear (&scene);
}

/* An operation that fails outputs its input: no table of that is written. */
static void
test_failed_input (void)
{
  GraphScene scene;
  GeglNode *failing = NULL, *node = NULL, *label = NULL, *save = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-failed-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);

  graph_scene_init (&scene, &rect, 0.1);
  g_object_set_data (G_OBJECT (scene.graph), "capra:table-path", path);
  failing = graph_node (scene.graph, scene.source, "capra:box-blur", "device", "missing", NULL);
  label = graph_node (scene.graph, failing, "capra:label", "rendering", 1, NULL);
  node = graph_node (scene.graph, label, "capra:measure", NULL);
  save = graph_node (scene.graph, label, "capra:measure-save", "path", path, NULL);
  expect ("*missing*");
  expect ("*capra:box-blur failed*");
  g_free (graph_render (node, NULL, "Y float"));
  expect ("*capra:box-blur failed*");
  gegl_node_process (save);
  g_test_assert_expected_messages ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  gegl_node_set (failing, "device", "", NULL);
  g_free (graph_render (node, NULL, "Y float"));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_remove (path);
  g_rmdir (folder);
  graph_scene_clear (&scene);
}

/* Messages about two parts of an image differ in their numbers; only the first is logged. */
static void
assert_remarked_once (GraphScene *scene)
{
  GeglNode *checks = graph_node (scene->graph, NULL, "gegl:checkerboard", NULL);
  GeglNode *node = graph_node (scene->graph, checks, "capra:box-blur", NULL);
  GeglRectangle large = { 0, 0, 400, 400 }, small = { 0, 0, 400, 200 };

  expect ("*trying*instead*");
  g_free (graph_render (node, &large, "Y float"));
  g_test_assert_expected_messages ();
  g_free (graph_render (node, &small, "Y float"));
}

/* A device with too little memory: an error if the user named it, else the next device is used. */
static void
test_memory (void)
{
  GraphScene scene;
  GeglNode *node = NULL;
  g_autofree float *pixels = NULL, *moved = NULL;

  if (support_skip_alone ())
    return;
  graph_scene_init (&scene, &rect, 0.1);
  node = graph_node (scene.graph, scene.source, "capra:box-blur", "radius", 0, "device", support_device_name ("0"),
                     NULL);
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_trim (support_device (i));
  capra_memory_set_budget (support_device (0), 4096);
  pixels = render_failing (node, "*memory*");
  assert_passed (&scene, pixels);

  g_unsetenv ("CAPRA_DEVICE");
  gegl_node_set (node, "device", "", NULL);
  capra_memory_set_budget (support_device (0), 0);
  capra_memory_set_budget (capra_device_select (NULL, NULL), 4096);
  expect ("*trying*instead*");
  moved = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  assert_passed (&scene, moved);
  assert_remarked_once (&scene);
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_set_budget (support_device (i), 0);
  graph_scene_clear (&scene);
}

/* NaN and infinities change nearby pixels only; extreme values of properties work. */
static void
test_values (void)
{
  GraphScene scene;
  GeglNode *node = NULL;
  g_autofree float *pixels = NULL, *huge = NULL;
  const gint x = 20, y = 15, reach = 2 * 3;
  float nan = NAN;

  graph_scene_init (&scene, &rect, 0.1);
  gegl_buffer_set (scene.buffer, GEGL_RECTANGLE (rect.x + x, rect.y + y, 1, 1), 0, babl_format ("Y float"), &nan,
                   GEGL_AUTO_ROWSTRIDE);
  node = graph_node (scene.graph, scene.source, "capra:gaussian-blur", "std-dev-x", 1.0, "std-dev-y", 1.0, "truncate",
                     3.0, NULL);
  pixels = graph_render (node, NULL, "Y float");
  for (gint i = 0; i < COUNT; i++)
    if (ABS (i % WIDTH - x) > reach || ABS (i / WIDTH - y) > reach)
      g_assert_false (isnan (pixels[i]));
  g_assert_true (isnan (pixels[y * WIDTH + x]));

  node = graph_node (scene.graph, scene.source, "capra:gaussian-blur", "std-dev-x", 1500.0, "std-dev-y", 1500.0,
                     "abyss-policy", CAPRA_BORDER_WRAP, NULL);
  huge = graph_render (node, NULL, "Y float");
  g_assert_true (isnan (huge[0]));
  assert_works (graph_node (scene.graph, scene.source, "capra:box-blur", "radius", 1000, NULL));
  assert_works (graph_node (scene.graph, scene.source, "capra:threshold", "method", 1, NULL));
  assert_works (graph_node (scene.graph, scene.source, "capra:statistics", NULL));
  graph_scene_clear (&scene);
}

static void
count_notify (GObject *object, GParamSpec *spec, gpointer data)
{
  ++*(guint *) data;
}

/* With a main loop, the property error is notified once, and rendering stops being repeated. */
static void
test_announcement (void)
{
  GraphScene scene;
  GeglNode *node = NULL;
  GeglOperation *operation = NULL;
  guint announced = 0, renders = 0;

  graph_scene_init (&scene, &rect, 0.1);
  node = graph_node (scene.graph, scene.source, "capra:box-blur", "device", "nowhere", NULL);
  operation = gegl_node_get_gegl_operation (node);
  g_signal_connect (operation, "notify::error", G_CALLBACK (count_notify), &announced);
  g_signal_connect (node, "invalidated", G_CALLBACK (count_notify), &renders);
  expect ("*nowhere*");
  for (guint i = 0; i < 20; i++)
    {
      g_free (graph_render (node, NULL, "Y float"));
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_test_assert_expected_messages ();
  g_assert_cmpuint (announced, ==, 1);
  g_assert_cmpuint (renders, <=, 2); /* the notifications of error and failed */
  graph_scene_clear (&scene);
}

static char *logged_error; /* the property error, read by the log handler */

static void
ask_error (const char *domain, GLogLevelFlags level, const char *text, gpointer node)
{
  logged_error = graph_error (node);
}

/* A log handler may read properties of the operation. */
static void
test_log_handler (void)
{
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  GraphScene scene;
  GeglNode *node = NULL;
  guint handler = 0;

  graph_scene_init (&scene, &rect, 0.1);
  node = graph_node (scene.graph, scene.source, "capra:box-blur", "device", "nowhere", NULL);
  handler = g_log_set_handler ("GEGL-capra", G_LOG_LEVEL_WARNING, ask_error, node);
  g_free (graph_render (node, NULL, "Y float"));
  g_log_remove_handler ("GEGL-capra", handler);
  g_log_set_always_fatal (fatal);
  g_assert_nonnull (logged_error);
  g_assert_nonnull (strstr (logged_error, "nowhere"));
  g_clear_pointer (&logged_error, g_free);
  graph_scene_clear (&scene);
}

/* With CAPRA_FATAL=1 the process fails. */
static void
test_fatal (void)
{
  if (g_test_subprocess ())
    {
      GraphScene scene;
      GeglNode *node = NULL;

      g_log_set_always_fatal (G_LOG_FATAL_MASK);
      g_setenv ("CAPRA_FATAL", "1", TRUE);
      graph_scene_init (&scene, &rect, 0.1);
      node = graph_node (scene.graph, scene.source, "capra:box-blur", "device", "nowhere", NULL);
      g_free (graph_render (node, NULL, "Y float"));
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*nowhere*");
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/errors/device", test_device);
  g_test_add_func ("/errors/matrix", test_matrix);
  g_test_add_func ("/errors/matrix-files", test_matrix_files);
  g_test_add_func ("/errors/labels", test_labels);
  g_test_add_func ("/errors/tables", test_tables);
  g_test_add_func ("/errors/failed-input", test_failed_input);
  g_test_add_func ("/errors/memory", test_memory);
  g_test_add_func ("/errors/values", test_values);
  g_test_add_func ("/errors/announcement", test_announcement);
  g_test_add_func ("/errors/log-handler", test_log_handler);
  g_test_add_func ("/errors/fatal", test_fatal);
  status = g_test_run ();
  gegl_exit ();
  return status;
}

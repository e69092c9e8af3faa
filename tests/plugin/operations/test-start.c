/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that list operations load no OpenCL driver. Preparing an operation starts to load them, in a thread; the
 * process may end or be forked meanwhile. A program that used a device lately loads them when it has an image. Each
 * test in a process of its own, as a driver stays loaded. */
#include "tests/support/graph.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#define SIDE 50
/* Processes that end, or are forked, while the driver is being loaded. */
#define ATTEMPTS 5
/* Ends a process that hangs, so that the test fails. */
#define CHILD_SECONDS 60

/* Appends the names of the libraries in the file @path of the OpenCL loader. */
static void
read_icd_file (const char *path, GPtrArray *names)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_str_has_suffix (path, ".icd") || !g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (*g_strstrip (lines[i]))
      g_ptr_array_add (names, g_path_get_basename (lines[i]));
}

/* The drivers' libraries, as the OpenCL loader finds them. */
static GPtrArray *
list_drivers (void)
{
  const char *vendors = g_getenv ("OCL_ICD_VENDORS") ? g_getenv ("OCL_ICD_VENDORS") : "/etc/OpenCL/vendors";
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (vendors, 0, NULL);
  const char *name = NULL;

  read_icd_file (vendors, names);
  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (vendors, name, NULL);

      read_icd_file (path, names);
    }
  return g_steal_pointer (&names);
}

/* Whether a driver is loaded in this process. */
static gboolean
is_driver_loaded (void)
{
  g_autoptr (GPtrArray) names = list_drivers ();
  g_autofree char *maps = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  for (guint i = 0; i < names->len; i++)
    if (strstr (maps, names->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Runs the rest of the test in @n other processes, one after the other. Returns FALSE in these. */
static gboolean
run_elsewhere (guint n)
{
  g_autoptr (GPtrArray) names = list_drivers ();

  if (g_test_subprocess ())
    return FALSE;
  if (names->len == 0 || g_getenv ("OCL_ICD_FILENAMES"))
    {
      g_test_skip ("the drivers' libraries are not known");
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
    }
  return TRUE;
}

static GeglNode *
new_blur (GeglNode *graph)
{
  static const GeglRectangle rect = { 0, 0, SIDE, SIDE };
  g_autofree float *values = support_noise (SIDE * SIDE, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) buffer = graph_buffer ("Y float", &rect, values);

  return graph_node (graph, graph_source (graph, buffer), "capra:gaussian-blur", "std-dev-x", 2.0, NULL);
}

/* GEGL prepares all operations whose bounding box is asked for. */
static void
prepare (GeglNode *node)
{
  g_assert_cmpint (gegl_node_get_bounding_box (node).width, >=, SIDE);
}

static void
assert_no_driver (void)
{
  if (is_driver_loaded ())
    {
      g_printerr ("a driver is loaded\n");
      _exit (EXIT_FAILURE);
    }
}

static void
test_listing (void)
{
  g_autofree char **names = NULL;
  guint n = 0, count = 0;

  if (run_elsewhere (1))
    return;
  names = gegl_list_operations (&n);
  for (guint i = 0; i < n; i++)
    {
      guint n_properties = 0, n_keys = 0;
      g_autofree GParamSpec **properties = gegl_operation_list_properties (names[i], &n_properties);
      g_autofree char **keys = gegl_operation_list_keys (names[i], &n_keys);
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = NULL;

      if (!g_str_has_prefix (names[i], "capra:"))
        continue;
      g_assert_cmpuint (n_properties, >, 0);
      g_assert_cmpuint (n_keys, >, 0);
      node = gegl_node_new_child (graph, "operation", names[i], NULL);
      if (gegl_node_find_property (node, "device")) /* capra:gzip-load passes a file on to another operation */
        gegl_node_set (node, "device", "1", NULL);
      count++;
    }
  g_assert_cmpuint (count, >, 0);
  /* After the drivers were loaded, if that had been started. */
  atexit (assert_no_driver);
  exit (EXIT_SUCCESS);
}

static void
test_preparing (void)
{
  g_autoptr (GeglNode) graph = NULL;
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

  if (run_elsewhere (1))
    return;
  graph = gegl_node_new ();
  prepare (new_blur (graph));
  while (!is_driver_loaded () && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_assert_true (is_driver_loaded ());
}

static void
assert_loaded (void)
{
  if (!is_driver_loaded ())
    {
      g_printerr ("the process ends while a driver is being loaded\n");
      _exit (EXIT_FAILURE);
    }
}

/* The process waits for the driver before its exit handlers run. */
static void
test_exit (void)
{
  if (run_elsewhere (ATTEMPTS))
    return;
  alarm (CHILD_SECONDS);
  atexit (assert_loaded);
  prepare (new_blur (gegl_node_new ()));
  exit (EXIT_SUCCESS);
}

/* The child cannot use the device, and says so; the parent can. */
static void
test_fork (void)
{
  GeglNode *graph = NULL, *blur = NULL;
  g_autofree float *pixels = NULL;
  g_autofree char *error = NULL;
  pid_t child = 0;
  int status = 0;

  if (run_elsewhere (ATTEMPTS))
    return;
  alarm (CHILD_SECONDS);
  /* GEGL does not renew its threads in the child, which would wait for them. */
  g_object_set (gegl_config (), "threads", 1, NULL);
  graph = gegl_node_new ();
  blur = new_blur (graph);
  prepare (blur);
  child = fork ();
  if (child == 0)
    {
      alarm (CHILD_SECONDS);
      g_log_set_always_fatal (G_LOG_LEVEL_ERROR); /* in tests, warnings are fatal by default */
      pixels = graph_render (blur, NULL, "Y float");
      error = graph_error (blur);
      _exit (strstr (error, "forked") ? EXIT_SUCCESS : EXIT_FAILURE);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == EXIT_SUCCESS);
  pixels = graph_render (blur, NULL, "Y float");
  error = graph_error (blur);
  g_assert_cmpstr (error, ==, "");
  g_object_unref (graph);
}

/* Fills an image, without any of Capra's operations, and runs the main loop for a while, or if @expected, until a
 * driver is loaded. */
static void
show_image (gboolean expected)
{
  static const GeglRectangle rect = { 0, 0, 300, 300 };
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format ("Y float"));
  g_autofree float *values = support_noise (300 * 300, 0.0, 1.0, 3);
  gint64 end = g_get_monotonic_time () + (expected ? SUPPORT_TIMEOUT : 4 * G_TIME_SPAN_SECOND);

  gegl_buffer_set (buffer, &rect, 0, NULL, values, GEGL_AUTO_ROWSTRIDE);
  while (!is_driver_loaded () && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

/* Records in a new cache folder that this program used a device long ago (@days). Free with g_free(). */
static char *
record (int days)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *own = g_path_get_basename (program);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, program, -1);
  g_autofree char *name = g_strdup_printf ("%s-%.16s", own, sum);
  g_autofree char *cache = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (cache, "capra", "recent", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const struct utimbuf times = { time (NULL) - days * 24 * 60 * 60, time (NULL) - days * 24 * 60 * 60 };

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  g_assert_cmpint (g_utime (path, (struct utimbuf *) &times), ==, 0);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  return g_steal_pointer (&cache);
}

/* A program that has an image, and used a device lately, starts it. @days: since it was used; 0: never */
static void
test_recent (gconstpointer days)
{
  g_autofree char *before = g_strdup (g_getenv ("XDG_CACHE_HOME")), *cache = NULL, *command = NULL;

  if (g_test_subprocess ())
    {
      show_image (GPOINTER_TO_INT (days) == 1);
      g_assert_true (is_driver_loaded () == (GPOINTER_TO_INT (days) == 1));
      return;
    }
  cache = record (MAX (GPOINTER_TO_INT (days), 1));
  if (GPOINTER_TO_INT (days) == 0)
    g_setenv ("XDG_CACHE_HOME", "/nonexistent", TRUE);
  run_elsewhere (1);
  command = g_strdup_printf ("rm -rf '%s'", cache);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  if (before)
    g_setenv ("XDG_CACHE_HOME", before, TRUE);
  else
    g_unsetenv ("XDG_CACHE_HOME");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/start/listing", test_listing);
  g_test_add_func ("/start/preparing", test_preparing);
  g_test_add_func ("/start/exit", test_exit);
  g_test_add_data_func ("/start/recent/never", GINT_TO_POINTER (0), test_recent);
  g_test_add_data_func ("/start/recent/yesterday", GINT_TO_POINTER (1), test_recent);
  g_test_add_data_func ("/start/recent/long-ago", GINT_TO_POINTER (60), test_recent);
#ifdef __SANITIZE_ADDRESS__
  /* The address sanitizer's allocator keeps its locks in forked children: with threads, a child may get no memory. */
  (void) test_fork;
#else
  g_test_add_func ("/start/fork", test_fork);
#endif
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fork: in a child of a process that has used a device every call returns, with an error where it needs the device;
 * and the child changes nothing of the parent's. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support-files.h"
#include "tests/support/support.h"

#define SIDE 64
#define FORKS 20
#define THREADS 3
/* Ends a child that hangs, so that the test fails. */
#define PATIENCE (SUPPORT_TIMEOUT / G_TIME_SPAN_SECOND)

/* The device, which a child can no longer select. */
static CapraDevice *used;

typedef struct {
  CapraArray *array, *kept, *mapped;
  CapraMonitor *monitor;
} Scene;

static void
on_process (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
}

static void
scene_init (Scene *scene)
{
  g_autoptr (GError) error = NULL;
  const CapraShape shape = CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32);

  used = support_device (0);
  scene->monitor = capra_monitor_new (on_process, NULL, &error);
  g_assert_no_error (error);
  scene->array = capra_array_new (used, &shape, &error);
  g_assert_no_error (error);
  scene->kept = capra_array_new (used, &shape, &error);
  g_assert_no_error (error);
  capra_array_make_resident (capra_array_ref (scene->kept), FALSE);
  scene->mapped = capra_array_new (used, &shape, &error);
  g_assert_no_error (error);
  g_assert_nonnull (capra_array_map_read (scene->mapped, &error));
}

static void
scene_clear (Scene *scene)
{
  capra_array_unmap (scene->mapped, NULL);
  capra_array_unref (scene->mapped);
  capra_array_release_resident (scene->kept, FALSE);
  capra_array_unref (scene->kept);
  capra_array_unref (scene->array);
  capra_monitor_free (scene->monitor);
}

static void
require (gboolean holds, const char *what)
{
  if (holds)
    return;
  g_printerr ("in the child: %s\n", what);
  _exit (EXIT_FAILURE);
}

static void
require_forked (GError **error, const char *what)
{
  require (*error && strstr ((*error)->message, "forked"), what);
  g_clear_error (error);
}

static void
drain (gpointer host, gsize first, gsize rows, gpointer data)
{
}

/* Functions that need a device. */
static void
use_device (Scene *scene)
{
  const CapraShape shape = CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32);
  g_autofree float *values = g_new0 (float, SIDE * SIDE);
  GError *error = NULL;

  require (!capra_device_list (&error), "list");
  require_forked (&error, "list");
  require (!capra_device_select (NULL, &error), "select");
  require_forked (&error, "select");
  require (!capra_array_new (used, &shape, &error), "new");
  require_forked (&error, "new");
  require (!capra_array_new_from_data (used, &shape, values, &error), "new from data");
  require_forked (&error, "new from data");
  require (!capra_box_blur (scene->array, (const int[]){ 3, 3, 0 }, CAPRA_BORDER_CLAMP, NULL, &error), "box blur");
  require_forked (&error, "box blur");
  require (!capra_box_blur (scene->kept, (const int[]){ 3, 3, 0 }, CAPRA_BORDER_CLAMP, NULL, &error), "blur of kept");
  require_forked (&error, "blur of kept");
  require (!capra_array_fill (scene->array, 1, &error), "fill");
  require_forked (&error, "fill");
  require (!capra_array_download (scene->array, values, &error), "download");
  require_forked (&error, "download");
  require (!capra_array_upload (scene->kept, values, &error), "upload");
  require_forked (&error, "upload");
  require (!capra_array_read_rows (scene->array, NULL, drain, NULL, &error), "read rows");
  require_forked (&error, "read rows");
  require (!capra_array_copy (scene->array, scene->kept, &error), "copy");
  require_forked (&error, "copy");
  require (!capra_array_map_write (scene->array, &error), "map");
  require_forked (&error, "map");
  require (!capra_array_unmap (scene->mapped, &error), "unmap");
  require_forked (&error, "unmap");
  require (!capra_array_wait (scene->array, &error), "wait");
  require_forked (&error, "wait");
  require (capra_device_measure_copy (used, &error) < 0, "measure");
  require_forked (&error, "measure");
}

/* Functions that need none: they return. */
static void
use_rest (Scene *scene)
{
  g_autoptr (GArray) records = capra_timeline_records (0);
  g_autofree char *text = capra_timeline_to_json (), *setting = capra_settings_get ("memory-budget");
  CapraMemory memory;
  CapraCounters counters;

  capra_timeline_reset ();
  capra_memory_query (used, &memory);
  capra_memory_free_unused (used);
  capra_memory_trim (used);
  capra_memory_set_budget (used, 0);
  capra_counters_query (used, &counters);
  require (capra_preparation_count () == 0 && capra_preparation_wait (1000), "preparation");
  require (counters.allocations == 0, "counters");
  require (!capra_array_is_evicted (scene->kept), "evicted");
  capra_array_make_resident (capra_array_ref (scene->array), FALSE);
  capra_array_release_resident (scene->array, FALSE);
  capra_monitor_reset (scene->monitor);
  capra_monitor_free (scene->monitor);
  capra_array_unref (scene->array);
  capra_array_unref (scene->mapped);
  capra_array_release_resident (scene->kept, FALSE);
  capra_array_unref (scene->kept);
}

static void
assert_ends_well (pid_t child)
{
  int status = 0;

  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, EXIT_SUCCESS);
}

/* A child uses all of Capra, and ends by exit() or _exit(). */
static void
fork_once (Scene *scene, gboolean handlers)
{
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      alarm (PATIENCE);
      use_device (scene);
      use_rest (scene);
      if (handlers)
        exit (EXIT_SUCCESS);
      _exit (EXIT_SUCCESS);
    }
  assert_ends_well (child);
}

static guint
count_sockets (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "capra", "monitor", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

static void
test_child (void)
{
  g_autoptr (GError) error = NULL;
  Scene scene;

  scene_init (&scene);
  g_assert_cmpuint (count_sockets (), ==, 1);
  fork_once (&scene, FALSE);
  fork_once (&scene, TRUE);
  g_assert_cmpuint (count_sockets (), ==, 1); /* the child has not removed the parent's */

  /* The parent is not affected. */
  g_assert_true (capra_array_fill (scene.array, 2, &error));
  g_assert_no_error (error);
  scene_clear (&scene);
  g_assert_cmpuint (count_sockets (), ==, 0);
}

static gint stopping;

static gpointer
work (gpointer data)
{
  while (!g_atomic_int_get (&stopping))
    {
      g_autofree char *setting = capra_settings_get ("memory-budget");
      g_autofree char *tuned = capra_tuning_get (used, "box.variant");
      g_autoptr (CapraArray) array = capra_array_new (used, &CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32), NULL);
      g_autoptr (GArray) records = capra_timeline_records (0);

      g_assert_nonnull (array);
    }
  return NULL;
}

/* Other threads call Capra while the process is forked: no lock stays locked in the child. */
static void
test_threads (void)
{
  GThread *threads[THREADS];
  Scene scene;

  scene_init (&scene);
  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("work", work, NULL);
  for (guint i = 0; i < FORKS; i++)
    fork_once (&scene, i % 2 == 0);
  g_atomic_int_set (&stopping, TRUE);
  for (guint i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  scene_clear (&scene);
}

/* Only the parent prints times at exit. In a separate process, since the variable is read at the first use. */
static void
test_timings (void)
{
  g_autofree char *path = g_test_subprocess () ? g_strdup (g_getenv ("CAPRA_TIMINGS"))
                                               : g_build_filename (g_getenv ("XDG_RUNTIME_DIR"), "timings.json", NULL);
  g_autofree char *text = NULL;
  Scene scene;

  if (g_test_subprocess ())
    {
      scene_init (&scene);
      fork_once (&scene, TRUE);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      exit (EXIT_SUCCESS);
    }
  g_remove (path);
  g_setenv ("CAPRA_TIMINGS", path, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv ("CAPRA_TIMINGS");
  g_test_trap_assert_passed ();
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "fill"));
  g_remove (path);
}

/* Children forked before the first use are like other processes: they may end while kernels are built. */
static void
test_early (void)
{
  pid_t child = 0;

  if (!g_test_subprocess ())
    {
      support_run_cold ();
      return;
    }
  child = fork ();
  if (child == 0)
    {
      g_autoptr (CapraArray) array = NULL;

      alarm (PATIENCE);
      array = capra_array_new (support_device (0), &CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32), NULL);
      require (array != NULL, "first use");
      exit (EXIT_SUCCESS);
    }
  assert_ends_well (child);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = support_folder_make ("capra-fork-XXXXXX");

  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE); /* with no monitor but this test's own */
  g_test_init (&argc, &argv, NULL);
  /* First, as children of this process itself would be late. */
  g_test_add_func ("/fork/early", test_early);
  g_test_add_func ("/fork/child", test_child);
#ifdef __SANITIZE_ADDRESS__
  /* The address sanitizer's allocator keeps its locks in forked children: with threads, a child may get no memory. */
  (void) test_threads;
#else
  g_test_add_func ("/fork/threads", test_threads);
#endif
  g_test_add_func ("/fork/timings", test_timings);
  return g_test_run ();
}

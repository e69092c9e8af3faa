/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run` on several images at once: the results, tables and messages of one after the other, in the same order. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"
#include "ui/cli/run/memory-room.h"

#define IMAGES 8
#define LARGE 1600
#define BLUR "-- capra:gaussian-blur std-dev-x=3 std-dev-y=3"

static GString *inputs; /* the first one is the largest */

static char *
read_table (const char *folder, int number)
{
  g_autofree char *path = g_strdup_printf ("%s/%d.csv", folder, number);
  char *text = hosts_read (path);

  g_assert_nonnull (text);
  return text;
}

static void
assert_same_file (const char *one, const char *other, const char *name)
{
  g_autofree char *path = g_build_filename (one, name, NULL), *other_path = g_build_filename (other, name, NULL);
  g_autofree char *first = NULL, *second = NULL;
  gsize lengths[2];

  g_test_message ("%s", name);
  g_assert_true (g_file_get_contents (path, &first, &lengths[0], NULL));
  g_assert_true (g_file_get_contents (other_path, &second, &lengths[1], NULL));
  g_assert_cmpmem (first, lengths[0], second, lengths[1]);
}

/* A batch that failed, or was interrupted, leaves one. */
static gboolean
is_journal (const char *name)
{
  return g_str_has_prefix (name, ".capra-run-");
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint count = 0;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)))
    count += !is_journal (name);
  return count;
}

/* Results and tables, with two operations that write one. */
static void
test_same (void)
{
  const char *folders[] = { hosts_path ("one"), hosts_path ("many") };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (HostsRun) run = hosts_capra_run (
        NULL, "%s -o %s/ --tables=%s/{n}.csv --jobs=%d %s capra:statistics capra:box-blur capra:statistics",
        inputs->str, folders[i], folders[i], i ? 4 : 1, BLUR);

      hosts_assert_success (run);
    }
  g_assert_cmpuint (count_files (folders[0]), ==, 3 * IMAGES);
  g_assert_cmpuint (count_files (folders[1]), ==, 3 * IMAGES);
  for (int i = 1; i <= IMAGES; i++)
    {
      g_autofree char *image = g_strdup_printf ("image%d.tif", i);
      g_autofree char *second = g_strdup_printf ("%d-2.csv", i);
      g_autofree char *one = read_table (folders[0], i), *other = read_table (folders[1], i);

      g_assert_cmpstr (one, ==, other);
      assert_same_file (folders[0], folders[1], image);
      assert_same_file (folders[0], folders[1], second);
    }
}

/* A graph that only GEGL reads, with an image of its own. */
static void
test_branches (void)
{
  const char *folders[] = { hosts_path ("one-branched"), hosts_path ("many-branched") };

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (HostsRun) run = hosts_capra_run (
        NULL, "%s -o %s/ --jobs=%d -- gegl:add aux=[ gegl:load path=%s capra:box-blur ]", inputs->str, folders[i],
        i ? 4 : 1, hosts_path ("image1.tif"));

      hosts_assert_success (run);
    }
  for (int i = 1; i <= IMAGES; i++)
    {
      g_autofree char *image = g_strdup_printf ("image%d.tif", i);

      assert_same_file (folders[0], folders[1], image);
    }
}

static void
test_standard_output (void)
{
  g_autoptr (HostsRun) one = hosts_capra_run (NULL, "%s --tables=- --jobs=1 -- capra:statistics", inputs->str);
  g_autoptr (HostsRun) many = hosts_capra_run (NULL, "%s --tables=- --jobs=4 -- capra:statistics", inputs->str);

  hosts_assert_success (one);
  hosts_assert_success (many);
  g_assert_cmpstr (one->out, ==, many->out);
  g_assert_cmpuint (strlen (one->out), >, IMAGES * 10);
}

/* The lines on standard error, in the order of the images, without times. */
static char *
find_order (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *order = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++)
    {
      const char *name = strstr (lines[i], ".tif"), *missing = strstr (lines[i], "missing");

      if (g_str_has_prefix (lines[i], "["))
        g_string_append_printf (order, "%c ", lines[i][1]);
      else if (missing || name)
        g_string_append_printf (order, "%s ", missing ? "missing" : "failed");
    }
  return g_string_free (order, FALSE);
}

/* The large image, first, takes longest; a file in the middle cannot be read. */
static void
test_order (void)
{
  const char *folder = hosts_path ("ordered");
  g_autoptr (GString) names = g_string_new (inputs->str);
  g_autoptr (HostsRun) run = NULL;
  g_autofree char *order = NULL;

  g_string_replace (names, "image4.tif", "missing.tif", 0);
  run = hosts_capra_run (NULL, "%s -o %s/ -p --jobs=4 %s", names->str, folder, BLUR);
  g_test_message ("%s", run->err);
  g_assert_cmpint (run->status, ==, 1);
  order = find_order (run->err);
  g_assert_cmpstr (order, ==, "1 2 3 missing 5 6 7 8 ");
  g_assert_cmpuint (count_files (folder), ==, IMAGES - 1);
}

/* An operation that fails is reported once for each image, with no other message. */
static void
test_failures (void)
{
  const char *folder = hosts_path ("failed");
  g_autoptr (HostsRun) one = hosts_capra_run (NULL, "%s -o %s/ --jobs=1 -- capra:box-blur device=nonsense", inputs->str,
                                              folder);
  g_autoptr (HostsRun) many = hosts_capra_run (NULL, "%s -o %s/ --jobs=4 -- capra:box-blur device=nonsense",
                                               inputs->str, folder);
  const char *at = many->err;

  g_assert_cmpint (many->status, ==, 1);
  g_assert_cmpstr (one->err, ==, many->err);
  for (int i = 1; i <= IMAGES; i++)
    {
      g_autofree char *name = g_strdup_printf ("image%d.tif: ", i);

      at = strstr (at, name);
      g_assert_nonnull (at);
    }
  g_assert_cmpuint (count_files (folder), ==, 0);
}

/* With CAPRA_FATAL the first failure ends the process, and nothing else is left half written. */
static void
test_fatal (void)
{
  const char *folder = hosts_path ("fatal");
  g_autoptr (HostsRun) one = hosts_capra_run ("CAPRA_FATAL=1", "%s -o %s/ -- capra:box-blur device=nonsense",
                                              hosts_path ("image1.tif"), folder);
  g_auto (GStrv) lines = NULL, single = g_strsplit (g_strchomp (one->err), "\n", -1);
  g_autoptr (HostsRun) run = hosts_capra_run ("CAPRA_FATAL=1", "%s -o %s/ --jobs=4 -- capra:box-blur device=nonsense",
                                              inputs->str, folder);

  hosts_assert_error (run, 1, "nonsense");
  lines = g_strsplit (g_strchomp (run->err), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (single));
  g_assert_cmpuint (count_files (folder), ==, 0);
}

/* A limit for the size of files has the same effect as a full disk. Small results are written, large ones are not. */
static void
test_full_disk (void)
{
  const char *folder = hosts_path ("full"), *preloads[] = { "", g_getenv ("CAPRA_TEST_NO_TMPFILE") };

  for (guint i = 0; i < G_N_ELEMENTS (preloads); i++)
    {
      g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s\nLD_PRELOAD=%s", g_getenv ("CAPRA_TEST_GEGL_PATH"),
                                                   preloads[i]);
      g_autofree char *line = g_strdup_printf ("ulimit -f 1000; exec %s run -q %s -o %s/ --jobs=4 %s",
                                               g_getenv ("CAPRA_PROGRAM"), inputs->str, folder, BLUR);
      g_autoptr (HostsRun) run = hosts_run (settings, 120, (const char *[]){ "sh", "-c", line, NULL });
      g_autoptr (GDir) dir = NULL;
      const char *name;

      hosts_assert_error (run, 1, "image1.tif: Cannot write");
      g_assert_cmpuint (count_files (folder), ==, IMAGES - 1);
      dir = g_dir_open (folder, 0, NULL);
      while ((name = g_dir_read_name (dir)))
        if (!is_journal (name))
          assert_same_file (hosts_path ("blurred"), folder, name);
    }
}

/* Ctrl-C while several images are written: results are whole or missing, and no temporary file is left. */
static void
interrupt (const char *folder, const char *preload)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *line = g_strdup_printf ("exec %s run -q %s %s -o %s/{n}.tif --jobs=8 %s", g_getenv ("CAPRA_PROGRAM"),
                                           inputs->str, inputs->str, folder, BLUR);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_subprocess_launcher_setenv (launcher, "GEGL_PATH", g_getenv ("CAPRA_TEST_GEGL_PATH"), TRUE);
  if (preload)
    g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", preload, TRUE);
  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sh", "-c", line, NULL);
  g_assert_nonnull (process);
  hosts_wait_until_saving (process, folder);
  g_subprocess_send_signal (process, SIGINT);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGINT);
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *image = g_strdup_printf ("image%d.tif", (atoi (name) - 1) % IMAGES + 1);
      g_autofree char *expected = g_build_filename (hosts_path ("blurred"), image, NULL);
      g_autofree char *result = g_build_filename (folder, name, NULL), *a = NULL, *b = NULL;
      gsize lengths[2];

      if (is_journal (name))
        continue;
      g_assert_true (g_ascii_isdigit (name[0]));
      g_assert_true (g_file_get_contents (expected, &a, &lengths[0], NULL));
      g_assert_true (g_file_get_contents (result, &b, &lengths[1], NULL));
      g_assert_cmpmem (a, lengths[0], b, lengths[1]);
    }
}

static void
test_signals (void)
{
  interrupt (hosts_path ("interrupted"), NULL);
  interrupt (hosts_path ("interrupted-named"), g_getenv ("CAPRA_TEST_NO_TMPFILE"));
}

static gint64 peak; /* bytes; under the lock of the room */

static gpointer
use_memory (gpointer data)
{
  RunMemoryRoom *room = data;

  for (guint64 i = 0; i < 200; i++)
    {
      guint64 bytes = i % 7 == 0 ? 1500 : 100 + i;

      run_memory_room_take (room, bytes);
      g_mutex_lock (&room->mutex);
      if (bytes <= room->total)
        peak = MAX (peak, (gint64) room->used);
      else
        g_assert_cmpuint (room->used, ==, bytes); /* alone */
      g_mutex_unlock (&room->mutex);
      g_usleep (20);
      run_memory_room_give_back (room, bytes);
    }
  return NULL;
}

/* Threads stay below the total, and an image that is larger is processed alone. */
static void
test_memory_room (void)
{
  RunMemoryRoom room;
  GThread *threads[8];

  run_memory_room_init (&room);
  g_assert_cmpuint (room.total, >, 0);
  room.total = 1000;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, use_memory, &room);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (room.used, ==, 0);
  g_assert_cmpint (peak, >, 0);
  g_assert_cmpint (peak, <=, 1000);
  run_memory_room_clear (&room);
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsRun) blurred = NULL;

  hosts_begin (&argc, &argv);
  inputs = g_string_new (NULL);
  for (int i = 1; i <= IMAGES; i++)
    {
      g_autofree char *name = g_strdup_printf ("image%d.tif", i);
      int side = i == 1 ? LARGE : 40 + 20 * i;
      g_autoptr (HostsImage) image = hosts_image_sample (side, side - 10, i % 2 ? 3 : 1);

      hosts_image_save (image, hosts_path (name), i % 2 ? "RGB" : "Y");
      g_string_append_printf (inputs, "%s ", hosts_path (name));
    }
  blurred = hosts_capra_run (NULL, "%s -o %s/ --jobs=1 %s", inputs->str, hosts_path ("blurred"), BLUR);
  hosts_assert_success (blurred);
  g_test_add_func ("/capra-run-jobs/same", test_same);
  g_test_add_func ("/capra-run-jobs/branches", test_branches);
  g_test_add_func ("/capra-run-jobs/standard-output", test_standard_output);
  g_test_add_func ("/capra-run-jobs/order", test_order);
  g_test_add_func ("/capra-run-jobs/failures", test_failures);
  g_test_add_func ("/capra-run-jobs/fatal", test_fatal);
  g_test_add_func ("/capra-run-jobs/full-disk", test_full_disk);
  g_test_add_func ("/capra-run-jobs/signals", test_signals);
  g_test_add_func ("/capra-run-jobs/memory-room", test_memory_room);
  return hosts_end ();
}

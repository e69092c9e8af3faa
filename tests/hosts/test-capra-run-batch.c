/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run` on batches: resumed after it was killed, several values, several devices, and bad input. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"

#define IMAGES 24
#define SIDE 500
#define BLUR "-- capra:gaussian-blur std-dev-x=3 std-dev-y=3"
#define KILLS 6
#define COLUMNS 60
#define MANY 8 /* times all images, so that progress is shown */

static GString *inputs;

static gboolean
is_journal (const char *name)
{
  return g_str_has_prefix (name, ".capra-run-");
}

/* (nullable): the path of the only journal in @folder. */
static char *
find_journal (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (is_journal (name))
      return g_build_filename (folder, name, NULL);
  return NULL;
}

/* Fails the test unless both folders contain the same files, apart from journals. */
static void
assert_same_folders (const char *folder, const char *expected, guint count)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint found = 0;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *one = g_build_filename (folder, name, NULL), *other = g_build_filename (expected, name, NULL);
      g_autofree char *a = NULL, *b = NULL;
      gsize lengths[2];

      if (is_journal (name))
        continue;
      g_assert_true (g_file_get_contents (one, &a, &lengths[0], NULL));
      g_assert_true (g_file_get_contents (other, &b, &lengths[1], NULL));
      g_assert_cmpmem (a, lengths[0], b, lengths[1]);
      found++;
    }
  g_assert_cmpuint (found, ==, count);
}

/* The lines of @text that begin with @start. */
static guint
count_lines (const char *text, const char *start)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint count = 0;

  for (guint i = 0; lines[i]; i++)
    count += g_str_has_prefix (lines[i], start);
  return count;
}

static guint
count_done (const char *folder)
{
  g_autofree char *journal = find_journal (folder), *text = journal ? hosts_read (journal) : NULL;

  return text ? count_lines (text, "done ") : 0;
}

static GSubprocess *
start (const char *line)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "GEGL_PATH", g_getenv ("CAPRA_TEST_GEGL_PATH"), TRUE);
  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sh", "-c", line, NULL);
  g_assert_nonnull (process);
  return process;
}

/* Killed at random moments and resumed, until it ends. Nothing that was finished is repeated, and the results are those
 * of an uninterrupted run. */
static void
test_killed (void)
{
  const char *folder = hosts_path ("killed");
  g_autofree char *line = g_strdup_printf ("exec %s run -q %s -o %s/ --jobs=3 --resume %s", g_getenv ("CAPRA_PROGRAM"),
                                           inputs->str, folder, BLUR);
  g_autoptr (HostsRun) last = NULL, none = NULL;
  guint kills = 0, before = 0;

  for (guint i = 0; i < KILLS; i++)
    {
      g_autoptr (GSubprocess) process = start (line);
      const guint wanted = before + 1 + (guint) g_test_rand_int_range (0, 3);

      for (guint waits = 0; waits < 100000 && count_done (folder) < MIN (wanted, IMAGES); waits++)
        g_usleep (500);
      g_usleep ((gulong) g_test_rand_int_range (0, 20000));
      g_subprocess_force_exit (process);
      g_subprocess_wait (process, NULL, NULL);
      kills += g_subprocess_get_if_signaled (process);
      g_assert_cmpuint (count_done (folder), >=, before);
      before = count_done (folder);
    }
  g_test_message ("%u of %u processes were killed; %u images were finished", kills, KILLS, before);
  g_assert_cmpuint (kills, >, 0);
  last = hosts_capra_run (NULL, "-p %s -o %s/ --resume %s", inputs->str, folder, BLUR);
  hosts_assert_error (last, 0, "");
  g_assert_cmpuint (count_lines (last->err, "["), ==, IMAGES - before);
  assert_same_folders (folder, hosts_path ("whole"), IMAGES);
  none = hosts_capra_run (NULL, "-p %s -o %s/ --resume %s", inputs->str, folder, BLUR);
  hosts_assert_success (none);
}

/* A full disk: results that could not be written are written later. */
static void
test_full_disk (void)
{
  const char *folder = hosts_path ("full");
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s", g_getenv ("CAPRA_TEST_GEGL_PATH"));
  g_autofree char *line = g_strdup_printf ("ulimit -f 1500; exec %s run -q %s -o %s/ %s", g_getenv ("CAPRA_PROGRAM"),
                                           inputs->str, folder, BLUR);
  g_autoptr (HostsRun) full = hosts_run (settings, 120, (const char *[]){ "sh", "-c", line, NULL });
  g_autoptr (HostsRun) resumed = NULL;

  hosts_assert_error (full, 1, "images failed");
  assert_same_folders (folder, hosts_path ("whole"), 0);
  resumed = hosts_capra_run (NULL, "-q %s -o %s/ --resume %s", inputs->str, folder, BLUR);
  hosts_assert_success (resumed);
  assert_same_folders (folder, hosts_path ("whole"), IMAGES);
}

/* A batch with one bad image leaves its journal. */
static const char *
leave_journal (const char *name)
{
  const char *folder = hosts_path (name);
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s %s -o %s/ %s", inputs->str, hosts_path ("bad.png"), folder,
                                              BLUR);

  hosts_assert_error (run, 1, "1 of 25 images failed");
  g_assert_cmpuint (count_done (folder), ==, IMAGES);
  return folder;
}

/* Another graph, other options and other inputs are errors; a damaged first line, too. */
static void
test_refused (void)
{
  const char *folder = leave_journal ("refused"), *bad = hosts_path ("bad.png");
  g_autofree char *journal = find_journal (folder), *text = hosts_read (journal), *changed = NULL;
  static const char *const cases[][3] = {
    { "", "-- capra:gaussian-blur std-dev-x=3 std-dev-y=4", "another graph" },
    { "--bits=16", BLUR, "other options" },
    { "--data", BLUR, "other options" },
  };
  g_autoptr (HostsRun) less = hosts_capra_run (NULL, "-q %s -o %s/ --resume %s", inputs->str, folder, BLUR);
  g_autoptr (HostsRun) damaged = NULL;

  hosts_assert_error (less, 1, "other inputs");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s %s -o %s/ --resume %s %s", inputs->str, bad, folder,
                                                  cases[i][0], cases[i][1]);

      hosts_assert_error (run, 1, cases[i][2]);
    }
  changed = g_strconcat ("x", text, NULL);
  g_assert_true (g_file_set_contents (journal, changed, -1, NULL));
  damaged = hosts_capra_run (NULL, "-q %s %s -o %s/ --resume %s", inputs->str, bad, folder, BLUR);
  hosts_assert_error (damaged, 1, "is damaged");
}

/* Damaged lines are ignored, a result that is missing is made again, and a missing end of the last line does no harm.
 */
static void
test_damaged (void)
{
  const char *folder = leave_journal ("damaged"), *bad = hosts_path ("bad.png");
  g_autofree char *journal = find_journal (folder), *text = hosts_read (journal);
  g_autofree char *result = g_build_filename (folder, "image3.tif", NULL);
  char *line = strstr (text, "done ");
  g_autoptr (HostsRun) run = NULL;

  line[5] = line[5] == '9' ? '8' : '9'; /* the checksum is wrong then */
  text[strlen (text) - 9] = '\0';       /* the last line is not complete */
  g_assert_true (g_file_set_contents (journal, text, -1, NULL));
  g_assert_cmpint (g_unlink (result), ==, 0);
  run = hosts_capra_run (NULL, "-p %s %s -o %s/ --resume %s", inputs->str, bad, folder, BLUR);
  hosts_assert_error (run, 1, "damaged lines are ignored");
  g_assert_cmpuint (count_lines (run->err, "["), >=, 2);
  g_assert_cmpuint (count_lines (run->err, "["), <=, 3);
  assert_same_folders (folder, hosts_path ("whole"), IMAGES);
}

static void
test_stop (void)
{
  const char *folder = hosts_path ("stopped");
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "%s %s -o %s/ --jobs=1 --stop-on-error %s", hosts_path ("bad.png"),
                                              inputs->str, folder, BLUR);

  hosts_assert_error (run, 1, "1 of 25 images failed, 24 were not processed");
  assert_same_folders (folder, hosts_path ("whole"), 0);
}

/* Several values of a property: one upload, and the result of each value is that of a graph with this value. */
static void
test_values (void)
{
  const char *matrices[] = { "0 1 0; 1 4 1; 0 1 0", "1 1; 1 2", "0.5 -1 3" };
  const char *folder = hosts_path ("values"), *expected = hosts_path ("single"), *image = hosts_path ("image1.tif");
  const char *list = hosts_write ("matrices.txt", "# matrices\n\n0 1 0; 1 4 1; 0 1 0\n 1 1; 1 2\n0.5 -1 3\n");
  g_autoptr (HostsRun) run = hosts_capra_run (NULL,
                                              "-q %s -o %s/{value}.tif --jobs=3 --for=matrix=%s --timings=%s "
                                              "-- capra:convolve",
                                              image, folder, list, hosts_path ("times.txt"));
  g_autofree char *times = NULL;
  const char *upload;

  hosts_assert_error (run, 1, "cannot write to the folder");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (expected, 0755), ==, 0);
  g_clear_pointer (&run, hosts_run_free);
  run = hosts_capra_run (NULL, "-q %s -o %s/{value}.tif --jobs=3 --for=matrix=%s --timings=%s -- capra:convolve", image,
                         folder, list, hosts_path ("times.txt"));
  hosts_assert_success (run);
  times = hosts_read (hosts_path ("times.txt"));
  upload = strstr (times, "\nupload ");
  g_test_message ("%s", times);
  g_assert_nonnull (upload);
  g_assert_cmpint (atoi (upload + strlen ("\nupload ")), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autoptr (HostsRun) single = hosts_capra_run (NULL, "-q %s -o %s/%u.tif -- capra:convolve 'matrix=%s'", image,
                                                     expected, i + 1, matrices[i]);

      hosts_assert_success (single);
    }
  assert_same_folders (folder, expected, G_N_ELEMENTS (matrices));
}

static void
test_bad_values (void)
{
  const struct {
    const char *argument, *list, *chain, *says;
  } cases[] = {
    { "radius", "1\n2\nnonsense\n", "capra:box-blur", "line 3" },
    { "radius", "# none\n\n", "capra:box-blur", "contains 0 values" },
    { "nothing", "1\n", "capra:box-blur", "no operation has the property" },
    { "radius", "1\n", "capra:box-blur capra:box-blur", "put the number of one before it" },
    { "radius", "\xff\n", "capra:box-blur", "UTF-8" },
  };
  g_autoptr (HostsRun) missing = hosts_capra_run (NULL, "%s -o x-{value}.tif --for=radius=%s -- capra:box-blur",
                                                  hosts_path ("image1.tif"), hosts_path ("missing.txt"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *list = hosts_write ("bad.txt", cases[i].list);
      g_autoptr (HostsRun) run = hosts_capra_run (NULL, "%s -o x-{value}.tif --for=%s=%s -- %s",
                                                  hosts_path ("image1.tif"), cases[i].argument, list, cases[i].chain);

      hosts_assert_error (run, 2, cases[i].says);
    }
  hosts_assert_error (missing, 1, "missing.txt");
}

/* The results are those of one device, and both devices have done some. */
static void
test_devices (void)
{
  const char *folder = hosts_path ("devices");
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s -o %s/ --jobs=2 --devices=all --timings=%s %s", inputs->str,
                                              folder, hosts_path ("devices.txt"), BLUR);
  g_autoptr (HostsRun) both = hosts_capra_run (NULL, "%s -o %s/ --devices=0 --device=0 %s", inputs->str, folder, BLUR);
  g_autoptr (HostsRun) twice = hosts_capra_run (NULL, "%s -o %s/ --devices=0,0 %s", inputs->str, folder, BLUR);
  g_autofree char *times = hosts_read (hosts_path ("devices.txt"));
  g_auto (GStrv) parts = g_strsplit (times, "\nupload ", -1);

  hosts_assert_success (run);
  assert_same_folders (folder, hosts_path ("whole"), IMAGES);
  g_test_message ("%s", times);
  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  hosts_assert_error (both, 2, "not both");
  hosts_assert_error (twice, 2, "different devices");
}

/* Two processes write different images to one folder at the same time; only one of them can be resumed. */
static void
test_one_folder (void)
{
  const char *folder = hosts_path ("shared");
  g_auto (GStrv) names = g_strsplit (g_strstrip (inputs->str), " ", -1);
  g_autofree char *first = g_strjoinv (" ", names + IMAGES / 2);
  g_autofree char *line = g_strdup_printf (
    "%s run -q %s %s %s %s -o %s/{n}.tif --jobs=1 %s & %s run -q %s -o %s/{n}.tif "
    "--jobs=1 %s; wait $!",
    g_getenv ("CAPRA_PROGRAM"), first, first, first, first, folder, BLUR, g_getenv ("CAPRA_PROGRAM"), first, folder,
    BLUR);
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s", g_getenv ("CAPRA_TEST_GEGL_PATH"));
  g_autoptr (HostsRun) run = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  run = hosts_run (settings, 120, (const char *[]){ "sh", "-c", line, NULL });
  hosts_assert_success (run);
  g_assert_null (find_journal (folder));
}

/* A folder that cannot be created, or in which nothing can be written. */
static void
test_folders (void)
{
  const char *file = hosts_path ("image1.tif");
  g_autoptr (HostsRun) below = hosts_capra_run (NULL, "%s -o %s/x/ %s", inputs->str, file, BLUR);
  g_autoptr (HostsRun) process = hosts_capra_run (NULL, "%s -o /proc/ %s", inputs->str, BLUR);
  g_autoptr (HostsRun) standard = hosts_capra_run (NULL, "%s --tables=- --resume -- capra:statistics", inputs->str);

  hosts_assert_error (below, 1, "cannot create the folder");
  hosts_assert_error (process, 1, "cannot write to the folder");
  hosts_assert_error (standard, 2, "--resume needs files");
}

/* All images many times, and one that cannot be read. */
static char *
list_many (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (list, "%s %s", inputs->str, i == MANY / 2 ? "bad.png " : "");
  return g_string_free (list, FALSE);
}

/* On a terminal, one line is drawn again and again, and never wider than it; messages begin at its start. */
static void
test_terminal (void)
{
  g_autofree char *list = list_many (), *folder = g_path_get_dirname (hosts_path ("bad.png"));
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s\nTERM=xterm", g_getenv ("CAPRA_TEST_GEGL_PATH"));
  g_autofree char *program = g_strdup_printf ("stty cols %d; %s run %s -o shown-{n}.tif --jobs=2 %s", COLUMNS,
                                              g_getenv ("CAPRA_PROGRAM"), list, BLUR);
  g_autofree char *script = g_strdup_printf ("%s\n", program), *text = NULL;
  g_autofree char *line = g_strdup_printf ("cd '%s' && script -qec 'sh %s' terminal.txt </dev/null", folder,
                                           hosts_write ("terminal.sh", script));
  g_autoptr (HostsRun) run = hosts_run (settings, 120, (const char *[]){ "sh", "-c", line, NULL });
  g_auto (GStrv) drawn = NULL;
  guint bars = 0;

  text = hosts_read (hosts_path ("terminal.txt"));
  g_test_message ("%s", text);
  g_assert_nonnull (text);
  drawn = g_strsplit (strchr (text, '\n') + 1, "\r\033[K", -1);
  for (guint i = 0; drawn[i]; i++)
    {
      if (!strstr (drawn[i], "frames/s") || strstr (drawn[i], "capra run"))
        continue;
      bars++;
      g_assert_cmpuint (strcspn (drawn[i], "\r\n"), <, COLUMNS);
    }
  g_assert_cmpuint (bars, >, 0);
  g_assert_nonnull (strstr (text, "\r\033[Kcapra run: bad.png"));
  g_assert_nonnull (strstr (text, "193/193 100 %, 1 failed, "));
  g_assert_nonnull (strstr (text, "COMMAND_EXIT_CODE=\"1\""));
}

/* Without a terminal: a line for each image with --progress, else only errors. */
static void
test_lines (void)
{
  g_autoptr (HostsRun) lines = hosts_capra_run (NULL, "-p %s %s -o %s/ %s", inputs->str, hosts_path ("bad.png"),
                                                hosts_path ("lines"), BLUR);
  g_autoptr (HostsRun) silent = hosts_capra_run (NULL, "%s -o %s/ %s", inputs->str, hosts_path ("silent"), BLUR);

  hosts_assert_error (lines, 1, "1 of 25 images failed");
  g_assert_cmpuint (count_lines (lines->err, "["), ==, IMAGES);
  g_assert_null (strchr (lines->err, '\r'));
  g_assert_null (strchr (lines->err, '\033'));
  hosts_assert_success (silent);
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsRun) whole = NULL;

  hosts_begin (&argc, &argv);
  inputs = g_string_new (NULL);
  for (int i = 1; i <= IMAGES; i++)
    {
      g_autofree char *name = g_strdup_printf ("image%d.tif", i);
      g_autoptr (HostsImage) image = hosts_image_sample (SIDE, SIDE - i, 1);

      hosts_image_save (image, hosts_path (name), "Y");
      g_string_append_printf (inputs, "%s ", hosts_path (name));
    }
  hosts_write ("bad.png", "\x89PNG\r\n\x1a\nno image");
  whole = hosts_capra_run (NULL, "-q %s -o %s/ %s", inputs->str, hosts_path ("whole"), BLUR);
  hosts_assert_success (whole);
  g_assert_null (find_journal (hosts_path ("whole")));
  g_test_add_func ("/capra-run-batch/killed", test_killed);
  g_test_add_func ("/capra-run-batch/full-disk", test_full_disk);
  g_test_add_func ("/capra-run-batch/refused", test_refused);
  g_test_add_func ("/capra-run-batch/damaged", test_damaged);
  g_test_add_func ("/capra-run-batch/stop", test_stop);
  g_test_add_func ("/capra-run-batch/values", test_values);
  g_test_add_func ("/capra-run-batch/bad-values", test_bad_values);
  g_test_add_func ("/capra-run-batch/devices", test_devices);
  g_test_add_func ("/capra-run-batch/folders", test_folders);
  g_test_add_func ("/capra-run-batch/one-folder", test_one_folder);
  g_test_add_func ("/capra-run-batch/terminal", test_terminal);
  g_test_add_func ("/capra-run-batch/lines", test_lines);
  return hosts_end ();
}

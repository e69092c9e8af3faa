/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run` in several processes that mpirun starts, results in HDF5 files, and `capra join`. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <hdf5.h>

#include "tests/hosts/hosts.h"

#define IMAGES 20
#define SIDE 320
#define MANY 8 /* times all images, so that the batch takes a while */
#define BLUR "-- capra:gaussian-blur std-dev-x=3 std-dev-y=3"
#define MPIRUN "mpirun --allow-run-as-root --oversubscribe"

static GString *inputs, *many; /* names of files */

/* Fails the test unless the .npy files of all frames of two HDF5 files are equal. */
static void
assert_same_frames (const char *path, const char *expected, guint count)
{
  const char *paths[] = { path, expected };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q --data %s --frames=all -o %s-{frame}.npy -- gegl:nop",
                                                  paths[i], paths[i]);

      hosts_assert_success (run);
    }
  for (guint frame = 0; frame < count; frame++)
    {
      int digits = count > 100 ? 3 : 2;
      g_autofree char *one = g_strdup_printf ("%s-%0*u.npy", path, digits, frame), *a = NULL;
      g_autofree char *other = g_strdup_printf ("%s-%0*u.npy", expected, digits, frame), *b = NULL;
      gsize lengths[2];

      g_assert_true (g_file_get_contents (one, &a, &lengths[0], NULL));
      g_assert_true (g_file_get_contents (other, &b, &lengths[1], NULL));
      g_assert_cmpuint (lengths[0], >, (gsize) SIDE * (SIDE - IMAGES) * 4);
      g_assert_cmpmem (a, lengths[0], b, lengths[1]);
    }
}

static HostsRun *
run_shell (const char *line)
{
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s\nCAPRA=%s\nINPUTS=%s\nMANY=%s\nFOLDER=%s",
                                               g_getenv ("CAPRA_TEST_GEGL_PATH"), g_getenv ("CAPRA_PROGRAM"),
                                               inputs->str, many->str, hosts_path (""));

  return hosts_run (settings, 200, (const char *[]){ "sh", "-c", line, NULL });
}

/* Two processes with the variables of Open MPI, without mpirun. */
static void
test_variables (void)
{
  g_autoptr (HostsRun) run = run_shell (
    "cd $FOLDER && for rank in 0 1 2; do OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=3 $CAPRA run -q $INPUTS "
    "-o variables.h5 " BLUR " || exit 1; done; $CAPRA join variables.h5 variables.3-of-3.h5 variables.1-of-3.h5 "
    "variables.2-of-3.h5");

  hosts_assert_success (run);
  assert_same_frames (hosts_path ("variables.h5"), hosts_path ("whole.h5"), IMAGES);
}

static void
test_mpirun (void)
{
  g_autoptr (HostsRun) run = NULL;

  if (!g_getenv ("CAPRA_TEST_MPIRUN"))
    {
      g_test_skip ("mpirun is not installed");
      return;
    }
  run = run_shell ("cd $FOLDER && " MPIRUN " -n 2 $CAPRA run -q $INPUTS -o two.h5 " BLUR
                   " && $CAPRA join two.h5 two.*-of-2.h5");
  g_test_message ("%s", run->err);
  g_assert_cmpint (run->status, ==, 0);
  assert_same_frames (hosts_path ("two.h5"), hosts_path ("whole.h5"), IMAGES);
}

/* The processes that mpirun @pid has started. */
static GStrv
list_children (const char *pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/task/%s/children", pid, pid), *text = hosts_read (path);

  return g_strsplit (text ? g_strstrip (text) : "", " ", -1);
}

/* Frames that the journals in @folder list. */
static guint
count_done (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint count = 0;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = g_str_has_prefix (name, ".capra-run-") ? hosts_read (path) : NULL;

      for (const char *at = text; at && (at = strstr (at, "\ndone ")); at++)
        count++;
    }
  return count;
}

/* One process of two is killed; the batch is resumed, and has the results of an uninterrupted one. */
static void
test_killed (void)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *folder = g_build_filename (hosts_path (""), "killed", NULL);
  g_autofree char *line = g_strdup_printf ("cd %s && exec " MPIRUN " -n 2 %s run -q %s -o killed.h5 --jobs=1 " BLUR,
                                           folder, g_getenv ("CAPRA_PROGRAM"), many->str);
  g_auto (GStrv) children = NULL, lines = NULL;
  g_autofree char *joined = NULL;
  g_autoptr (HostsRun) resumed = NULL, missing = NULL, all = NULL;
  guint done;

  if (!g_getenv ("CAPRA_TEST_MPIRUN"))
    {
      g_test_skip ("mpirun is not installed");
      return;
    }
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_subprocess_launcher_setenv (launcher, "GEGL_PATH", g_getenv ("CAPRA_TEST_GEGL_PATH"), TRUE);
  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sh", "-c", line, NULL);
  g_assert_nonnull (process);
  for (guint waits = 0; waits < 100000 && count_done (folder) < 3; waits++)
    g_usleep (500);
  children = list_children (g_subprocess_get_identifier (process));
  g_assert_cmpuint (g_strv_length (children), ==, 2);
  g_assert_cmpint (kill (atoi (children[1]), SIGKILL), ==, 0);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_false (g_subprocess_get_successful (process));
  done = count_done (folder);
  g_test_message ("%u frames were finished", done);
  g_assert_cmpuint (done, <, MANY * IMAGES);
  g_assert_cmpuint (done, >=, 3);
  missing = run_shell ("cd $FOLDER/killed && $CAPRA join killed.h5 killed.1-of-2.h5 killed.2-of-2.h5");
  hosts_assert_error (missing, 1, "does not exist");
  resumed = run_shell ("cd $FOLDER/killed && " MPIRUN " -n 2 $CAPRA run -p $MANY -o killed.h5 --resume " BLUR
                       " && $CAPRA join killed.h5 killed.*-of-2.h5");
  g_test_message ("%s", resumed->err);
  g_assert_cmpint (resumed->status, ==, 0);
  lines = g_strsplit (resumed->err, " ms\n", -1);
  g_assert_cmpuint (g_strv_length (lines) - 1, ==, MANY * IMAGES - done);
  joined = g_build_filename (folder, "killed.h5", NULL);
  all = run_shell ("cd $FOLDER && $CAPRA run -q $MANY -o many.h5 " BLUR);
  hosts_assert_success (all);
  assert_same_frames (joined, hosts_path ("many.h5"), MANY * IMAGES);
}

/* A frame that fails is not marked; a result of another size is an error. */
static void
test_bad_frames (void)
{
  const char *path = hosts_path ("bad.h5");
  g_autofree char *bad = g_strdup (hosts_write ("bad.png", "\x89PNG\r\n\x1a\nno image"));
  g_autoptr (HostsImage) small = hosts_image_sample (30, 20, 1);
  g_autoptr (HostsRun) run = NULL, resumed = NULL;

  hosts_image_save (small, hosts_path ("small.tif"), "Y");
  run = hosts_capra_run (NULL, "-q %s %s %s %s -o %s --jobs=1 %s", hosts_path ("image0.tif"), bad,
                         hosts_path ("small.tif"), hosts_path ("image0.tif"), path, BLUR);
  hosts_assert_error (run, 1, "2 of 4 images failed");
  hosts_assert_error (run, 1, "write such results to separate files");
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  resumed = hosts_capra_run (NULL, "-q %s %s %s %s -o %s --jobs=1 --resume %s", hosts_path ("image0.tif"), bad,
                             hosts_path ("small.tif"), hosts_path ("image0.tif"), path, BLUR);
  hosts_assert_error (resumed, 1, "2 of 4 images failed");
}

/* More processes than images, and parts of which one is missing. */
static void
test_few (void)
{
  g_autoptr (HostsRun) run = run_shell (
    "cd $FOLDER && for rank in 0 1 2 3 4; do $CAPRA run -q image0.tif image1.tif image2.tif --rank=$rank --ranks=5 "
    "-o few.h5 " BLUR " || exit 1; done; ls few.*-of-5.h5 && $CAPRA join few.h5 few.*-of-5.h5 && rm few.2-of-5.h5 && "
    "! $CAPRA join partial.h5 few.*-of-5.h5 && $CAPRA join --incomplete partial.h5 few.*-of-5.h5 && "
    "$CAPRA run -q --data partial.h5 --frames=all -o partial-{frame}.npy -- gegl:nop && ls partial-*.npy");

  g_test_message ("%s%s", run->out, run->err);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (strstr (run->out, "few.3-of-5.h5"));
  g_assert_null (strstr (run->out, "few.4-of-5.h5"));
  g_assert_nonnull (strstr (run->err, "no part has the frames 1;"));
  g_assert_nonnull (strstr (run->err, "partial.h5 has no frames 1\n"));
  g_assert_nonnull (strstr (run->out, "partial-1.npy"));
  g_assert_null (strstr (run->out, "partial-2.npy"));
}

/* A disk that is too small for all frames: nothing half written; with enough of it, the batch is resumed. */
static void
test_full_disk (void)
{
  g_autoptr (HostsRun) full = run_shell ("cd $FOLDER && mkdir full && (ulimit -f 4000; $CAPRA run -q $INPUTS "
                                         "-o full/all.h5 " BLUR "); echo $?; ls full");
  g_autoptr (HostsRun) resumed = run_shell ("cd $FOLDER && $CAPRA run -q $INPUTS -o full/all.h5 --resume " BLUR);

  g_test_message ("%s%s", full->out, full->err);
  g_assert_cmpstr (full->out, ==, "1\n");
  g_assert_nonnull (strstr (full->err, "cannot write full/all.h5: "));
  hosts_assert_success (resumed);
  assert_same_frames (hosts_path ("full/all.h5"), hosts_path ("whole.h5"), IMAGES);
}

/* Which frames a file has. */
static guint8 *
read_good (const char *path)
{
  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2 (file, "/entry/data/good", H5P_DEFAULT);
  hid_t space = H5Dget_space (set);
  guint8 *good = g_new0 (guint8, (gsize) H5Sget_simple_extent_npoints (space));

  g_assert_cmpint (H5Dread (set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, good), >=, 0);
  H5Sclose (space);
  H5Dclose (set);
  H5Fclose (file);
  return good;
}

/* The result of another batch is not changed before that of this one is complete, which it never is here. */
static void
test_finished (void)
{
  g_autofree char *bad = g_strdup (hosts_write ("bad-finished.png", "\x89PNG\r\n\x1a\nno image"));
  g_autoptr (HostsRun) run = run_shell (
    "cd $FOLDER && mkdir finished && cp bad-finished.png bad && cp image1.tif bad-finished.png && $CAPRA run -q "
    "image0.tif bad-finished.png -o finished/all.h5 -- gegl:nop && cp finished/all.h5 before.h5 && cp bad "
    "bad-finished.png && ! $CAPRA run -q --jobs=1 --stop-on-error --resume bad-finished.png image0.tif -o "
    "finished/all.h5 " BLUR "; cmp before.h5 finished/all.h5");

  g_test_message ("%s%s", run->out, run->err);
  g_assert_cmpint (run->status, ==, 0);
}

/* What another batch has left under the same name is not taken for frames of this one. */
static void
test_left (void)
{
  g_autofree char *bad = g_strdup (hosts_write ("bad-left.png", "\x89PNG\r\n\x1a\nno image"));
  g_autoptr (HostsRun) other = run_shell ("cd $FOLDER && mkdir left && cp image1.tif bad-left.png && $CAPRA run -q "
                                          "image0.tif bad-left.png -o left/all.h5 -- gegl:nop && mv left/all.h5 "
                                          "left/all.h5.part && rm -f left/.capra-run-* && printf x >bad-left.png");
  g_autoptr (HostsRun) run = run_shell (
    "cd $FOLDER && $CAPRA run -q image0.tif bad-left.png -o left/all.h5 --resume " BLUR);
  g_autofree guint8 *good = NULL;

  g_test_message ("%s%s", other->err, run->err);
  hosts_assert_success (other);
  hosts_assert_error (run, 1, "1 of 2 images failed");
  good = read_good (hosts_path ("left/all.h5"));
  g_assert_cmpmem (good, 2, "\1\0", 2);
  g_unlink (bad);
}

static void
test_bad_parts (void)
{
  static const struct {
    const char *line, *says;
  } cases[] = {
    { "$CAPRA join out.h5 whole.h5 image0.tif", "not an HDF5 file" },
    { "$CAPRA join whole.h5 whole.h5", "both written and joined" },
    { "$CAPRA join out.h5", "the files to join" },
    { "head -c 1500 whole.h5 >cut.h5; $CAPRA join out.h5 whole.h5 cut.h5", "cut.h5" },
    { "$CAPRA run -q $INPUTS -o size.h5 --rank=0 --ranks=2 -- gegl:nop; $CAPRA run -q $INPUTS -o size.h5 --rank=1 "
      "--ranks=2 -- gegl:scale-ratio x=0.5 y=0.5; $CAPRA join out.h5 size.1-of-2.h5 size.2-of-2.h5",
      "other sizes" },
    { "$CAPRA join out.h5 size.2-of-2.h5", "no part has the frames 0 to 9;" },
    { "$CAPRA join out.h5 size.1-of-2.h5", "no part has the frames 10 to 19;" },
    { "$CAPRA run -q $INPUTS -o three.h5 --rank=1 --ranks=3 -- gegl:nop; $CAPRA join out.h5 size.1-of-2.h5 "
      "three.2-of-3.h5",
      "frame 7 is in size.1-of-2.h5, too" },
    { "$CAPRA join missing/out.h5 whole.h5", "cannot be created" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strdup_printf ("cd $FOLDER; %s", cases[i].line);
      g_autoptr (HostsRun) run = run_shell (line);

      g_test_message ("%s: %s", cases[i].line, run->err);
      g_assert_cmpint (run->status, !=, 0);
      g_assert_nonnull (strstr (run->err, cases[i].says));
      g_assert_false (g_file_test (hosts_path ("out.h5"), G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsRun) whole = NULL;

  hosts_begin (&argc, &argv);
  inputs = g_string_new (NULL);
  for (int i = 0; i < IMAGES; i++)
    {
      g_autofree char *name = g_strdup_printf ("image%d.tif", i);
      g_autoptr (HostsImage) image = hosts_image_sample (SIDE, SIDE, 1);

      image->values[i] += 1.0; /* all images are different */
      hosts_image_save (image, hosts_path (name), "Y");
      g_string_append_printf (inputs, "%s ", hosts_path (name));
    }
  many = g_string_new (NULL);
  for (guint i = 0; i < MANY; i++)
    g_string_append (many, inputs->str);
  whole = hosts_capra_run (NULL, "-q %s -o %s %s", inputs->str, hosts_path ("whole.h5"), BLUR);
  hosts_assert_success (whole);
  g_test_add_func ("/capra-run-ranks/variables", test_variables);
  g_test_add_func ("/capra-run-ranks/mpirun", test_mpirun);
  g_test_add_func ("/capra-run-ranks/killed", test_killed);
  g_test_add_func ("/capra-run-ranks/bad-frames", test_bad_frames);
  g_test_add_func ("/capra-run-ranks/bad-parts", test_bad_parts);
  g_test_add_func ("/capra-run-ranks/few", test_few);
  g_test_add_func ("/capra-run-ranks/full-disk", test_full_disk);
  g_test_add_func ("/capra-run-ranks/finished", test_finished);
  g_test_add_func ("/capra-run-ranks/left", test_left);
  return hosts_end ();
}

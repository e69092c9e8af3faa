/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra integrate with files that are damaged, saved matrices, and files that must not be replaced. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "tests/cli/integrate.h"

/* Changes @bytes bytes at @from of a frame's chunk. */
static void
damage (const char *path, guint frame, gint64 from, gsize bytes)
{
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (path, "", NULL);
  CapraHdf5Chunk chunk;
  g_autofree guint8 *values = g_malloc (bytes);
  int file = open (path, O_WRONLY);

  memset (values, 255, bytes);
  g_assert_true (capra_hdf5_frames_get_chunk (frames, frame, &chunk, NULL));
  g_assert_cmpint (pwrite (file, values, bytes, (off_t) ((gint64) chunk.offset + from)), ==, bytes);
  close (file);
}

static void
test_damaged (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u32", ""), *errors = NULL;
  g_autofree double *expected = NULL;

  g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  damage (path, 2, 12, 4);  /* the length of the first block */
  damage (path, 7, 16, 40); /* the tokens of its data */

  g_assert_cmpint (integrate_frames (fixture, path, "--batch 4 -q", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "frame 2 is left out: bitshuffle: block 0 of 15 has a length of 4294967295 bytes"));
  g_assert_nonnull (strstr (errors, "frame 7 is left out: block 0 of 15 is damaged"));
  g_assert_nonnull (strstr (errors, "2 of 9 frames were left out"));
  integrate_assert_curves (fixture->output, expected, 2, 7);

  g_unlink (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, path, "--stop-on-error -q", &errors), ==, 1);
  g_assert_false (g_file_test (fixture->output, G_FILE_TEST_EXISTS));
}

/* Changes where a frame's chunk begins to behind the end of the file. */
static void
misplace (const char *path, guint frame)
{
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (path, "", NULL);
  g_autofree char *contents = NULL;
  gsize length = 0, at = 0;
  CapraHdf5Chunk chunk;
  guint64 begin, other;

  g_assert_true (capra_hdf5_frames_get_chunk (frames, frame, &chunk, NULL));
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  begin = GUINT64_TO_LE (chunk.offset);
  other = GUINT64_TO_LE ((guint64) length + 1000);
  while (at + 8 <= length && memcmp (contents + at, &begin, 8) != 0)
    at++;
  g_assert_cmpuint (at + 8, <=, length);
  memcpy (contents + at, &other, 8);
  g_assert_true (g_file_set_contents (path, contents, (gssize) length, NULL));
}

/* The others are integrated. */
static void
test_misplaced (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u16", ""), *errors = NULL;
  g_autofree double *expected = NULL;

  g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  misplace (path, 4);
  g_assert_cmpint (integrate_frames (fixture, path, "-q", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "the values of frame 4 are not in the file"));
  g_assert_nonnull (strstr (errors, "1 of 9 frames were left out"));
  integrate_assert_curves (fixture->output, expected, 4, -1);
}

/* The file was cut off. */
static void
test_truncated (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u16", ""), *errors = NULL;

  g_assert_cmpint (truncate (path, 100000), ==, 0);
  g_assert_cmpint (integrate_frames (fixture, path, "-q", &errors), ==, 1);
  g_assert_cmpstr (errors, !=, "");
  g_assert_false (g_file_test (fixture->output, G_FILE_TEST_EXISTS));
}

static gboolean
has_contents (const char *path, const char *expected, gsize length)
{
  g_autofree char *contents = NULL;
  gsize n = 0;

  return g_file_get_contents (path, &contents, &n, NULL) && n == length && memcmp (contents, expected, n) == 0;
}

/* A file that is read is not replaced, nor is a file with something else by a matrix. */
static void
test_overwriting (IntegrateFixture *fixture, gconstpointer data)
{
  static const char *const options[] = { "-q -o %s", "-q --matrix %s", "-q --mask %s::/entry --matrix %s" };
  g_autofree char *frames = integrate_make_frames (fixture, "u8", ""), *same = NULL, *errors = NULL, *before = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (frames, &before, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_auto (GStrv) parts = g_strsplit (options[i], "%s", -1);
      g_autofree char *option = g_strjoinv (frames, parts);

      g_assert_cmpint (integrate_frames (fixture, frames, option, &errors), ==, 2);
      g_assert_nonnull (strstr (errors, "u8.h5 is an input and would be overwritten"));
    }
  same = g_strdup_printf ("-q --matrix %s", fixture->output);
  g_assert_cmpint (integrate_frames (fixture, frames, same, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "would be written more than once"));
  g_assert_true (g_file_set_contents (fixture->output, "something else", -1, NULL));
  g_assert_cmpint (integrate_run (&errors, "%s integrate %s --poni %s -o %s.dat --bins %d -d 0 -q --matrix %s",
                                  g_getenv ("CAPRA_PROGRAM"), frames, fixture->poni, fixture->output, INTEGRATE_BINS,
                                  fixture->output),
                   ==, 1);
  g_assert_nonnull (strstr (errors, "contains something else; choose another name"));
  g_assert_true (has_contents (fixture->output, "something else", 14));
  g_assert_true (has_contents (frames, before, length));
}

/* A saved matrix is used, one that is damaged or belongs to another geometry is built again. */
static void
test_matrix (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *frames = integrate_make_frames (fixture, "u32", ""), *path = NULL, *option = NULL, *errors = NULL;
  g_autofree char *saved = NULL, *damaged = NULL, *geometry = NULL, *changed = NULL;
  g_autofree double *expected = NULL, *other = NULL;
  g_auto (GStrv) parts = NULL;
  GStatBuf before, after;
  gsize n = 0;

  path = g_build_filename (fixture->folder, "matrix", NULL);
  option = g_strdup_printf ("-q --matrix %s", path);
  g_assert_cmpint (integrate_frames (fixture, frames, "-q", NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, frames, option, NULL), ==, 0);
  integrate_assert_curves (fixture->output, expected, -1, -1);
  g_assert_true (g_file_get_contents (path, &saved, &n, NULL));
  g_assert_cmpuint (n, >, 10000);

  /* Saving replaces the file by a new one. */
  g_assert_cmpint (g_stat (path, &before), ==, 0);
  g_assert_cmpint (integrate_frames (fixture, frames, option, NULL), ==, 0);
  integrate_assert_curves (fixture->output, expected, -1, -1);
  g_assert_cmpint (g_stat (path, &after), ==, 0);
  g_assert_cmpuint (before.st_ino, ==, after.st_ino);
  g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);

  damaged = g_memdup2 (saved, n);
  damaged[n / 2] ^= 4;
  g_assert_true (g_file_set_contents (path, damaged, (gssize) n, NULL));
  g_assert_cmpint (integrate_frames (fixture, frames, option, NULL), ==, 0);
  integrate_assert_curves (fixture->output, expected, -1, -1);
  g_assert_true (has_contents (path, saved, n));

  g_assert_true (g_file_get_contents (fixture->poni, &geometry, NULL, NULL));
  parts = g_strsplit (geometry, "Rot1: ", 2);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strdup_printf ("%sRot1: 0.1\n%s", parts[0], strchr (parts[1], '\n') + 1);
  g_assert_true (g_file_set_contents (fixture->poni, changed, -1, NULL));
  g_assert_cmpint (integrate_frames (fixture, frames, "-q", NULL), ==, 0);
  other = integrate_read_curves (fixture->output);
  g_assert_cmpfloat (fabs (other[0] - expected[0]), >, 1e-3 * expected[0]);
  g_assert_cmpint (integrate_frames (fixture, frames, option, NULL), ==, 0);
  integrate_assert_curves (fixture->output, other, -1, -1);
  g_assert_false (has_contents (path, saved, n));

  g_assert_cmpint (integrate_frames (fixture, frames, "-q --matrix /nowhere/matrix", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "/nowhere/matrix"));
}

int
main (int argc, char **argv)
{
  static const IntegrateTest tests[] = { { "damaged", test_damaged },
                                         { "misplaced", test_misplaced },
                                         { "truncated", test_truncated },
                                         { "overwriting", test_overwriting },
                                         { "matrix", test_matrix } };

  return integrate_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra integrate on synthetic frames: types, sizes of batches, damaged frames, wrong arguments. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support.h"

#define FRAMES 9
#define WIDTH 203
#define HEIGHT 151
#define BINS 50

typedef struct {
  char *folder, *poni, *output;
} Fixture;

static int G_GNUC_PRINTF (2, 3) run (char **errors, const char *format, ...)
{
  g_autofree char *command = NULL, *output = NULL, *messages = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;
  va_list values;

  va_start (values, format);
  command = g_strdup_vprintf (format, values);
  va_end (values);
  g_spawn_command_line_sync (command, &output, &messages, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  g_test_message ("%s: %s", command, messages);
  if (errors)
    {
      g_free (*errors);
      *errors = g_steal_pointer (&messages);
    }
  return WEXITSTATUS (status);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("capra-integrate-XXXXXX", NULL);
  fixture->poni = g_build_filename (fixture->folder, "geometry.poni", NULL);
  fixture->output = g_build_filename (fixture->folder, "curves.txt", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->poni);
  g_free (fixture->output);
}

/* Writes frames of a type; returns the file's path. */
static char *
make_frames (Fixture *fixture, const char *type, const char *options)
{
  g_autofree char *name = g_strdup_printf ("%s.h5", type);
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_cmpint (run (NULL, "%s -n %d -d 5 --width %d --height %d -t %s -p %s %s %s", g_getenv ("CAPRA_FRAMES"),
                        FRAMES, WIDTH, HEIGHT, type, fixture->poni, options, path),
                   ==, 0);
  return path;
}

static int
integrate (Fixture *fixture, const char *path, const char *options, char **errors)
{
  return run (errors, "%s integrate %s --poni %s -o %s -d 0 --bins %d %s", g_getenv ("CAPRA_PROGRAM"), path,
              fixture->poni, fixture->output, BINS, options);
}

/* The curves in a text file: radial positions, intensities, standard deviations and errors for each frame. */
static double *
read_curves (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  double *values = g_new (double, FRAMES * BINS * 4);
  gsize n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      char *at = lines[i];

      if (*at == '#' || *at == '\0')
        continue;
      g_assert_cmpuint (n, <, FRAMES * BINS * 4);
      for (guint k = 0; k < 4; k++)
        values[n++] = g_ascii_strtod (at, &at);
    }
  g_assert_cmpuint (n, ==, FRAMES * BINS * 4);
  return values;
}

/* Frames other than @a and @b have the expected curves, those two have none. */
static void
assert_curves (const char *path, const double *expected, int a, int b)
{
  g_autofree double *values = read_curves (path);

  for (int f = 0; f < FRAMES; f++)
    for (guint i = 0; i < BINS * 4; i++)
      {
        gsize at = (gsize) f * BINS * 4 + i;

        if ((f == a || f == b) && i % 4 > 0)
          g_assert_true (isnan (values[at]));
        else if (values[at] != expected[at])
          g_error ("frame %d, column %u: %g instead of %g", f, i % 4, values[at], expected[at]);
      }
}

/* The same counts in all types, sizes of blocks and batches have the same curves. */
static void
test_types (Fixture *fixture, gconstpointer data)
{
  static const char *const types[] = { "u16", "i32", "f32", "u64", "i64", "f64" };
  static const char *const options[] = { "--batch 2 --ring 1 --readers 1", "--batch 4 --ring 3 --readers 4",
                                         "--batch 20", "--batch 1 --ring 5" };
  g_autofree char *first = make_frames (fixture, "u32", "");
  g_autofree double *expected = NULL;

  g_assert_cmpint (integrate (fixture, first, "-q", NULL), ==, 0);
  expected = read_curves (fixture->output);
  g_assert_cmpfloat (expected[1], >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_assert_cmpint (integrate (fixture, first, options[i], NULL), ==, 0);
      assert_curves (fixture->output, expected, -1, -1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = make_frames (fixture, types[i], i % 2 ? "--block 136" : "");

      g_assert_cmpint (integrate (fixture, path, "-q", NULL), ==, 0);
      assert_curves (fixture->output, expected, -1, -1);
    }
}

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
test_damaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u32", ""), *errors = NULL;
  g_autofree double *expected = NULL;

  g_assert_cmpint (integrate (fixture, path, "-q", NULL), ==, 0);
  expected = read_curves (fixture->output);
  damage (path, 2, 12, 4);  /* the length of the first block */
  damage (path, 7, 16, 40); /* the tokens of its data */

  g_assert_cmpint (integrate (fixture, path, "--batch 4 -q", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "frame 2 is left out: bitshuffle: block 0 of 15 has a length of 4294967295 bytes"));
  g_assert_nonnull (strstr (errors, "frame 7 is left out: block 0 of 15 is damaged"));
  g_assert_nonnull (strstr (errors, "2 of 9 frames were left out"));
  assert_curves (fixture->output, expected, 2, 7);

  g_unlink (fixture->output);
  g_assert_cmpint (integrate (fixture, path, "--stop-on-error -q", &errors), ==, 1);
  g_assert_false (g_file_test (fixture->output, G_FILE_TEST_EXISTS));
}

/* The file was cut off. */
static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u16", ""), *errors = NULL;

  g_assert_cmpint (truncate (path, 100000), ==, 0);
  g_assert_cmpint (integrate (fixture, path, "-q", &errors), ==, 1);
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

/* A saved matrix is used, one that is damaged or belongs to another geometry is built again. */
static void
test_matrix (Fixture *fixture, gconstpointer data)
{
  g_autofree char *frames = make_frames (fixture, "u32", ""), *path = NULL, *option = NULL, *errors = NULL;
  g_autofree char *saved = NULL, *damaged = NULL, *geometry = NULL, *changed = NULL;
  g_autofree double *expected = NULL, *other = NULL;
  g_auto (GStrv) parts = NULL;
  GStatBuf before, after;
  gsize n = 0;

  path = g_build_filename (fixture->folder, "matrix", NULL);
  option = g_strdup_printf ("-q --matrix %s", path);
  g_assert_cmpint (integrate (fixture, frames, "-q", NULL), ==, 0);
  expected = read_curves (fixture->output);
  g_assert_cmpint (integrate (fixture, frames, option, NULL), ==, 0);
  assert_curves (fixture->output, expected, -1, -1);
  g_assert_true (g_file_get_contents (path, &saved, &n, NULL));
  g_assert_cmpuint (n, >, 10000);

  /* Saving replaces the file by a new one. */
  g_assert_cmpint (g_stat (path, &before), ==, 0);
  g_assert_cmpint (integrate (fixture, frames, option, NULL), ==, 0);
  assert_curves (fixture->output, expected, -1, -1);
  g_assert_cmpint (g_stat (path, &after), ==, 0);
  g_assert_cmpuint (before.st_ino, ==, after.st_ino);
  g_assert_cmpint (before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);

  damaged = g_memdup2 (saved, n);
  damaged[n / 2] ^= 4;
  g_assert_true (g_file_set_contents (path, damaged, (gssize) n, NULL));
  g_assert_cmpint (integrate (fixture, frames, option, NULL), ==, 0);
  assert_curves (fixture->output, expected, -1, -1);
  g_assert_true (has_contents (path, saved, n));

  g_assert_true (g_file_get_contents (fixture->poni, &geometry, NULL, NULL));
  parts = g_strsplit (geometry, "Rot1: ", 2);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strdup_printf ("%sRot1: 0.1\n%s", parts[0], strchr (parts[1], '\n') + 1);
  g_assert_true (g_file_set_contents (fixture->poni, changed, -1, NULL));
  g_assert_cmpint (integrate (fixture, frames, "-q", NULL), ==, 0);
  other = read_curves (fixture->output);
  g_assert_cmpfloat (fabs (other[0] - expected[0]), >, 1e-3 * expected[0]);
  g_assert_cmpint (integrate (fixture, frames, option, NULL), ==, 0);
  assert_curves (fixture->output, other, -1, -1);
  g_assert_false (has_contents (path, saved, n));

  g_assert_cmpint (integrate (fixture, frames, "-q --matrix /nowhere/matrix", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "/nowhere/matrix"));
}

/* Writes a FITS image that has the value @inside in its first @rows rows, and @outside in the others. */
static char *
make_image (Fixture *fixture, const char *name, guint width, guint rows, float inside, float outside)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *axis = g_strdup_printf ("NAXIS1  = %20u", width);
  g_autofree char *other = g_strdup_printf ("NAXIS2  = %20u", HEIGHT);
  const char *cards[36] = { "SIMPLE  =                    T",
                            "BITPIX  =                  -32",
                            "NAXIS   =                    2",
                            axis,
                            other,
                            "END" };
  g_autoptr (GByteArray) file = g_byte_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    {
      g_autofree char *card = g_strdup_printf ("%-80s", cards[i] ? cards[i] : "");

      g_byte_array_append (file, (const guint8 *) card, 80);
    }
  for (guint i = 0; i < width * HEIGHT; i++)
    {
      float value = i / width < rows ? inside : outside;
      guint32 bits = 0;

      memcpy (&bits, &value, sizeof bits);
      bits = GUINT32_TO_BE (bits);
      g_byte_array_append (file, (const guint8 *) &bits, sizeof bits);
    }
  g_byte_array_set_size (file, (file->len + 2879) / 2880 * 2880);
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  return path;
}

/* The intensities are those of @expected times @factor. */
static void
assert_scaled (const char *path, const double *expected, double factor)
{
  g_autofree double *values = read_curves (path);

  for (guint i = 1; i < FRAMES * BINS * 4; i += 4)
    g_assert_cmpfloat_with_epsilon (values[i], expected[i] * factor, 1e-6 * (1 + fabs (expected[i])));
}

/* The beam is at the first pixel: without the first rows, the curve begins at a larger angle. */
static void
test_images (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u32", ""), *errors = NULL;
  g_autofree char *zeros = make_image (fixture, "zeros.fits", WIDTH, 0, 0, 0);
  g_autofree char *halves = make_image (fixture, "halves.fits", WIDTH, 0, 0, 0.5f);
  g_autofree char *mask = make_image (fixture, "mask.fits", WIDTH, 20, 1, 0);
  g_autofree char *narrow = make_image (fixture, "narrow.fits", WIDTH - 1, 20, 1, 0);
  g_autofree char *images = g_strdup_printf ("-q --dark %s --mask %s", zeros, zeros);
  g_autofree char *flat = g_strdup_printf ("-q --flat %s", halves), *masked = g_strdup_printf ("-q -m %s", mask);
  g_autofree char *wrong = g_strdup_printf ("-q -m %s", narrow),
                  *stack = g_strdup_printf ("-q --dark %s::/entry", path);
  g_autofree double *expected = NULL, *values = NULL;

  if (!capra_fits_is_supported ())
    {
      g_test_skip ("built without CFITSIO");
      return;
    }
  g_assert_cmpint (integrate (fixture, path, "-q", NULL), ==, 0);
  expected = read_curves (fixture->output);
  g_assert_cmpint (integrate (fixture, path, images, NULL), ==, 0);
  assert_scaled (fixture->output, expected, 1);
  g_assert_cmpint (integrate (fixture, path, flat, NULL), ==, 0);
  assert_scaled (fixture->output, expected, 2);
  g_assert_cmpint (integrate (fixture, path, masked, NULL), ==, 0);
  values = read_curves (fixture->output);
  g_assert_cmpfloat (values[0], >, 3 * expected[0]);

  g_assert_cmpint (integrate (fixture, path, wrong, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "narrow.fits: the image has 202 x 151 pixels, the frames 203 x 151"));
  g_assert_cmpint (integrate (fixture, path, stack, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "9"));
  g_assert_cmpint (integrate (fixture, path, "--flat /nowhere.fits", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "/nowhere.fits"));
}

/* The intensities of all frames in a NeXus file. */
static float *
read_intensities (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraHdf5Frames) curves = capra_hdf5_frames_open (path, "/entry/data/intensity", &error);
  float *values = g_new (float, FRAMES * BINS);

  g_assert_no_error (error);
  g_assert_cmpuint (capra_hdf5_frames_get_shape (curves)->width, ==, BINS);
  g_assert_cmpuint (capra_hdf5_frames_get_shape (curves)->height, ==, FRAMES);
  g_assert_true (capra_hdf5_frames_read (curves, 0, values, &error));
  return values;
}

/* Two processes share the frames; their joined files have the curves of one process. More processes than frames are no
 * error. */
static void
test_ranks (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u16", ""), *part = NULL, *errors = NULL;
  g_autofree float *expected = NULL, *values = NULL;

  g_free (fixture->output);
  fixture->output = g_build_filename (fixture->folder, "curves.h5", NULL);
  g_assert_cmpint (integrate (fixture, path, "-q", NULL), ==, 0);
  expected = read_intensities (fixture->output);
  g_unlink (fixture->output);
  g_assert_cmpint (integrate (fixture, path, "-q --rank 0 --ranks 2", NULL), ==, 0);
  g_assert_cmpint (integrate (fixture, path, "-q --rank 1 --ranks 2", NULL), ==, 0);
  g_assert_false (g_file_test (fixture->output, G_FILE_TEST_EXISTS));
  g_assert_cmpint (run (NULL, "%s join %s %s/curves.2-of-2.h5 %s/curves.1-of-2.h5", g_getenv ("CAPRA_PROGRAM"),
                        fixture->output, fixture->folder, fixture->folder),
                   ==, 0);
  values = read_intensities (fixture->output);
  g_assert_cmpmem (values, sizeof (float) * FRAMES * BINS, expected, sizeof (float) * FRAMES * BINS);

  part = g_build_filename (fixture->folder, "curves.10-of-10.h5", NULL);
  g_assert_cmpint (integrate (fixture, path, "--rank 9 --ranks 10", NULL), ==, 0);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_cmpint (integrate (fixture, path, "--rank 2 --ranks 2", &errors), ==, 2);
}

/* Variances that are four times as large have twice the errors. */
static void
test_variance (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u16", ""), *errors = NULL;
  g_autofree char *ones = make_image (fixture, "ones.fits", WIDTH, 0, 0, 1);
  g_autofree char *fours = make_image (fixture, "fours.fits", WIDTH, 0, 0, 4);
  g_autofree char *one = g_strdup_printf ("-q --variance %s", ones);
  g_autofree char *four = g_strdup_printf ("-q --errors variance --variance %s", fours);
  g_autofree char *wrong = g_strdup_printf ("--errors none --variance %s", ones);
  g_autofree double *poisson = NULL, *expected = NULL, *values = NULL;

  g_assert_cmpint (integrate (fixture, path, "--errors variance", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "requires --variance=FILE"));
  g_assert_cmpint (integrate (fixture, path, wrong, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "--errors=none"));
  if (!capra_fits_is_supported ())
    {
      g_test_skip ("built without CFITSIO");
      return;
    }
  g_assert_cmpint (integrate (fixture, path, "-q", NULL), ==, 0);
  poisson = read_curves (fixture->output);
  g_assert_cmpint (integrate (fixture, path, one, NULL), ==, 0);
  expected = read_curves (fixture->output);
  g_assert_cmpint (integrate (fixture, path, four, NULL), ==, 0);
  values = read_curves (fixture->output);
  for (gsize i = 0; i < FRAMES * BINS * 4; i++)
    {
      g_assert_cmpfloat_with_epsilon (values[i], expected[i] * (i % 4 > 1 ? 2 : 1), 1e-5 * fabs (values[i]) + 1e-12);
      if (i % 4 < 2)
        g_assert_cmpfloat_with_epsilon (values[i], poisson[i], 1e-5 * fabs (values[i]) + 1e-12);
    }
  g_assert_cmpfloat (expected[2], >, 0);
}

static void
test_arguments (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_frames (fixture, "u8", ""), *errors = NULL;

  g_assert_cmpint (run (NULL, "%s integrate %s", g_getenv ("CAPRA_PROGRAM"), path), ==, 2);
  g_assert_cmpint (integrate (fixture, path, "--unit=parsec", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "q_nm^-1"));
  g_assert_cmpint (integrate (fixture, path, "--first 9", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "has 9 frames"));
  g_assert_cmpint (integrate (fixture, path, "--dataset /nothing", &errors), ==, 1);
  g_assert_cmpint (integrate (fixture, fixture->poni, "", &errors), ==, 1);
  g_assert_cmpint (integrate (fixture, path, "-o /nowhere/curves.h5", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "cannot write /nowhere/curves.h5"));
  g_assert_cmpint (integrate (fixture, path, "--first 8 --count 1 -q", &errors), ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = { { "types", test_types },       { "damaged", test_damaged },    { "truncated", test_truncated },
                { "matrix", test_matrix },     { "images", test_images },      { "ranks", test_ranks },
                { "variance", test_variance }, { "arguments", test_arguments } };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *name = g_strdup_printf ("/integrate/%s", tests[i].name);

      g_test_add (name, Fixture, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}

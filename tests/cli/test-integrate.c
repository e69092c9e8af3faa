/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra integrate on synthetic frames: types, sizes of batches, images of the detector, processes, wrong arguments. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/cli/integrate.h"

/* The same counts in all types, sizes of blocks and batches have the same curves. */
static void
test_types (IntegrateFixture *fixture, gconstpointer data)
{
  static const char *const types[] = { "u16", "i32", "f32", "u64", "i64", "f64" };
  static const char *const options[] = { "--batch 2 --ring 1 --readers 1", "--batch 4 --ring 3 --readers 4",
                                         "--batch 20", "--batch 1 --ring 5" };
  g_autofree char *first = integrate_make_frames (fixture, "u32", "");
  g_autofree double *expected = NULL;

  g_assert_cmpint (integrate_frames (fixture, first, "-q", NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  g_assert_cmpfloat (expected[1], >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_assert_cmpint (integrate_frames (fixture, first, options[i], NULL), ==, 0);
      integrate_assert_curves (fixture->output, expected, -1, -1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = NULL;

      if (g_str_equal (types[i], "f64") && !support_has_doubles ())
        continue;
      path = integrate_make_frames (fixture, types[i], i % 2 ? "--block 136" : "");
      g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
      integrate_assert_curves (fixture->output, expected, -1, -1);
    }
}

/* Writes a FITS image that has the value @inside in its first @rows rows, and @outside in the others. */
static char *
make_image (IntegrateFixture *fixture, const char *name, guint width, guint rows, float inside, float outside)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *axis = g_strdup_printf ("NAXIS1  = %20u", width);
  g_autofree char *other = g_strdup_printf ("NAXIS2  = %20u", INTEGRATE_HEIGHT);
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
  for (guint i = 0; i < width * INTEGRATE_HEIGHT; i++)
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
  g_autofree double *values = integrate_read_curves (path);

  for (guint i = 1; i < INTEGRATE_FRAMES * INTEGRATE_BINS * 4; i += 4)
    g_assert_cmpfloat_with_epsilon (values[i], expected[i] * factor, 1e-6 * (1 + fabs (expected[i])));
}

/* The beam is at the first pixel: without the first rows, the curve begins at a larger angle. */
static void
test_images (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u32", ""), *errors = NULL;
  g_autofree char *zeros = make_image (fixture, "zeros.fits", INTEGRATE_WIDTH, 0, 0, 0);
  g_autofree char *halves = make_image (fixture, "halves.fits", INTEGRATE_WIDTH, 0, 0, 0.5f);
  g_autofree char *mask = make_image (fixture, "mask.fits", INTEGRATE_WIDTH, 20, 1, 0);
  g_autofree char *narrow = make_image (fixture, "narrow.fits", INTEGRATE_WIDTH - 1, 20, 1, 0);
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
  g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, path, images, NULL), ==, 0);
  assert_scaled (fixture->output, expected, 1);
  g_assert_cmpint (integrate_frames (fixture, path, flat, NULL), ==, 0);
  assert_scaled (fixture->output, expected, 2);
  g_assert_cmpint (integrate_frames (fixture, path, masked, NULL), ==, 0);
  values = integrate_read_curves (fixture->output);
  g_assert_cmpfloat (values[0], >, 3 * expected[0]);

  g_assert_cmpint (integrate_frames (fixture, path, wrong, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "narrow.fits: the image has 202 x 151 pixels, the frames 203 x 151"));
  g_assert_cmpint (integrate_frames (fixture, path, stack, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "9"));
  g_assert_cmpint (integrate_frames (fixture, path, "--flat /nowhere.fits", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "/nowhere.fits"));
}

/* The intensities of all frames in a NeXus file. */
static float *
read_intensities (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraHdf5Frames) curves = capra_hdf5_frames_open (path, "/entry/data/intensity", &error);
  float *values = g_new (float, INTEGRATE_FRAMES * INTEGRATE_BINS);

  g_assert_no_error (error);
  g_assert_cmpuint (capra_hdf5_frames_get_shape (curves)->width, ==, INTEGRATE_BINS);
  g_assert_cmpuint (capra_hdf5_frames_get_shape (curves)->height, ==, INTEGRATE_FRAMES);
  g_assert_true (capra_hdf5_frames_read (curves, 0, values, &error));
  return values;
}

/* Two processes share the frames; their joined files have the curves of one process. More processes than frames are no
 * error. */
static void
test_ranks (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u16", ""), *part = NULL, *errors = NULL;
  g_autofree float *expected = NULL, *values = NULL;

  g_free (fixture->output);
  fixture->output = g_build_filename (fixture->folder, "curves.h5", NULL);
  g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
  expected = read_intensities (fixture->output);
  g_unlink (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, path, "-q --rank 0 --ranks 2", NULL), ==, 0);
  g_assert_cmpint (integrate_frames (fixture, path, "-q --rank 1 --ranks 2", NULL), ==, 0);
  g_assert_false (g_file_test (fixture->output, G_FILE_TEST_EXISTS));
  g_assert_cmpint (integrate_run (NULL, "%s join %s %s/curves.2-of-2.h5 %s/curves.1-of-2.h5",
                                  g_getenv ("CAPRA_PROGRAM"), fixture->output, fixture->folder, fixture->folder),
                   ==, 0);
  values = read_intensities (fixture->output);
  g_assert_cmpmem (values, sizeof (float) * INTEGRATE_FRAMES * INTEGRATE_BINS, expected,
                   sizeof (float) * INTEGRATE_FRAMES * INTEGRATE_BINS);

  part = g_build_filename (fixture->folder, "curves.10-of-10.h5", NULL);
  g_assert_cmpint (integrate_frames (fixture, path, "--rank 9 --ranks 10", NULL), ==, 0);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
  g_assert_cmpint (integrate_frames (fixture, path, "--rank 2 --ranks 2", &errors), ==, 2);
}

/* Variances that are four times as large have twice the errors. */
static void
test_variance (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u16", ""), *errors = NULL;
  g_autofree char *ones = make_image (fixture, "ones.fits", INTEGRATE_WIDTH, 0, 0, 1);
  g_autofree char *fours = make_image (fixture, "fours.fits", INTEGRATE_WIDTH, 0, 0, 4);
  g_autofree char *one = g_strdup_printf ("-q --variance %s", ones);
  g_autofree char *four = g_strdup_printf ("-q --errors variance --variance %s", fours);
  g_autofree char *wrong = g_strdup_printf ("--errors none --variance %s", ones);
  g_autofree double *poisson = NULL, *expected = NULL, *values = NULL;

  g_assert_cmpint (integrate_frames (fixture, path, "--errors variance", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "requires --variance=FILE"));
  g_assert_cmpint (integrate_frames (fixture, path, wrong, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "--errors=none"));
  if (!capra_fits_is_supported ())
    {
      g_test_skip ("built without CFITSIO");
      return;
    }
  g_assert_cmpint (integrate_frames (fixture, path, "-q", NULL), ==, 0);
  poisson = integrate_read_curves (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, path, one, NULL), ==, 0);
  expected = integrate_read_curves (fixture->output);
  g_assert_cmpint (integrate_frames (fixture, path, four, NULL), ==, 0);
  values = integrate_read_curves (fixture->output);
  for (gsize i = 0; i < INTEGRATE_FRAMES * INTEGRATE_BINS * 4; i++)
    {
      g_assert_cmpfloat_with_epsilon (values[i], expected[i] * (i % 4 > 1 ? 2 : 1), 1e-5 * fabs (values[i]) + 1e-12);
      if (i % 4 < 2)
        g_assert_cmpfloat_with_epsilon (values[i], poisson[i], 1e-5 * fabs (values[i]) + 1e-12);
    }
  g_assert_cmpfloat (expected[2], >, 0);
}

static void
test_arguments (IntegrateFixture *fixture, gconstpointer data)
{
  g_autofree char *path = integrate_make_frames (fixture, "u8", ""), *errors = NULL;

  g_assert_cmpint (integrate_run (NULL, "%s integrate %s", g_getenv ("CAPRA_PROGRAM"), path), ==, 2);
  g_assert_cmpint (integrate_frames (fixture, path, "--unit=parsec", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "q_nm^-1"));
  g_assert_cmpint (integrate_frames (fixture, path, "--first 9", &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "has 9 frames"));
  g_assert_cmpint (integrate_frames (fixture, path, "--dataset /nothing", &errors), ==, 1);
  g_assert_cmpint (integrate_frames (fixture, fixture->poni, "", &errors), ==, 1);
  g_assert_cmpint (integrate_frames (fixture, path, "-o /nowhere/curves.h5", &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "cannot write /nowhere/curves.h5"));
  g_assert_cmpint (integrate_frames (fixture, path, "--first 8 --count 1 -q", &errors), ==, 0);
}

int
main (int argc, char **argv)
{
  static const IntegrateTest tests[] = { { "types", test_types },
                                         { "images", test_images },
                                         { "ranks", test_ranks },
                                         { "variance", test_variance },
                                         { "arguments", test_arguments } };

  return integrate_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the azimuthal integration: PONI files of all versions, saved matrices, and numbers that pyFAI computed. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-file.h"
#include "tests/support/support.h"

static void
parse (const char *text, CapraPoni *poni)
{
  g_autoptr (GError) error = NULL;

  capra_poni_parse (text, strlen (text), poni, &error);
  g_assert_no_error (error);
}

static void
test_versions (void)
{
  CapraPoni poni;

  parse ("# A comment\nPixelSize1: 1e-4\nPixelSize2: 0.0002\nDistance: 0.1\nPoni1: 1\nPoni1: 0.01\nPoni2: 0.02\n"
         "Rot1: 0.1\nRot2: 0.2\nRot3: 0.3\nSplineFile: None\nWavelength: 1e-10\n",
         &poni);
  g_assert_cmpfloat (poni.pixel1, ==, 1e-4);
  g_assert_cmpfloat (poni.pixel2, ==, 2e-4);
  g_assert_cmpfloat (poni.poni1, ==, 0.01);
  g_assert_cmpfloat (poni.rot3, ==, 0.3);
  g_assert_cmpuint (poni.orientation, ==, 3);

  parse ("poni_version: 2\r\nDetector: Eiger 4M\r\nDetector_config: {}\r\nDistance: 1\r\nPoni1: 0\r\nPoni2: 0\r\n"
         "Wavelength: None\r\n",
         &poni);
  g_assert_cmpfloat (poni.pixel1, ==, 75e-6);
  g_assert_cmpuint (poni.width, ==, 2070);
  g_assert_cmpuint (poni.height, ==, 2167);
  g_assert_cmpfloat (poni.wavelength, ==, 0);

  parse ("poni_version: 2.1\nDetector: Detector\nDetector_config: {\"pixel1\": 0.0001, \"pixel2\": 0.0001, "
         "\"max_shape\": [7, 5], \"orientation\": 2, \"sensor\": {\"material\": \"Si\"}}\nDistance: 1.0\nPoni1: 0.0\n"
         "Poni2: 0.0\nRot1: 0.0\nRot2: 0.0\nRot3: 0.0\nWavelength: 1e-10",
         &poni);
  g_assert_cmpuint (poni.orientation, ==, 2);
  g_assert_cmpuint (poni.width, ==, 5);
  g_assert_cmpuint (poni.height, ==, 7);
}

/* Each line of @text is left out or changed in one case. */
static void
test_errors (void)
{
#define REST "Poni1: 0\nPoni2: 0\nWavelength: 1e-10\n"
#define PIXELS "PixelSize1: 1e-4\nPixelSize2: 1e-4\n"
  static const char *const texts[] = {
    "",
    PIXELS REST,
    PIXELS "Distance: 1\nPoni2: 0\n",
    "Distance: 1\n" REST,
    "Detector: Unknown\nDistance: 1\n" REST,
    PIXELS "Distance: 0\n" REST,
    PIXELS "Distance: nan\n" REST,
    PIXELS "Distance: 1 m\n" REST,
    PIXELS "Distance: 1e300\n" REST,
    PIXELS "Distance: 1\n" REST "Wavelength: 0\n",
    PIXELS "Distance: 1\n" REST "Wavelength: -1e-10\n",
    PIXELS "Distance: 1\n" REST "SplineFile: frelon.spline\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\n",
    PIXELS "Distance: 1\n" REST "poni_version: 4\nDetector_config: {}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2.1\nDetector_config: {\"orientation\": 7}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2.1\nDetector_config: {\"orientation\": \n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\nDetector_config: [1]\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\nDetector_config: {\"pixel1\": \"x\"}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\nDetector_config: {\"pixel1\": -1}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\nDetector_config: {\"max_shape\": [1]}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 2\nDetector_config: {\"max_shape\": [0, 1e9]}\n",
    PIXELS "Distance: 1\n" REST "poni_version: 3\nDetector_config: {}\nParallax: True\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      CapraPoni poni;

      g_test_message ("%s", texts[i]);
      g_assert_false (capra_poni_parse (texts[i], strlen (texts[i]), &poni, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

static CapraAzimuthalSettings
make_settings (void)
{
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  s.poni = (CapraPoni){ .pixel1 = 1e-4, .pixel2 = 1e-4, .orientation = 3, .distance = 0.1, .wavelength = 1e-10 };
  s.width = 13;
  s.height = 9;
  s.bins = 10;
  return s;
}

static float *
integrate (const CapraAzimuthalSettings *s)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new (support_device (0), s, &error);
  g_autofree float *noise = support_noise ((gsize) s->width * s->height, 0, 10, 1);
  g_autoptr (CapraArray) frame = NULL, results = NULL;

  g_assert_no_error (error);
  frame = support_array (support_device (0), s->width, s->height, 1, 1, noise);
  results = capra_azimuthal_new_results (azimuthal, 1, &error);
  g_assert_no_error (error);
  g_assert_true (capra_azimuthal_integrate (azimuthal, frame, 1, NULL, results, &error));
  return support_download (results);
}

/* With a file that does not exist, that matches, that is damaged anywhere, and that belongs to another geometry. */
static void
test_saved (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "matrix", NULL), *data = NULL;
  CapraAzimuthalSettings s = make_settings ();
  g_autofree float *expected = integrate (&s);
  gsize length = 0, bytes = s.bins * CAPRA_AZIMUTHAL_N_PLANES * sizeof (float);

  s.matrix_path = path;
  for (guint i = 0; i < 2; i++)
    {
      g_autofree float *got = integrate (&s);

      g_assert_cmpmem (got, bytes, expected, bytes);
    }
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  for (gsize k = 0; k < length; k += 37)
    {
      g_autofree char *damaged = g_memdup2 (data, length);
      g_autofree float *got = NULL;

      damaged[k] ^= 0x40;
      g_assert_true (g_file_set_contents (path, damaged, (gssize) (k % 2 ? length : k), NULL));
      got = integrate (&s);
      g_assert_cmpmem (got, bytes, expected, bytes);
    }
  s.poni.distance = 0.2;
  g_free (integrate (&s));
  s.poni.distance = 0.1;
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  s.poni.rot1 = 0.1;
  g_clear_pointer (&expected, g_free);
  expected = integrate (&s);
  s.matrix_path = NULL;
  {
    g_autofree float *got = integrate (&s);

    g_assert_cmpmem (got, bytes, expected, bytes);
  }
  g_remove (path);
  g_rmdir (folder);
}

/* The frame of the reference: as azimuthal_peer.py makes it. */
static void
fill_frame (guint32 *frame, guint width, guint height)
{
  for (guint i = 0; i < height; i++)
    for (guint j = 0; j < width; j++)
      frame[i * width + j] = (i * 31 + j * 17) % 101;
}

/* Lines of azimuthal-pyfai.txt: "case splitting unit orientation rot1 rot2 rot3 polarization", then one for each bin.
 */
static void
test_reference (void)
{
  enum { WIDTH = 47, HEIGHT = 61, BINS = 20 };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "algorithms", "azimuthal-pyfai.txt", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  guint32 frame[WIDTH * HEIGHT];
  guint n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  fill_frame (frame, WIDTH, HEIGHT);
  for (guint line = 0; lines[line]; line++)
    {
      CapraAzimuthalSettings s = make_settings ();
      int splitting = 0, unit = 0;
      g_autoptr (CapraAzimuthal) azimuthal = NULL;
      g_autoptr (CapraArray) array = NULL, results = NULL;
      g_autofree float *got = NULL;

      if (sscanf (lines[line], "case %d %d %u %lf %lf %lf %lf", &splitting, &unit, &s.poni.orientation, &s.poni.rot1,
                  &s.poni.rot2, &s.poni.rot3, &s.polarization)
          != 7)
        continue;
      s.poni.pixel2 = 1.1e-4;
      s.poni.distance = 0.05;
      s.poni.poni1 = 0.0021;
      s.poni.poni2 = 0.0027;
      s.width = WIDTH;
      s.height = HEIGHT;
      s.bins = BINS;
      s.splitting = (CapraAzimuthalSplitting) splitting;
      s.unit = (CapraAzimuthalUnit) unit;
      s.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
      azimuthal = capra_azimuthal_new (support_device (n % 2), &s, &error);
      g_assert_no_error (error);
      array = capra_array_new_from_data (support_device (n % 2), &CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_U32), frame,
                                         &error);
      results = capra_azimuthal_new_results (azimuthal, 1, &error);
      g_assert_true (capra_azimuthal_integrate (azimuthal, array, 1, NULL, results, &error));
      got = support_download (results);
      for (guint b = 0; b < BINS; b++)
        {
          double r[5];

          g_assert_cmpint (sscanf (lines[line + 1 + b], "%lf %lf %lf %lf %lf", &r[0], &r[1], &r[2], &r[3], &r[4]), ==,
                           5);
          g_assert_cmpfloat_with_epsilon (capra_azimuthal_get_radial (azimuthal)[b], r[0], 1e-12 * r[0]);
          for (guint k = 0; k < 4; k++)
            g_assert_cmpfloat_with_epsilon (got[k * BINS + b], r[k + 1], 1e-6 * fabs (r[k + 1]));
        }
      n++;
    }
  g_assert_cmpuint (n, ==, 12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/azimuthal-file/versions", test_versions);
  g_test_add_func ("/azimuthal-file/errors", test_errors);
  g_test_add_func ("/azimuthal-file/saved", test_saved);
  g_test_add_func ("/azimuthal-file/reference", test_reference);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra:azimuthal-integrate in graphs: its rows, its mask, its files, its table, its errors. */
#include <gegl-plugin.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "formats/hdf5/hdf5-frames.h"
#include "tests/support/graph.h"
#include "ui/cli/check/reference-azimuthal.h"

#define WIDTH 43
#define HEIGHT 37
#define COUNT (WIDTH * HEIGHT)
#define BINS 19

static const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };

static const char geometry[] = "poni_version: 2\nDetector: Detector\n"
                               "Detector_config: {\"pixel1\": 1e-4, \"pixel2\": 1e-4, \"max_shape\": [37, 43]}\n"
                               "Distance: 0.05\nPoni1: -0.002\nPoni2: -0.001\nRot1: 0.1\nRot2: -0.05\nRot3: 0.2\n"
                               "Wavelength: 1e-10\n";

static char *
write_geometry (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (g_get_tmp_dir (), "capra-test-XXXXXX.poni", NULL);
  int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static CapraAzimuthalSettings
make_settings (void)
{
  g_autoptr (GError) error = NULL;
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  capra_poni_parse (geometry, strlen (geometry), &s.poni, &error);
  g_assert_no_error (error);
  s.width = WIDTH;
  s.height = HEIGHT;
  s.bins = BINS;
  s.splitting = CAPRA_AZIMUTHAL_SPLIT_BBOX;
  s.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
  return s;
}

static void
assert_curve (GeglNode *node, const CapraAzimuthalSettings *s, const double *frame)
{
  g_autofree double *expected = reference_azimuthal (s, frame, NULL);
  GeglRectangle extent = gegl_node_get_bounding_box (node);
  g_autofree float *got = NULL;

  g_assert_cmpint (extent.width, ==, BINS);
  g_assert_cmpint (extent.height, ==, CAPRA_AZIMUTHAL_N_PLANES);
  got = graph_render (node, NULL, "Y float");
  for (guint k = 0; k < BINS * CAPRA_AZIMUTHAL_N_PLANES; k++)
    g_assert_cmpfloat_with_epsilon (got[k], expected[k], 1e-5 * (fabs (expected[k]) + 1e-3));
}

/* Rendered again with a mask, with counts of 16 bits, and after a change of the geometry. */
static void
test_curve (void)
{
  CapraAzimuthalSettings s = make_settings ();
  g_autofree char *path = write_geometry (geometry);
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *mask = g_new0 (float, COUNT);
  g_autofree double *frame = g_new (double, COUNT), *counts = g_new (double, COUNT);
  g_autofree guint16 *integers = g_new (guint16, COUNT);
  g_autofree guint8 *masked = g_new0 (guint8, COUNT);
  g_autoptr (GeglBuffer) image = NULL, gray = NULL, aux = NULL;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = NULL, *second = NULL;

  for (guint k = 0; k < COUNT; k++)
    {
      frame[k] = noise[k];
      counts[k] = integers[k] = (guint16) noise[k];
      masked[k] = mask[k] = k % 5 == 2;
    }
  image = graph_buffer ("Y float", &rect, noise);
  gray = graph_buffer ("Y' u16", &rect, integers);
  aux = graph_buffer ("Y float", &rect, mask);
  node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins", BINS,
                     "splitting", s.splitting, "error-model", s.error, NULL);
  assert_curve (node, &s, frame);
  second = graph_node (graph, graph_source (graph, gray), "capra:azimuthal-integrate", "poni", path, "bins", BINS,
                       "splitting", s.splitting, "error-model", s.error, NULL);
  assert_curve (second, &s, counts);
  gegl_node_connect (graph_source (graph, aux), "output", node, "aux");
  s.mask = masked;
  assert_curve (node, &s, frame);
  g_remove (path);
}

static void
test_cake (void)
{
  g_autofree char *path = write_geometry (geometry);
  g_autofree float *ones = g_new (float, COUNT), *got = NULL;
  g_autoptr (GeglBuffer) image = NULL;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = NULL;
  GeglRectangle extent;

  for (guint k = 0; k < COUNT; k++)
    ones[k] = 7;
  image = graph_buffer ("Y float", &rect, ones);
  node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins", BINS,
                     "azimuthal-bins", 8, "solid-angle", FALSE, "empty", -1.0, NULL);
  extent = gegl_node_get_bounding_box (node);
  g_assert_cmpint (extent.width, ==, BINS);
  g_assert_cmpint (extent.height, ==, 8);
  got = graph_render (node, NULL, "Y float");
  for (guint k = 0; k < BINS * 8; k++)
    if (got[k] != -1)
      g_assert_cmpfloat_with_epsilon (got[k], 7, 1e-4);
  g_remove (path);
}

/* A row for each bin in the file that CAPRA_TABLES names. */
static void
test_table (void)
{
  g_autofree char *path = write_geometry (geometry), *table = write_geometry (""), *text = NULL, *name = NULL;
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *got = NULL;
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_auto (GStrv) lines = NULL;
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins",
                               BINS, NULL);

  g_object_set_data_full (G_OBJECT (graph), "capra:table-path", g_strdup (table), g_free);
  got = graph_render (node, NULL, "Y float");
  g_file_get_contents (table, &text, NULL, NULL);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpstr (g_strchomp (lines[0]), ==, "radial,intensity,std,sem,count");
  g_assert_cmpuint (g_strv_length (lines), ==, BINS + 2);
  g_remove (path);
  g_remove (table);
}

/* Renders with the result file @name; returns the file's path. */
static char *
write_result (const char *name, const char *poni, int azimuths)
{
  g_autofree char *path = g_strdup_printf ("%s%s", poni, name);
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *got = NULL;
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", poni, "bins",
                               BINS, "azimuthal-bins", azimuths, "error-model", CAPRA_AZIMUTHAL_ERROR_POISSON, NULL);

  g_object_set_data_full (G_OBJECT (graph), "capra:table-path", g_strdup (path), g_free);
  got = graph_render (node, NULL, "Y float");
  g_assert_cmpfloat (got[BINS / 2], >, 0);
  return g_steal_pointer (&path);
}

/* Text files have the geometry, and a block of values for each azimuth. */
static void
assert_text (const char *poni, int azimuths)
{
  g_autofree char *path = write_result (".dat", poni, azimuths), *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint values = 0, blocks = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "#     \"dist\": 0.05"));
  g_assert_nonnull (strstr (text, "# Flat field applied: False\n# Polarization factor: None\n"));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      blocks += g_str_has_prefix (lines[i], azimuths > 1 ? "# azimuth " : "# frame ");
      values += *lines[i] && *lines[i] != '#';
    }
  g_assert_cmpuint (blocks, ==, azimuths);
  g_assert_cmpuint (values, ==, (guint) azimuths * BINS);
  g_remove (path);
}

/* The file of the result is text with a header, or NeXus, which starts with the signature of HDF5. */
static void
test_files (void)
{
  static const char signature[] = "\211HDF\r\n\032\n";
  g_autofree char *poni = write_geometry (geometry);

  assert_text (poni, 1);
  assert_text (poni, 4);
  for (int azimuths = 1; azimuths <= 4 && capra_hdf5_is_supported (); azimuths += 3)
    {
      g_autofree char *path = write_result (".h5", poni, azimuths), *contents = NULL;
      gsize n = 0;

      g_assert_true (g_file_get_contents (path, &contents, &n, NULL));
      g_assert_cmpuint (n, >, azimuths * BINS * 3 * sizeof (float));
      g_assert_cmpmem (contents, 8, signature, 8);
      g_remove (path);
    }
  g_remove (poni);
}

static char *
write_image (GeglBuffer *image)
{
  char *path = g_build_filename (g_get_tmp_dir (), "capra-test-XXXXXX.gegl", NULL);
  int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  gegl_buffer_save (image, path, NULL);
  return path;
}

/* Dark and flat images from files; a flat image that is written again counts, one of another size is an error. */
static void
test_images (void)
{
  const GeglRectangle small = { 0, 0, WIDTH - 1, HEIGHT };
  CapraAzimuthalSettings s = make_settings ();
  g_autofree char *path = write_geometry (geometry), *dark_path = NULL, *flat_path = NULL, *small_path = NULL;
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *dark = support_noise (COUNT, 0, 50, 4);
  g_autofree float *flat = support_noise (COUNT, 0.5, 1.5, 5), *got = NULL;
  g_autofree double *frame = g_new (double, COUNT);
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise), small_image = NULL;
  g_autoptr (GeglBuffer) dark_image = graph_buffer ("Y float", &rect, dark);
  g_autoptr (GeglBuffer) flat_image = graph_buffer ("Y float", &rect, flat);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = NULL;

  for (guint k = 0; k < COUNT; k++)
    frame[k] = noise[k];
  small_image = graph_buffer ("Y float", &small, noise);
  dark_path = write_image (dark_image);
  flat_path = write_image (flat_image);
  small_path = write_image (small_image);
  node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins", BINS,
                     "splitting", s.splitting, "error-model", s.error, "dark", dark_path, NULL);
  s.dark = dark;
  assert_curve (node, &s, frame);
  gegl_node_set (node, "flat", flat_path, NULL);
  s.flat = flat;
  assert_curve (node, &s, frame);
  gegl_node_set (node, "dark", "", NULL);
  s.dark = NULL;
  assert_curve (node, &s, frame);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*the image has 42 x 37 pixels, the frame 43 x 37*");
  gegl_node_set (node, "flat", small_path, NULL);
  got = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  g_assert_cmpfloat (got[BINS / 2], ==, 0);
  g_remove (path);
  g_remove (dark_path);
  g_remove (flat_path);
  g_remove (small_path);
}

/* Errors from an image of variances, which replaces the error model "none"; others take no image, and "variance"
 * requires one. */
static void
test_variance (void)
{
  CapraAzimuthalSettings s = make_settings ();
  g_autofree char *path = write_geometry (geometry), *variance_path = NULL;
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *variance = support_noise (COUNT, 1, 50, 4);
  g_autofree double *frame = g_new (double, COUNT), *variances = g_new (double, COUNT), *expected = NULL;
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglBuffer) variance_image = graph_buffer ("Y float", &rect, variance);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = NULL;

  for (guint k = 0; k < COUNT; k++)
    {
      frame[k] = noise[k];
      variances[k] = variance[k];
    }
  s.error = CAPRA_AZIMUTHAL_ERROR_VARIANCE;
  expected = reference_azimuthal (&s, frame, variances);
  variance_path = write_image (variance_image);
  node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins", BINS,
                     "splitting", s.splitting, "variance", variance_path, NULL);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_autofree float *got = graph_render (node, NULL, "Y float");

      for (guint k = 0; k < BINS * CAPRA_AZIMUTHAL_N_PLANES; k++)
        g_assert_cmpfloat_with_epsilon (got[k], expected[k], 1e-5 * (fabs (expected[k]) + 1e-3));
      gegl_node_set (node, "error-model", s.error, NULL);
    }
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*takes no image of variances*");
  gegl_node_set (node, "error-model", CAPRA_AZIMUTHAL_ERROR_POISSON, NULL);
  g_free (graph_render (node, NULL, "Y float"));
  g_test_assert_expected_messages ();
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*requires an image of variances*");
  gegl_node_set (node, "error-model", s.error, "variance", "", NULL);
  g_free (graph_render (node, NULL, "Y float"));
  g_test_assert_expected_messages ();
  g_remove (path);
  g_remove (variance_path);
}

/* The matrix is saved, and built again if the file is damaged, here after its first bytes, or the number of bins
 * differs. */
static void
test_matrix (void)
{
  CapraAzimuthalSettings s = make_settings ();
  g_autofree char *path = write_geometry (geometry), *matrix = write_geometry ("CapraAz1 damaged");
  g_autofree char *saved = NULL, *again = NULL;
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *other = NULL;
  g_autofree double *frame = g_new (double, COUNT);
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins",
                               BINS, "splitting", s.splitting, "error-model", s.error, "matrix", matrix, NULL);
  gsize n = 0, n_again = 0;

  for (guint k = 0; k < COUNT; k++)
    frame[k] = noise[k];
  assert_curve (node, &s, frame);
  g_assert_true (g_file_get_contents (matrix, &saved, &n, NULL));
  g_assert_cmpuint (n, >, 1000);
  gegl_node_set (node, "bins", BINS + 1, NULL);
  other = graph_render (node, NULL, "Y float");
  g_assert_true (g_file_get_contents (matrix, &again, &n_again, NULL));
  g_assert_cmpuint (n_again, !=, n);
  gegl_node_set (node, "bins", BINS, NULL);
  assert_curve (node, &s, frame);
  g_remove (path);
  g_remove (matrix);
}

static void
assert_error (const char *text, const char *message)
{
  g_autofree char *path = text ? write_geometry (text) : g_strdup (""), *error = NULL;
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 3), *got = NULL;
  g_autoptr (GeglBuffer) image = graph_buffer ("Y float", &rect, noise);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, image), "capra:azimuthal-integrate", "poni", path, "bins",
                               BINS, NULL);

  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, message);
  got = graph_render (node, NULL, "Y float");
  g_test_assert_expected_messages ();
  for (guint k = 0; k < BINS * CAPRA_AZIMUTHAL_N_PLANES; k++)
    g_assert_cmpfloat (got[k], ==, 0);
  if (text)
    g_remove (path);
}

static void
test_errors (void)
{
  assert_error (NULL, "*no PONI file*");
  assert_error ("Distance: 1\n", "*no sizes of pixels*");
  assert_error ("PixelSize1: 1e-4\nPixelSize2: 1e-4\nDistance: 1\nPoni1: 0\nPoni2: 0\nWavelength: 0\n",
                "*wavelength is 0*");
  assert_error ("PixelSize1: 1e-4\nPixelSize2: 1e-4\nDistance: 1\nPoni1: 0\nPoni2: 0\n", "*no wavelength*");
  assert_error ("Detector: Eiger4M\nDistance: 1\nPoni1: 0\nPoni2: 0\nWavelength: 1e-10\n",
                "*43 by 37 pixels*2070 by 2167*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/azimuthal-graph/curve", test_curve);
  g_test_add_func ("/azimuthal-graph/cake", test_cake);
  g_test_add_func ("/azimuthal-graph/table", test_table);
  g_test_add_func ("/azimuthal-graph/files", test_files);
  g_test_add_func ("/azimuthal-graph/images", test_images);
  g_test_add_func ("/azimuthal-graph/variance", test_variance);
  g_test_add_func ("/azimuthal-graph/matrix", test_matrix);
  g_test_add_func ("/azimuthal-graph/errors", test_errors);
  return g_test_run ();
}

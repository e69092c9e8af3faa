/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of world coordinates: against WCSLIB if it is installed, positions that are known exactly, and back to pixels.
 */
#include <math.h>
#include <string.h>

#ifdef HAVE_WCSLIB
#include <wcs.h>
#include <wcshdr.h>
#endif

#include "tests/support/support.h"

#define HEIGHT 200

static char *
make_records (const char *const *cards)
{
  GString *records = g_string_new (NULL);

  for (; *cards; cards++)
    g_string_append_printf (records, "%-80s", *cards);
  g_string_append_printf (records, "%-80s", "END");
  return g_string_free (records, FALSE);
}

static CapraWorldCoordinates *
make (const char *const *cards, GError **error)
{
  g_autofree char *records = make_records (cards);
  g_autoptr (CapraFitsHeader) header = capra_fits_header_new (records, -1);

  return capra_world_coordinates_new (header, 1, 2, HEIGHT, error);
}

/* Headers of skies: each projection, rotated, slant, near a pole, with the axes exchanged. */
static const char *const skies[][14] = {
  { "NAXIS   = 2", "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 150.1", "CRVAL2  = 2.2",
    "CRPIX1  = 100.5", "CRPIX2  = 90.0", "CDELT1  = -0.01", "CDELT2  = 0.01", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---SIN'", "CTYPE2  = 'DEC--SIN'", "CRVAL1  = 0.1", "CRVAL2  = -72.0",
    "CRPIX1  = 100.5", "CRPIX2  = 90.0", "CDELT1  = -0.02", "CDELT2  = 0.02", "CROTA2  = 33.0", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---SIN'", "CTYPE2  = 'DEC--SIN'", "CRVAL1  = 10.0", "CRVAL2  = 60.0",
    "CRPIX1  = 100.5", "CRPIX2  = 90.0", "CDELT1  = -0.02", "CDELT2  = 0.02", "PV2_1   = 0.1", "PV2_2   = -0.2", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'GLAT-ARC'", "CTYPE2  = 'GLON-ARC'", "CRVAL1  = 20.0", "CRVAL2  = 300.0",
    "CRPIX1  = 50.0", "CRPIX2  = 60.0", "CD1_1   = 0.1", "CD1_2   = 0.02", "CD2_1   = 0.03", "CD2_2   = 0.11", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---STG'", "CTYPE2  = 'DEC--STG'", "CRVAL1  = 10.0", "CRVAL2  = 89.5",
    "CRPIX1  = 100.0", "CRPIX2  = 90.0", "CDELT1  = -0.1", "CDELT2  = 0.1", "PC1_2   = 0.2", "PC2_1   = -0.3", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---ZEA'", "CTYPE2  = 'DEC--ZEA'", "CRVAL1  = 10.0", "CRVAL2  = -90.0",
    "CRPIX1  = 100.0", "CRPIX2  = 90.0", "CDELT1  = -0.5", "CDELT2  = 0.5", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 10.0", "CRVAL2  = 45.0",
    "CRPIX1  = 100.0", "CRPIX2  = 90.0", "CDELT1  = -0.1", "CDELT2  = 0.1", "LONPOLE = 90.0", NULL },
  { "NAXIS   = 2", "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 10.0", "CRVAL2  = 45.0",
    "CRPIX1  = 100.0", "CRPIX2  = 90.0", "CDELT1  = -0.1", "CDELT2  = 0.1", "LONPOLE = 90.0", "PV1_3   = 30.0", NULL },
};

static const double pixels[][2] = { { 0, 0 }, { 99.5, 110 }, { 13.25, 180.75 }, { 199, 3 }, { 99, 110 } };

static void
test_back (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (skies); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraWorldCoordinates) coordinates = make (skies[i], &error);

      g_assert_no_error (error);
      g_assert_true (capra_world_coordinates_is_sky (coordinates));
      g_assert_cmpstr (capra_world_coordinates_get_unit (coordinates, 0), ==, "deg");
      g_assert_cmpstr (capra_world_coordinates_get_name (coordinates, 0), ==, i == 3 ? "GLON" : "RA");
      g_assert_cmpstr (capra_world_coordinates_get_name (coordinates, 1), ==, i == 3 ? "GLAT" : "DEC");
      for (guint k = 0; k < G_N_ELEMENTS (pixels); k++)
        {
          double world[2], back[2];

          g_assert_true (capra_world_coordinates_from_pixel (coordinates, pixels[k][0], pixels[k][1], world));
          g_assert_cmpfloat (world[0], >=, 0.0);
          g_assert_cmpfloat (world[0], <, 360.0);
          g_assert_true (capra_world_coordinates_to_pixel (coordinates, world, back));
          g_assert_cmpfloat_with_epsilon (back[0], pixels[k][0], 1e-8);
          g_assert_cmpfloat_with_epsilon (back[1], pixels[k][1], 1e-8);
        }
    }
}

/* Known exactly: the reference pixel, and the pole seen from a latitude of 45 degrees. */
static void
test_known (void)
{
  g_autoptr (CapraWorldCoordinates) coordinates = make (skies[0], NULL);
  static const char *const pole[] = { "CTYPE1  = 'RA---TAN'",
                                      "CTYPE2  = 'DEC--TAN'",
                                      "CRVAL1  = 30.0",
                                      "CRVAL2  = 45.0",
                                      "CRPIX1  = 1.0",
                                      "CRPIX2  = 1.0",
                                      NULL };
  g_autoptr (CapraWorldCoordinates) north = make (pole, NULL);
  double world[2], pixel[2];

  /* FITS pixel (100.5, 90) is column 99.5, and row 110 from the top of 200 rows. */
  g_assert_true (capra_world_coordinates_from_pixel (coordinates, 99.5, 110.0, world));
  g_assert_cmpfloat_with_epsilon (world[0], 150.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (world[1], 2.2, 1e-12);
  /* Up is north, and the right ascension grows to the left. */
  g_assert_true (capra_world_coordinates_from_pixel (coordinates, 98.5, 109.0, world));
  g_assert_cmpfloat (world[0], >, 150.1);
  g_assert_cmpfloat (world[1], >, 2.2);
  /* The tangent of 45 degrees is 1: a radian above the reference pixel. */
  g_assert_true (capra_world_coordinates_to_pixel (north, (double[]){ 123.0, 90.0 }, pixel));
  g_assert_cmpfloat_with_epsilon (pixel[0], 0.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (pixel[1], HEIGHT - 1 - 180.0 / G_PI, 1e-9);
  g_assert_false (capra_world_coordinates_to_pixel (north, (double[]){ 30.0, -60.0 }, pixel));
  g_assert_true (isnan (pixel[0]) && isnan (pixel[1]));
}

static void
test_linear (void)
{
  static const char *const cards[] = { "CTYPE1  = 'FREQ'", "CUNIT1  = 'Hz'", "CRVAL1  = 1.4E9", "CRPIX1  = 3",
                                       "CDELT1  = 1E6",    "CRVAL2  = -5.0", "CDELT2  = 0.5",   NULL };
  g_autoptr (CapraWorldCoordinates) coordinates = make (cards, NULL);
  double world[2], back[2];

  g_assert_false (capra_world_coordinates_is_sky (coordinates));
  g_assert_cmpstr (capra_world_coordinates_get_name (coordinates, 0), ==, "FREQ");
  g_assert_cmpstr (capra_world_coordinates_get_name (coordinates, 1), ==, "y");
  g_assert_cmpstr (capra_world_coordinates_get_unit (coordinates, 0), ==, "Hz");
  g_assert_cmpstr (capra_world_coordinates_get_unit (coordinates, 1), ==, "");
  g_assert_true (capra_world_coordinates_from_pixel (coordinates, 4.0, HEIGHT - 2.0, world));
  g_assert_cmpfloat_with_epsilon (world[0], 1.402e9, 1e-3);
  g_assert_cmpfloat_with_epsilon (world[1], -4.0, 1e-12);
  g_assert_true (capra_world_coordinates_to_pixel (coordinates, world, back));
  g_assert_cmpfloat_with_epsilon (back[0], 4.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (back[1], HEIGHT - 2.0, 1e-9);
}

static void
test_errors (void)
{
  static const struct {
    int code;
    const char *cards[6];
  } cases[] = {
    { CAPRA_FORMAT_ERROR_NOT_FOUND, { "NAXIS   = 2", "OBJECT  = 'none'", NULL } },
    { CAPRA_FORMAT_ERROR_UNSUPPORTED, { "CTYPE1  = 'RA---AIT'", "CTYPE2  = 'DEC--AIT'", NULL } },
    { CAPRA_FORMAT_ERROR_UNSUPPORTED, { "CTYPE1  = 'RA---TAN-SIP'", "CTYPE2  = 'DEC--TAN-SIP'", NULL } },
    { CAPRA_FORMAT_ERROR_UNSUPPORTED, { "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "PV2_1   = 0.1", NULL } },
    { CAPRA_FORMAT_ERROR_UNSUPPORTED, { "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "PV1_2   = 80.0", NULL } },
    { CAPRA_FORMAT_ERROR_UNSUPPORTED, { "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'FREQ'", NULL } },
    { CAPRA_FORMAT_ERROR_DAMAGED, { "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CDELT1  = 0.0", NULL } },
    { CAPRA_FORMAT_ERROR_DAMAGED,
      { "CD1_1   = 1.0", "CD1_2   = 2.0", "CD2_1   = 2.0", "CD2_2   = 4.0", "CRVAL1  = 1.0" } },
    { CAPRA_FORMAT_ERROR_DAMAGED,
      { "CD1_1   = 0.1", "CD1_2   = 0.3", "CD2_1   = 0.7", "CD2_2   = 2.1", "CRVAL1  = 1.0" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (make (cases[i].cards, &error));
      g_assert_error (error, CAPRA_FORMAT_ERROR, cases[i].code);
    }
}

#ifdef HAVE_WCSLIB
static void
test_wcslib (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (skies); i++)
    {
      g_autofree char *records = make_records (skies[i]);
      g_autoptr (CapraWorldCoordinates) coordinates = make (skies[i], NULL);
      struct wcsprm *wcs = NULL;
      int rejected = 0, n = 0;

      g_assert_cmpint (wcspih (records, (int) (strlen (records) / 80), WCSHDR_all, 0, &rejected, &n, &wcs), ==, 0);
      g_assert_cmpint (wcsset (wcs), ==, 0);
      for (guint k = 0; k < G_N_ELEMENTS (pixels); k++)
        {
          double pixel[2] = { pixels[k][0] + 1.0, HEIGHT - pixels[k][1] }, plane[2], phi, theta, world[2], found[2];
          int status = 0;

          g_assert_cmpint (wcsp2s (wcs, 1, 2, pixel, plane, &phi, &theta, world, &status), ==, 0);
          g_assert_true (capra_world_coordinates_from_pixel (coordinates, pixels[k][0], pixels[k][1], found));
          g_assert_cmpfloat_with_epsilon (remainder (found[0] - world[wcs->lng], 360.0) * cos (found[1] * G_PI / 180.0),
                                          0.0, 1e-10);
          g_assert_cmpfloat_with_epsilon (found[1], world[wcs->lat], 1e-10);
        }
      wcsvfree (&n, &wcs);
    }
}
#endif

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/world-coordinates/back", test_back);
  g_test_add_func ("/world-coordinates/known", test_known);
  g_test_add_func ("/world-coordinates/linear", test_linear);
  g_test_add_func ("/world-coordinates/errors", test_errors);
#ifdef HAVE_WCSLIB
  g_test_add_func ("/world-coordinates/wcslib", test_wcslib);
#endif
  return g_test_run ();
}

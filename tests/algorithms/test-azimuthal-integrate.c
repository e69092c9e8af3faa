/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Azimuthal integration against a scalar reference in double precision, and against numbers of pyFAI. */
#include <math.h>
#include <string.h>

#include "ui/cli/check/reference-azimuthal.h"
#include "tests/support/support.h"

#define PLANES CAPRA_AZIMUTHAL_N_PLANES

static CapraAzimuthalSettings
make_settings (guint width, guint height)
{
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  s.poni = (CapraPoni){ .pixel1 = 1e-4,
                        .pixel2 = 1.1e-4,
                        .orientation = 3,
                        .distance = 0.05,
                        .poni1 = 0.4 * height * 1e-4,
                        .poni2 = 0.3 * width * 1.1e-4,
                        .wavelength = 1e-10 };
  s.width = width;
  s.height = height;
  s.bins = 23;
  s.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
  return s;
}

/* Frames of small whole numbers in @type, and the same as doubles. */
static CapraArray *
make_frames (CapraDevice *device, const CapraAzimuthalSettings *s, guint n, CapraType type, double *values)
{
  gsize count = (gsize) s->width * s->height * n;
  g_autofree float *noise = support_noise (count, 0, 100, 11);
  g_autofree guint8 *data = g_malloc (count * 4);
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  for (gsize k = 0; k < count; k++)
    {
      values[k] = floor (noise[k]);
      switch (type)
        {
        case CAPRA_U8: data[k] = (guint8) values[k]; break;
        case CAPRA_U16: ((guint16 *) (gpointer) data)[k] = (guint16) values[k]; break;
        case CAPRA_U32:
          values[k] = k % 97 == 5 ? 4294967290.0 : values[k];
          ((guint32 *) (gpointer) data)[k] = (guint32) values[k];
          break;
        case CAPRA_I32:
          values[k] -= 50;
          ((gint32 *) (gpointer) data)[k] = (gint32) values[k];
          break;
        case CAPRA_F32:
        case CAPRA_I8:
        case CAPRA_I16:
        default: values[k] = k % 13 == 4 ? NAN : noise[k]; ((float *) (gpointer) data)[k] = (float) values[k];
        }
    }
  array = capra_array_new_from_data (device, &(CapraShape){ s->width, s->height, n, 1, type }, data, &error);
  g_assert_no_error (error);
  return array;
}

/* Within @tolerance of the reference, relative to the value or to its plane's largest. */
static void
compare (const CapraAzimuthalSettings *s, const float *got, const double *expected, double tolerance)
{
  for (guint plane = 0; plane < PLANES; plane++)
    {
      double largest = 0;

      for (guint b = 0; b < s->bins; b++)
        largest = MAX (largest, fabs (expected[plane * s->bins + b]));
      for (guint b = 0; b < s->bins; b++)
        {
          double value = got[plane * s->bins + b], right = expected[plane * s->bins + b];

          if (!(isnan (value) && isnan (right))
              && !(fabs (value - right) <= tolerance * MAX (fabs (right), 0.1 * largest)))
            {
              g_test_message ("plane %u, bin %u: %.9g, not %.9g", plane, b, value, right);
              g_test_fail ();
              return;
            }
        }
    }
}

static float *
integrate (CapraDevice *device, const CapraAzimuthalSettings *s, CapraArray *frames, guint n, CapraArray *variance)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new (device, s, &error);
  g_autoptr (CapraArray) results = NULL;

  g_assert_no_error (error);
  results = capra_azimuthal_new_results (azimuthal, n, &error);
  g_assert_no_error (error);
  capra_azimuthal_integrate (azimuthal, frames, n, variance, results, &error);
  g_assert_no_error (error);
  return support_download (results);
}

/* Integrates @n frames on a device and compares each with the reference. */
static void
check (guint device, const CapraAzimuthalSettings *s, guint n, CapraType type)
{
  gsize pixels = (gsize) s->width * s->height;
  g_autofree double *values = g_new (double, pixels * n);
  g_autoptr (CapraArray) frames = make_frames (support_device (device), s, n, type, values);
  g_autofree float *noise = support_noise (pixels, 1, 2, 3), *got = NULL;
  g_autofree double *variances = g_new (double, pixels);
  g_autoptr (CapraArray) variance = NULL;
  CapraAzimuthalSettings settings = *s;

  for (gsize k = 0; k < pixels; k++)
    variances[k] = noise[k];
  /* The image may belong to the settings, or be given with the frames. */
  if (s->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE && s->splitting == CAPRA_AZIMUTHAL_SPLIT_BBOX)
    settings.variance = noise;
  else if (s->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE)
    variance = support_array (support_device (device), s->width, s->height, 1, 1, noise);
  got = integrate (support_device (device), &settings, frames, n, variance);
  for (guint f = 0; f < n; f++)
    {
      g_autofree double *expected = reference_azimuthal (s, values + f * pixels, variances);

      /* Areas are sums of float32 in pyFAI. */
      compare (s, got + (gsize) f * PLANES * s->bins, expected,
               s->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL ? 3e-4 : 1e-6);
    }
}

static void
test_types (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_U32, CAPRA_I32, CAPRA_F32 };

  for (guint t = 0; t < G_N_ELEMENTS (types); t += support_step (2))
    for (int splitting = 0; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
      {
        CapraAzimuthalSettings s = make_settings (37, 29);

        s.splitting = (CapraAzimuthalSplitting) splitting;
        check (t % 2, &s, 1 + 3 * (guint) splitting, types[t]);
      }
}

static void
test_geometry (void)
{
  static const double rotations[][3] = { { 0, 0, 0 }, { 0.2, -0.3, 0.4 }, { G_PI / 2, 0.01, 0 }, { 0, G_PI / 2, 1 } };

  for (guint r = 0; r < G_N_ELEMENTS (rotations); r++)
    for (guint orientation = 1; orientation <= 4; orientation++)
      for (int splitting = 0; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
        {
          CapraAzimuthalSettings s = make_settings (31, 23);
          guint8 mask[31 * 23];

          s.poni.rot1 = rotations[r][0];
          s.poni.rot2 = rotations[r][1];
          s.poni.rot3 = rotations[r][2];
          s.poni.orientation = orientation;
          /* Beyond 90 degrees, radii in mm decrease and areas change their signs. */
          s.unit = (CapraAzimuthalUnit) (orientation % (r < 2 ? 3 : 2));
          s.splitting = (CapraAzimuthalSplitting) splitting;
          s.bins = 11;
          reference_azimuthal_mask_pole (&s, mask);
          s.mask = mask;
          check (orientation % 2, &s, 1, CAPRA_U16);
        }
}

static void
test_corrections (void)
{
  enum { SPLITTINGS = CAPRA_AZIMUTHAL_SPLIT_FULL + 1 };

  for (guint run = 0; run < 8 * SPLITTINGS; run += support_step (4))
    {
      guint which = run / SPLITTINGS;
      CapraAzimuthalSettings s = make_settings (33, 19);
      g_autofree float *dark = support_noise ((gsize) 33 * 19, 0, 5, 1), *flat = support_noise (33 * 19, 0.5, 2, 2);
      g_autofree guint8 *mask = g_malloc0 ((gsize) 33 * 19);

      for (guint k = 0; k < 33 * 19; k++)
        {
          mask[k] = k % 7 == 3;
          flat[k] = k % 11 == 2 ? 0 : flat[k];
        }
      s.poni.poni1 = -2e-3;
      s.splitting = (CapraAzimuthalSplitting) (run % SPLITTINGS);
      s.mask = which & 1 ? mask : NULL;
      s.dark = which & 2 ? dark : NULL;
      s.flat = which & 4 ? flat : NULL;
      s.solid_angle = which != 1;
      s.polarization = which > 3 ? 0.95 : NAN;
      s.polarization_offset = 0.3;
      s.normalization = 2.5;
      s.has_dummy = which == 3 || which == 6;
      s.dummy = 40;
      s.delta_dummy = which == 3 ? 0 : 5.5;
      s.empty = which == 5 ? NAN : -1;
      s.error = which == 2 ? CAPRA_AZIMUTHAL_ERROR_VARIANCE : CAPRA_AZIMUTHAL_ERROR_POISSON;
      check (which % 2, &s, 11, which == 7 ? CAPRA_F32 : CAPRA_U32);
    }
}

static void
test_sizes (void)
{
  for (guint k = 0; k < support_n_sizes; k++)
    for (int splitting = 0; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
      {
        CapraAzimuthalSettings s = make_settings ((guint) support_sizes[k].width, (guint) support_sizes[k].height);

        if ((gsize) s.width * s.height > 5000)
          continue;
        s.splitting = (CapraAzimuthalSplitting) splitting;
        s.bins = k % 3 == 0 ? 1 : k % 3 == 1 ? 7 : 230;
        s.poni.poni1 = -1e-3;
        check (k % 2, &s, 1, CAPRA_U8);
      }
}

/* All pixels masked: every bin is empty. */
static void
test_masked (void)
{
  CapraAzimuthalSettings s = make_settings (5, 4);
  guint8 mask[20];
  double values[20];
  g_autoptr (CapraArray) frames = make_frames (support_device (0), &s, 1, CAPRA_U8, values);
  g_autofree float *got = NULL;

  memset (mask, 1, sizeof mask);
  s.mask = mask;
  s.empty = -7;
  got = integrate (support_device (0), &s, frames, 1, NULL);
  for (guint b = 0; b < s.bins * PLANES; b++)
    g_assert_cmpfloat (got[b], ==, b < 3 * s.bins ? -7 : 0);
}

/* The pixels on the discontinuity of the azimuth count as much as others: they are not spread over all bins. */
static void
test_discontinuity (void)
{
  CapraAzimuthalSettings s = make_settings (20, 21);
  double values[420], sum = 0;
  g_autoptr (CapraArray) frames = make_frames (support_device (0), &s, 1, CAPRA_U8, values);
  g_autofree float *got = NULL;

  s.poni.poni1 = 10.5 * s.poni.pixel1;
  s.poni.poni2 = 15.5 * s.poni.pixel2;
  s.bins = 60;
  got = integrate (support_device (0), &s, frames, 1, NULL);
  for (guint b = 0; b < s.bins; b++)
    sum += got[3 * s.bins + b];
  g_assert_cmpfloat_with_epsilon (sum, 420, 1e-3);
  for (guint b = 2; b < s.bins; b++)
    g_assert_cmpfloat (got[3 * s.bins + b], >=, 0);
}

/* Two dimensions: the counts and the signal add up to those of the curve. */
static void
test_caked (void)
{
  for (int splitting = 0; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
    {
      CapraAzimuthalSettings s = make_settings (40, 30);
      g_autofree double *values = g_new (double, 1200);
      g_autoptr (CapraArray) frames = make_frames (support_device (1), &s, 1, CAPRA_U16, values);
      g_autofree float *curve = NULL, *cake = NULL;
      guint rows = 9;

      s.splitting = (CapraAzimuthalSplitting) splitting;
      s.solid_angle = FALSE;
      s.poni.poni1 = s.poni.poni2 = -1e-3;
      curve = integrate (support_device (1), &s, frames, 1, NULL);
      s.azimuthal_bins = rows;
      cake = integrate (support_device (1), &s, frames, 1, NULL);
      for (guint b = 0; b < s.bins; b++)
        {
          double count = 0, sum = 0;

          for (guint row = 0; row < rows; row++)
            {
              double here = cake[(3 * rows + row) * s.bins + b];

              count += here;
              sum += here * cake[row * s.bins + b];
            }
          g_assert_cmpfloat_with_epsilon (count, curve[3 * s.bins + b], 1e-2 * count + 1e-3);
          g_assert_cmpfloat_with_epsilon (sum / count, curve[b], 1e-2 * curve[b]);
        }
    }
}

/* Clipping leaves out the outliers of a bin, and nothing else. */
static void
test_clip (void)
{
  static const CapraAzimuthalError errors[] = { CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL,
                                                CAPRA_AZIMUTHAL_ERROR_HYBRID };

  for (guint e = 0; e < G_N_ELEMENTS (errors); e++)
    {
      CapraAzimuthalSettings s = make_settings (48, 40);
      gsize n = 48 * 40;
      g_autofree guint16 *frame = g_new (guint16, n);
      g_autofree float *noise = support_noise (n, 95, 105, 5), *got = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) frames = NULL;
      double outliers = 0;

      for (gsize k = 0; k < n; k++)
        {
          frame[k] = (guint16) noise[k];
          if (k % 50 == 7)
            {
              frame[k] = 200;
              outliers++;
            }
        }
      frames = capra_array_new_from_data (support_device (e % 2), &CAPRA_SHAPE_2D (48, 40, CAPRA_U16), frame, &error);
      g_assert_no_error (error);
      s.splitting = CAPRA_AZIMUTHAL_SPLIT_NONE;
      s.solid_angle = FALSE;
      s.error = errors[e];
      s.bins = 4;
      s.clip = TRUE;
      s.clip_iterations = 10;
      s.clip_threshold = 3;
      got = integrate (support_device (e % 2), &s, frames, 1, NULL);
      for (guint b = 0; b < s.bins; b++)
        {
          g_assert_cmpfloat (got[b], >, 95);
          g_assert_cmpfloat (got[b], <, 105);
          outliers += got[3 * s.bins + b];
        }
      g_assert_cmpfloat (outliers, ==, n);
    }
}

static void
test_arguments (void)
{
  CapraAzimuthalSettings s = make_settings (5, 4);
  double values[20];
  g_autoptr (CapraArray) frames = make_frames (support_device (0), &s, 1, CAPRA_U8, values), results = NULL;
  g_autoptr (CapraAzimuthal) azimuthal = NULL;
  g_autoptr (GError) error = NULL;

  s.poni.wavelength = 0;
  g_assert_null (capra_azimuthal_new (support_device (0), &s, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  s = make_settings (5, 4);
  s.poni.width = 6;
  s.poni.height = 4;
  g_assert_null (capra_azimuthal_new (support_device (0), &s, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  s = make_settings (5, 4);
  s.bins = 0;
  g_assert_null (capra_azimuthal_new (support_device (0), &s, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  s = make_settings (4, 5);
  azimuthal = capra_azimuthal_new (support_device (0), &s, &error);
  g_assert_no_error (error);
  results = capra_azimuthal_new_results (azimuthal, 1, &error);
  g_assert_no_error (error);
  g_assert_false (capra_azimuthal_integrate (azimuthal, frames, 1, NULL, results, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/azimuthal/types", test_types);
  g_test_add_func ("/azimuthal/geometry", test_geometry);
  g_test_add_func ("/azimuthal/corrections", test_corrections);
  g_test_add_func ("/azimuthal/sizes", test_sizes);
  g_test_add_func ("/azimuthal/masked", test_masked);
  g_test_add_func ("/azimuthal/discontinuity", test_discontinuity);
  g_test_add_func ("/azimuthal/caked", test_caked);
  g_test_add_func ("/azimuthal/clip", test_clip);
  g_test_add_func ("/azimuthal/arguments", test_arguments);
  return g_test_run ();
}

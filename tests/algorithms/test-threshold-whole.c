/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of automatic thresholds with a bin for each integer, against their definitions in double precision, and against
 * results of scikit-image 0.19.3 for arrays of integers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-threshold.h"

static const char *const methods[] = { "manual", "otsu", "mean", "triangle", "li", "yen", "isodata" };

static CapraArray *
new_array (CapraDevice *device, CapraType type, const double *values, gsize count)
{
  g_autofree guint8 *data = g_malloc (count * 4);
  g_autoptr (GError) error = NULL;
  CapraArray *array;

  for (gsize i = 0; i < count; i++)
    switch (type)
      {
      case CAPRA_U8: data[i] = (guint8) values[i]; break;
      case CAPRA_U16: ((guint16 *) data)[i] = (guint16) values[i]; break;
      case CAPRA_I16: ((gint16 *) data)[i] = (gint16) values[i]; break;
      case CAPRA_I32: ((gint32 *) data)[i] = (gint32) values[i]; break;
      default: ((float *) data)[i] = (float) values[i]; break;
      }
  array = capra_array_new_from_data (device, &CAPRA_SHAPE_2D (count, 1, type), data, &error);
  g_assert_no_error (error);
  return array;
}

static double
find_whole (CapraArray *array, CapraThresholdMethod method)
{
  g_autoptr (GError) error = NULL;
  double value = NAN;

  g_assert_true (capra_threshold_find_whole (array, method, &value, &error));
  g_assert_no_error (error);
  return value;
}

/* Noise on two levels, in arrays of odd sizes and of one or two values. */
static void
test_definitions (void)
{
  static const gsize counts[] = { 1, 2, 3, 17, 601 };
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_I16, CAPRA_I32, CAPRA_F32 };

  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      {
        gboolean sign = types[t] == CAPRA_I16 || types[t] == CAPRA_I32;
        g_autofree float *noise = support_noise (counts[c] + 1, 0, 1, c * 10 + t);
        g_autofree double *values = g_new (double, counts[c]);
        g_autoptr (CapraArray) array = NULL;

        for (gsize i = 0; i < counts[c]; i++)
          values[i] = floor (noise[i] * noise[i + 1] * 90 + (i % 7 < 3 ? 110 : 20)) - (sign ? 150 : 0);
        array = new_array (support_device (t % 2), types[t], values, counts[c]);
        for (int variant = 0; variant < 2; variant++)
          for (CapraThresholdMethod m = CAPRA_THRESHOLD_OTSU; m <= CAPRA_THRESHOLD_ISODATA; m++)
            {
              double expected = reference_threshold_whole (values, counts[c], m), value;

              support_force_tuning (variant ? "histogram.variant=group" : "histogram.variant=vector");
              value = find_whole (array, m);
              if (!(fabs (value - expected) <= 1e-9 * 256))
                g_error ("%zu values of %s, %s: %.12g, not %.12g", counts[c], capra_type_name (types[t]), methods[m],
                         value, expected);
            }
        g_unsetenv ("CAPRA_TUNING");
      }
}

/* The results of scikit-image 0.19.3 for the same arrays of integers:
 * for f in threshold_otsu, _mean, _triangle, _li, _yen, _isodata: f (image.astype (type)) */
static void
test_scikit_image (void)
{
  static const struct {
    guint32 seed;
    double scale, offset;
    CapraType type;
    double values[6];
  } cases[] = {
    { 1, 240, 0, CAPRA_U8, { 101, 66.4419327, 60, 70.9928746, 106, 100 } },
    { 2, 200, 17, CAPRA_U8, { 102, 72.6790461, 67, 76.4354526, 95, 101 } },
    { 1, 4095, 100, CAPRA_U16, { 1837, 1241.76227, 407, 1321.16102, 1411, 1836 } },
    { 2, 60000, 0, CAPRA_U16, { 25761, 16854.0701, 12334, 18164.1264, 12377, 25771 } },
    { 3, 20000, -9000, CAPRA_I16, { -498, -3414.2001, -7305, -3034.74907, -2993, -488 } },
  };
  enum { W = 97, H = 83 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (int real = 0; real < 2; real++) /* as integers, and as floats, which graphs use */
      {
        g_autofree double *image = g_new (double, W * H);
        g_autoptr (CapraArray) array = NULL;
        guint32 state = cases[c].seed;

        for (int i = 0; i < W * H; i++)
          {
            double u;

            state = state * 1664525u + 1013904223u;
            u = (state >> 8) / 16777216.0;
            image[i] = 0.25 * u + ((i % W / 8 + i / W / 8) % 3 == 0 ? 0.5 * u * u + 0.3 : 0);
            image[i] = floor (image[i] * cases[c].scale) + cases[c].offset;
          }
        array = new_array (support_device (0), real ? CAPRA_F32 : cases[c].type, image, W * H);
        for (int m = 0; m < 6; m++)
          {
            double value = find_whole (array, CAPRA_THRESHOLD_OTSU + m);

            if (!(fabs (value - cases[c].values[m]) <= 1e-8 * fabs (value)))
              g_error ("case %u, %s: %.9g, not %.9g", c, methods[m + 1], value, cases[c].values[m]);
          }
      }
}

/* Fractions, and integers whose range is too wide, are passed to capra_threshold_find(). NaN and infinity are
 * ignored. */
static void
test_others (void)
{
  static const double fractions[] = { 1, 2, 3.5, 9, 10, 11 }, wide[] = { 0, 1e6, 5e8, 3e9, 3.5e9, 4e9 };
  static const double holes[] = { 1, NAN, 2, INFINITY, 3, 9, -INFINITY, 10, 11 };
  static const double filled[] = { 1, 2, 3, 9, 10, 11 };
  static const double nothing[] = { NAN, INFINITY, -INFINITY };
  g_autoptr (CapraArray) empty = new_array (support_device (0), CAPRA_F32, nothing, 3);
  g_autoptr (GError) error = NULL;
  double value;

  for (CapraThresholdMethod m = CAPRA_THRESHOLD_OTSU; m <= CAPRA_THRESHOLD_ISODATA; m++)
    {
      for (int i = 0; i < 2; i++)
        {
          g_autoptr (CapraArray) array = new_array (support_device (0), CAPRA_F32, i ? wide : fractions, 6);
          double expected = NAN;

          g_assert_true (capra_threshold_find (array, m, &expected, NULL));
          g_assert_cmpfloat (find_whole (array, m), ==, expected);
        }
      {
        g_autoptr (CapraArray) with = new_array (support_device (0), CAPRA_F32, holes, 9);
        g_autoptr (CapraArray) without = new_array (support_device (0), CAPRA_F32, filled, 6);

        g_assert_cmpfloat (find_whole (with, m), ==, find_whole (without, m));
      }
    }
  g_assert_false (capra_threshold_find_whole (empty, CAPRA_THRESHOLD_OTSU, &value, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threshold-whole/definitions", test_definitions);
  g_test_add_func ("/threshold-whole/scikit-image", test_scikit_image);
  g_test_add_func ("/threshold-whole/others", test_others);
  return g_test_run ();
}

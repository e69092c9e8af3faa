/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How values become brightness: curves, and the limits between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/display/stretch-limits.h"

/* astropy.visualization's LogStretch and AsinhStretch at 0.25, with their default parameters. */
static void
test_stretch (void)
{
  static const double expected[] = { 0.25, 0.5, 0.7997788657, 0.5493061443 };

  for (guint c = 0; c < CAPRA_STRETCH_N_CURVES; c++)
    {
      CapraStretch stretch = { (CapraStretchCurve) c, -2.0, 6.0 };
      g_autofree CapraStretchTable *table = g_new (CapraStretchTable, 1);

      g_assert_cmpfloat (capra_stretch_apply (&stretch, -5.0), ==, 0.0);
      g_assert_cmpfloat (capra_stretch_apply (&stretch, 7.0), ==, 1.0);
      g_assert_true (isnan (capra_stretch_apply (&stretch, NAN)));
      g_assert_cmpfloat_with_epsilon (capra_stretch_apply (&stretch, 6.0), 1.0, 1e-12);
      if (c != CAPRA_STRETCH_ASINH)
        g_assert_cmpfloat_with_epsilon (capra_stretch_apply (&stretch, 0.0), expected[c], 1e-3);
      capra_stretch_table_init (table, &stretch);
      for (double value = -2.5; value < 6.5; value += 0.0117)
        {
          double share = capra_stretch_apply (&stretch, value);

          g_assert_cmpfloat_with_epsilon (capra_stretch_invert (&stretch, share), CLAMP (value, -2.0, 6.0), 1e-9);
          g_assert_cmpfloat_with_epsilon (capra_stretch_table_get (table, value), share * 255.0, 1.0);
        }
      g_assert_cmpuint (capra_stretch_table_get (table, NAN), ==, 0);
      g_assert_cmpuint (capra_stretch_table_get (table, INFINITY), ==, 255);
    }
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static void
test_limits (void)
{
  const double percentiles[2] = { 2.0, 98.5 };
  float values[1003], sorted[1000], same[5] = { 7, 7, NAN, 7, 7 }, mask[100] = { 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  double limits[2];

  for (guint i = 0; i < 1000; i++)
    values[i] = sorted[i] = (float) g_rand_double_range (random, -1e3, 1e3) * (i % 3 ? 1e-6f : 1.0f);
  values[1000] = NAN;
  values[1001] = INFINITY;
  values[1002] = -INFINITY;
  qsort (sorted, 1000, sizeof *sorted, compare_floats);
  capra_stretch_limits_find (values, G_N_ELEMENTS (values), percentiles, limits);
  g_assert_cmpfloat (limits[0], ==, (double) sorted[19]);
  g_assert_cmpfloat (limits[1], ==, (double) sorted[985]);
  capra_stretch_limits_find (same, G_N_ELEMENTS (same), percentiles, limits);
  g_assert_cmpfloat (limits[0], ==, 7.0);
  g_assert_cmpfloat (limits[1], ==, 8.0);
  mask[50] = 3.0f;
  capra_stretch_limits_find (mask, G_N_ELEMENTS (mask), (const double[]){ 2.0, 98.0 }, limits);
  g_assert_cmpfloat (limits[0], ==, 0.0);
  g_assert_cmpfloat (limits[1], ==, 3.0);
  capra_stretch_limits_find (&values[1000], 1, percentiles, limits);
  g_assert_cmpfloat (limits[0], ==, 0.0);
  g_assert_cmpfloat (limits[1], ==, 1.0);
}

/* By default, a logarithm begins above the noise of a background; images without one have percentiles. */
static void
test_default_limits (void)
{
  enum { COUNT = 20000, SOURCES = 40 };
  g_autofree float *values = g_new (float, COUNT), *sorted = g_new (float, COUNT);
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  double limits[2], sigma;

  for (guint i = 0; i < COUNT; i++)
    {
      values[i] = 10.0f;
      for (guint k = 0; k < 12; k++) /* a standard deviation of 1 */
        values[i] += (float) g_rand_double_range (random, -0.5, 0.5);
    }
  for (guint i = 0; i < SOURCES; i++)
    values[i] = 100.0f + (float) i;
  values[SOURCES] = NAN;
  memcpy (sorted, values, COUNT * sizeof *values);
  sorted[SOURCES] = 0.0f;
  qsort (sorted, COUNT, sizeof *sorted, compare_floats); /* the first one stands for NaN */
  sigma = (double) sorted[1 + (COUNT - 2) / 2] - (double) sorted[1 + (int) (0.15865525393145708 * (COUNT - 2))];
  g_assert_cmpfloat_with_epsilon (sigma, 1.0, 0.05);
  capra_stretch_limits_choose (values, COUNT, CAPRA_STRETCH_LOG, limits);
  g_assert_cmpfloat_with_epsilon (limits[0], (double) sorted[1 + (COUNT - 2) / 2] + 2 * sigma, 1e-9);
  g_assert_cmpfloat (limits[1], ==, (double) sorted[1 + (int) ceil (0.9999 * (COUNT - 2))]);
  capra_stretch_limits_choose (values, COUNT, CAPRA_STRETCH_ASINH, limits);
  g_assert_cmpfloat (limits[0], ==, (double) sorted[1 + (int) floor (0.002 * (COUNT - 2))]);
  g_assert_cmpfloat (limits[1], ==, (double) sorted[1 + (int) ceil (0.998 * (COUNT - 2))]);
  for (guint i = 0; i < COUNT; i++)
    values[i] = (float) i;
  capra_stretch_limits_choose (values, COUNT, CAPRA_STRETCH_LOG, limits);
  g_assert_cmpfloat (limits[0], ==, floor (0.002 * (COUNT - 1)));
  g_assert_cmpfloat (limits[1], ==, ceil (0.998 * (COUNT - 1)));
  values[0] = NAN;
  capra_stretch_limits_choose (values, 1, CAPRA_STRETCH_LOG, limits);
  g_assert_cmpfloat (limits[0], ==, 0.0);
  g_assert_cmpfloat (limits[1], ==, 1.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display/stretch", test_stretch);
  g_test_add_func ("/display/limits", test_limits);
  g_test_add_func ("/display/default-limits", test_default_limits);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of automatic thresholds, against searches in double precision and results of scikit-image 0.19.3. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-threshold.h"

static CapraArray *
new_array (CapraDevice *device, CapraType type, gsize count, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CapraArray *array = capra_array_new_from_data (device, &CAPRA_SHAPE_2D (count, 1, type), data, &error);

  g_assert_no_error (error);
  return array;
}

/* Otsu's threshold must be the same, bit by bit, whether the host or the device searches for it. The mask must equal
 * the one with that threshold. */
static void
check_otsu_on_device (CapraArray *array, const char *variant, const char *what)
{
  gsize bytes = capra_shape_count (capra_array_get_shape (array)) * sizeof (float);
  g_autofree float *first = g_malloc (bytes), *second = g_malloc (bytes);
  float *masks[2] = { first, second };
  double values[3] = { NAN, NAN, NAN };

  for (guint device = 0; device < 2; device++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) mask = NULL;
      g_autofree char *tuning = g_strdup_printf ("extremes.variant=%s,histogram.variant=%s,threshold.search=%s",
                                                 variant, variant, device ? "device" : "host");

      support_force_tuning (tuning);
      g_assert_true (capra_threshold_find (array, CAPRA_THRESHOLD_OTSU, &values[device], &error));
      mask = capra_threshold_auto (array, CAPRA_THRESHOLD_OTSU, &values[2], &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (values[2], ==, values[device]);
      g_assert_true (capra_array_download (mask, masks[device], &error));
    }
  if (values[0] != values[1])
    g_error ("%s, %s: the host finds %.9g, the device %.9g", what, variant, values[0], values[1]);
  g_assert_cmpmem (masks[0], bytes, masks[1], bytes);
}

static const char *const methods[] = { "manual", "otsu", "mean", "triangle", "li", "yen", "isodata" };

static void
check_found (CapraDevice *device, CapraType type, gconstpointer data, gsize count, const char *what)
{
  g_autoptr (CapraArray) array = new_array (device, type, count, data);
  ReferenceThreshold r = reference_threshold_new (type, data, count);
  static const char *const variants[] = { "vector", "group", "vector,reduction.vector=4", "vector,reduction.vector=8" };

  for (guint v = 0; v < (type == CAPRA_F32 && g_test_slow () ? G_N_ELEMENTS (variants) : 2); v++)
    {
      g_autofree char *tuning = g_strdup_printf ("extremes.variant=%s,statistics.variant=%s,histogram.variant=%s",
                                                 variants[v], variants[v], variants[v]);

      support_force_tuning (tuning);
      for (CapraThresholdMethod m = CAPRA_THRESHOLD_OTSU; m <= CAPRA_THRESHOLD_ISODATA; m++)
        {
          g_autoptr (GError) error = NULL;
          double wanted = reference_threshold_find (&r, m), value = NAN;

          g_assert_true (capra_threshold_find (array, m, &value, &error));
          g_assert_no_error (error);
          if (!reference_threshold_accepts (&r, m, wanted, value))
            g_error ("%s, %s, %s: %.9g, not %.9g", what, methods[m], variants[v], value, wanted);
        }
      check_otsu_on_device (array, variants[v], what);
    }
  g_unsetenv ("CAPRA_TUNING");
  g_free (r.values);
}

/* Two kinds of pixels with noise. */
static float *
mixture (gsize count, double share, double low, double high, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    {
      double u = g_rand_double (random) + g_rand_double (random) + g_rand_double (random);

      values[i] = (float) (g_rand_double (random) < share ? low + u : high + 2 * u);
    }
  return values;
}

static void
test_mixtures (void)
{
  static const gsize counts[] = { 2, 3, 17, 1000, 20011, 300007 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint j = 0; j < 3; j++)
      {
        g_autofree float *values = mixture (counts[i], 0.2 + 0.3 * j, -2, 0.8 + j, 10 * i + j);
        g_autofree char *what = g_strdup_printf ("%zu values, mixture %u", counts[i], j);

        check_found (support_device (j % 2), CAPRA_F32, values, counts[i], what);
        for (gsize k = 0; k < counts[i]; k++)
          values[k] = floorf (values[k] * 40);
        check_found (support_device (j % 2), CAPRA_F32, values, counts[i], "whole numbers");
      }
}

static void
test_types (void)
{
  enum { N = 30011 };
  g_autofree float *values = mixture (N, 0.6, 0, 2, 5);
  g_autofree guint32 *data = g_new0 (guint32, N);

  for (CapraType type = CAPRA_U8; type <= CAPRA_I32; type += type == CAPRA_I16 ? 1 : 3)
    {
      double scale[] = { 30, 14, 7e3, 4e3, 5e8, 2.4e8 }, offset[] = { 0, -80, 0, -2e4, 0, -1.5e9 };

      for (gsize i = 0; i < N; i++)
        {
          gint64 v = (gint64) (values[i] * scale[type] + offset[type]);

          switch (capra_type_size (type))
            {
            case 1: ((guint8 *) data)[i] = (guint8) v; break;
            case 2: ((guint16 *) data)[i] = (guint16) v; break;
            default: data[i] = (guint32) v; break;
            }
        }
      check_found (support_device (0), type, data, N, capra_type_name (type));
    }
}

static void
test_extreme_values (void)
{
  enum { N = 5003 };
  static const struct {
    double scale, offset;
  } cases[] = { { 1e37, 0 }, { 6e37, -2e38 }, { 1e-30, 0 }, { 1e-41, 0 }, { 100, 20000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree float *values = mixture (N, 0.6, 0, 2, i);
      g_autofree char *what = g_strdup_printf ("scale %g", cases[i].scale);

      for (gsize j = 0; j < N; j++)
        values[j] = (float) (values[j] * cases[i].scale + cases[i].offset);
      check_found (support_device (0), CAPRA_F32, values, N, what);
    }
}

static void
test_not_finite (void)
{
  enum { N = 5003 };
  static const float specials[] = { NAN, INFINITY, -INFINITY };
  g_autofree float *values = mixture (N, 0.6, 0, 2, 3);

  for (gsize i = 0; i < N; i += 7)
    values[i] = specials[i % 3];
  check_found (support_device (0), CAPRA_F32, values, N, "not finite");
}

/* The results of scikit-image 0.19.3 for the same image, as floats and as integers. */
static void
test_scikit_image (void)
{
  static const struct {
    guint32 seed;
    gboolean whole;
    double range, values[6];
  } cases[] = {
    { 1, FALSE, 1.0495, { 0.42032221, 0.27894038, 0.252230585, 0.29833585, 0.444920987, 0.42032221 } },
    { 1, TRUE, 267, { 106.904297, 70.6275024, 64.1425781, 75.4677811, 122.548828, 106.904297 } },
    { 2, FALSE, 1.0499, { 0.428600669, 0.280909508, 0.252252042, 0.302742183, 0.399892747, 0.424499571 } },
    { 2, TRUE, 267, { 107.947266, 71.1331482, 64.1425781, 75.9540482, 99.6035156, 107.947266 } },
  };
  enum { W = 97, H = 83 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree float *image = g_new (float, W * H);
      g_autoptr (CapraArray) array = NULL;
      guint32 state = cases[c].seed;

      for (int i = 0; i < W * H; i++)
        {
          gboolean blob = (i % W / 8 + i / W / 8) % 3 == 0;
          double u;

          state = state * 1664525u + 1013904223u;
          u = (state >> 8) / 16777216.0;
          image[i] = (float) (0.25 * u + (blob ? 0.5 * u * u + 0.3 : 0));
          if (cases[c].whole)
            image[i] = floorf (image[i] * 255);
        }
      array = support_array (support_device (0), W, H, 1, 1, image);
      for (int m = 0; m < 6; m++)
        {
          g_autoptr (GError) error = NULL;
          double value = NAN;

          g_assert_true (capra_threshold_find (array, CAPRA_THRESHOLD_OTSU + m, &value, &error));
          g_assert_no_error (error);
          if (!(fabs (value - cases[c].values[m]) <= 1e-5 * cases[c].range))
            g_error ("case %u, %s: %.9g, not %.9g", c, methods[m + 1], value, cases[c].values[m]);
        }
    }
}

static void
test_constant (void)
{
  const float levels[] = { 0, -3.5f, 1e30f };

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      float values[] = { levels[i], NAN, levels[i], INFINITY, levels[i] };
      g_autoptr (CapraArray) array = support_array (support_device (0), 5, 1, 1, 1, values);

      for (CapraThresholdMethod m = CAPRA_THRESHOLD_OTSU; m <= CAPRA_THRESHOLD_ISODATA; m++)
        {
          double value = NAN;

          g_assert_true (capra_threshold_find (array, m, &value, NULL));
          g_assert_cmpfloat (value, ==, levels[i]);
        }
      check_otsu_on_device (array, "group", "a constant");
      g_unsetenv ("CAPRA_TUNING");
    }
}

static void
test_errors (void)
{
  float values[] = { NAN, INFINITY, -INFINITY, NAN };
  g_autoptr (CapraArray) nothing = support_array (support_device (0), 4, 1, 1, 1, values);
  g_autoptr (CapraArray) colors = support_array (support_device (0), 2, 1, 1, 2, values);
  double value;

  for (CapraThresholdMethod m = CAPRA_THRESHOLD_MANUAL; m <= CAPRA_THRESHOLD_ISODATA; m++)
    {
      g_autoptr (GError) error = NULL, second = NULL;

      g_assert_false (capra_threshold_find (nothing, m, &value, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      g_assert_false (capra_threshold_find (colors, m, &value, &second));
      g_assert_error (second, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      support_force_tuning (i ? "threshold.search=device" : "threshold.search=host");
      g_assert_null (capra_threshold_auto (nothing, CAPRA_THRESHOLD_OTSU, &value, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  g_unsetenv ("CAPRA_TUNING");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threshold-find/mixtures", test_mixtures);
  g_test_add_func ("/threshold-find/types", test_types);
  g_test_add_func ("/threshold-find/extreme-values", test_extreme_values);
  g_test_add_func ("/threshold-find/not-finite", test_not_finite);
  g_test_add_func ("/threshold-find/scikit-image", test_scikit_image);
  g_test_add_func ("/threshold-find/constant", test_constant);
  g_test_add_func ("/threshold-find/errors", test_errors);
  return g_test_run ();
}

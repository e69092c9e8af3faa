/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of thresholds: masks against comparisons in double precision. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-color.h"

#define N_TYPES 7

static CapraArray *
new_array (CapraDevice *device, CapraType type, gsize count, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CapraArray *array = capra_array_new_from_data (device, &CAPRA_SHAPE_2D (count, 1, type), data, &error);

  g_assert_no_error (error);
  return array;
}

/* Values near the limits of the types and near the thresholds. */
static gsize
fill_hard (CapraType type, guint32 *data, gsize count)
{
  static const float floats[] = { 0,           -0.0f,    0.5f,          1,     0.1f,   0.099999994f,
                                  0.10000001f, 16777216, 4294967296.0f, 3e38f, -3e38f, 1e-40f,
                                  NAN,         INFINITY, -INFINITY };
  g_autoptr (GRand) random = g_rand_new_with_seed (type);

  for (gsize i = 0; i < count; i++)
    data[i] = g_rand_int (random);
  if (type == CAPRA_F32)
    {
      float *values = (float *) data;

      for (gsize i = 0; i < count; i++)
        values[i] = i < G_N_ELEMENTS (floats) ? floats[i] : (float) g_rand_double (random);
    }
  else if (capra_type_size (type) == 4)
    {
      static const guint32 ends[] = { 0,           1,           16777216,    16777217,   0x7fffffff,
                                      0x80000000u, 0xffffffffu, 0xfffffffeu, 0x80000001u };

      memcpy (data, ends, MIN (count, G_N_ELEMENTS (ends)) * sizeof *data);
    }
  return count;
}

/* A mask of bytes holds 255 where the one of floats holds 1. */
static void
check_bytes (CapraArray *bytes, CapraArray *floats)
{
  const CapraShape *shape = capra_array_get_shape (floats);
  g_autoptr (GError) error = NULL;
  g_autofree float *expected = support_download (floats);
  g_autofree guint8 *values = g_malloc (capra_shape_count (shape));

  g_assert_nonnull (bytes);
  g_assert_cmpint (capra_array_get_shape (bytes)->type, ==, CAPRA_U8);
  capra_array_download (bytes, values, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < capra_shape_count (shape); i++)
    g_assert_cmpint (values[i], ==, expected[i] == 1.0f ? 255 : 0);
}

static void
check_mask (CapraArray *mask, CapraType type, gconstpointer data, gsize count, double low, double high, gboolean above)
{
  g_autofree float *values = support_download (mask);

  for (gsize i = 0; i < count; i++)
    {
      double v = reference_value (type, data, i);
      float wanted = (above ? v > low : v >= low) && v <= high ? 1 : 0;

      if (values[i] != wanted)
        g_error ("%s %.17g in %.17g (%s) … %.17g gives %g", capra_type_name (type), v, low, above ? "above" : "from",
                 high, values[i]);
    }
}

static void
test_limits (void)
{
  static const double limits[] = {
    0,     0.5,    1,      0.1,        0.1f,       -1,           -0.5,         127,          127.5,
    128,   255,    256,    16777216.5, 2147483647, 4294967294.5, 4294967295.0, 4294967296.0, 1e-50,
    1e300, -1e300, 3.5e38, INFINITY,   -INFINITY,  NAN
  };
  enum { N = 61 };
  guint32 data[N];

  for (CapraType type = 0; type < N_TYPES; type += support_step (3))
    {
      gsize count = fill_hard (type, data, N);
      g_autoptr (CapraArray) array = new_array (support_device (type % 2), type, count, data);

      for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
        {
          g_autoptr (GError) error = NULL;
          double high = limits[(i + 7) % G_N_ELEMENTS (limits)];
          g_autoptr (CapraArray) from = capra_threshold (array, limits[i], INFINITY, &error);
          g_autoptr (CapraArray) between = capra_threshold (array, limits[i], high, &error);
          g_autoptr (CapraArray) above = capra_threshold_above (array, limits[i], &error);
          g_autoptr (CapraArray) bytes = capra_threshold_mask (array, limits[i], high, CAPRA_U8, &error);
          g_autoptr (CapraArray) above_bytes = capra_threshold_above_mask (array, limits[i], CAPRA_U8, &error);

          g_assert_no_error (error);
          check_bytes (bytes, between);
          check_bytes (above_bytes, above);
          check_mask (from, type, data, count, limits[i], INFINITY, FALSE);
          check_mask (between, type, data, count, limits[i], high, FALSE);
          check_mask (above, type, data, count, limits[i], INFINITY, TRUE);
        }
    }
}

static void
test_sizes (void)
{
  static const char *const variants[] = {
    "threshold.vector=2,threshold.group=128",
    "threshold.vector=4,threshold.group=64",
    "threshold.vector=8,threshold.group=1024",
    "threshold.vector=16",
  };

  for (guint v = 0; v < G_N_ELEMENTS (variants); v += support_step (3))
    {
      support_force_tuning (variants[v]);
      for (guint i = 0; i < support_n_sizes; i++)
        {
          g_autoptr (GError) error = NULL;
          gsize width = support_sizes[i].width, height = support_sizes[i].height;
          gsize count = width * height * 3;
          g_autofree float *values = support_noise (count, 0, 1, i);
          g_autoptr (CapraArray) array = support_array (support_device (1), width, height, 3, 1, values);
          g_autoptr (CapraArray) mask = capra_threshold (array, 0.25, 0.75, &error);
          g_autoptr (CapraArray) bytes = capra_threshold_mask (array, 0.25, 0.75, CAPRA_U8, &error);

          g_assert_no_error (error);
          check_bytes (bytes, mask);
          g_assert_cmpuint (capra_array_get_shape (mask)->depth, ==, 3);
          check_mask (mask, CAPRA_F32, values, count, 0.25, 0.75, FALSE);
        }
    }
  g_unsetenv ("CAPRA_TUNING");
}

/* Local thresholds of the same type, of floats, and of another type, for images of every type. */
static void
test_local (void)
{
  enum { N = 97 };
  static const double highs[] = { INFINITY, 100.5 };
  guint32 data[N], low_data[N];

  for (CapraType type = 0; type < N_TYPES; type += support_step (3))
    for (guint pair = 0; pair < 3; pair++)
      for (guint h = 0; h < G_N_ELEMENTS (highs); h++)
        {
          CapraType low_type = pair == 0 ? type : pair == 1 ? CAPRA_F32 : (type + 4) % N_TYPES;
          g_autoptr (GError) error = NULL;
          gsize count = fill_hard (type, data, N);
          g_autofree float *mask_values = NULL;
          g_autoptr (CapraArray) array = NULL, low = NULL, mask = NULL, bytes = NULL;

          fill_hard (low_type, low_data, N);
          for (gsize i = 0; i < 8 && type == low_type; i++)
            low_data[40 + i] = data[40 + i]; /* pixels equal to their threshold are set */
          array = new_array (support_device (0), type, count, data);
          low = new_array (support_device (0), low_type, count, low_data);
          mask = capra_threshold_local (array, low, highs[h], &error);
          bytes = capra_threshold_local_mask (array, low, highs[h], CAPRA_U8, &error);
          g_assert_no_error (error);
          check_bytes (bytes, mask);
          mask_values = support_download (mask);
          for (gsize i = 0; i < count; i++)
            {
              double v = reference_value (type, data, i), l = reference_value (low_type, low_data, i);

              if (mask_values[i] != (v >= l && v <= highs[h] ? 1 : 0))
                g_error ("%s %.17g from %s %.17g up to %g gives %g", capra_type_name (type), v,
                         capra_type_name (low_type), l, highs[h], mask_values[i]);
            }
        }
}

/* Alpha is preserved, for any number of pixels. */
static void
test_alpha (void)
{
  for (gsize n = 1; n < 12; n++)
    {
      g_autofree float *values = support_noise (2 * n, -1.0, 1.0, n);
      g_autofree float *lows = support_noise (n, -1.0, 1.0, 99);
      g_autoptr (CapraArray) input = support_array (support_device (n % 2), n, 1, 1, 2, values);
      g_autoptr (CapraArray) low = support_array (support_device (n % 2), n, 1, 1, 1, lows);
      g_autoptr (CapraArray) mask = capra_threshold (input, -0.2, 0.6, NULL);
      g_autoptr (CapraArray) local = capra_threshold_local (input, low, 0.6, NULL);
      g_autofree float *a = support_download (mask), *b = support_download (local);

      for (gsize i = 0; i < n; i++)
        {
          float v = values[2 * i];

          g_assert_cmpfloat (a[2 * i], ==, v >= -0.2 && v <= 0.6);
          g_assert_cmpfloat (b[2 * i], ==, v >= lows[i] && v <= 0.6);
          g_assert_cmpfloat (a[2 * i + 1], ==, values[2 * i + 1]);
          g_assert_cmpfloat (b[2 * i + 1], ==, values[2 * i + 1]);
        }
    }
}

/* Automatic thresholds, found by the host and by the device. */
static void
test_found (void)
{
  static const char *const variants[] = { "threshold.search=host", "histogram.variant=group,threshold.search=device" };
  g_autofree float *values = support_noise (301 * 77, -1, 1, 3);

  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      support_force_tuning (variants[v]);
      for (CapraThresholdMethod method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CapraArray) array = support_array (support_device (v), 301, 77, 1, 1, values);
          double first = 0, second = 1;
          g_autoptr (CapraArray) mask = capra_threshold_auto (array, method, &first, &error);
          g_autoptr (CapraArray) bytes = capra_threshold_auto_mask (array, method, CAPRA_U8, &second, &error);

          g_assert_no_error (error);
          g_assert_cmpfloat (first, ==, second);
          check_mask (mask, CAPRA_F32, values, 301 * 77, first, INFINITY, TRUE);
          check_bytes (bytes, mask);
        }
    }
  g_unsetenv ("CAPRA_TUNING");
}

static void
test_errors (void)
{
  const CapraEncoding linear = { CAPRA_COLOR_Y, FALSE };
  float values[] = { 1, 2, 3, 4 };
  g_autoptr (CapraArray) alpha = support_array (support_device (0), 2, 1, 1, 2, values);
  g_autoptr (CapraArray) gray = support_array (support_device (0), 4, 1, 1, 1, values);
  g_autoptr (CapraArray) colors = support_array (support_device (0), 1, 1, 1, 3, values);
  g_autoptr (CapraArray) other = support_array (support_device (1), 4, 1, 1, 1, values);
  g_autoptr (CapraArray) smaller = support_array (support_device (0), 3, 1, 1, 1, values);

  for (guint i = support_devices ()->len > 1 ? 0 : 1; i < 7; i++) /* 0: on another device */
    {
      g_autoptr (GError) error = NULL;
      CapraArray *mask = i == 6   ? capra_threshold_colors (gray, linear, FALSE, NULL, 0, 1, CAPRA_COLOR_YaA, CAPRA_F32,
                                                            &error)
                         : i == 4 ? capra_threshold_mask (alpha, 0, 1, CAPRA_U8, &error)
                         : i == 5 ? capra_threshold_mask (gray, 0, 1, CAPRA_U16, &error)
                         : i == 2 ? capra_threshold (colors, 0, 1, &error)
                         : i == 1 ? capra_threshold_above (colors, 0, &error)
                         : i == 0 ? capra_threshold_local (gray, other, 1, &error)
                                  : capra_threshold_local (gray, smaller, 1, &error);

      g_assert_null (mask);
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

static const double weights[3] = { 0.25, 0.5, 0.25 };

static double
largest (CapraType type)
{
  return type == CAPRA_U8 ? 255 : type == CAPRA_U16 ? 65535 : 1;
}

static void
check_colors (CapraDevice *device, CapraEncoding from, CapraType type, CapraColor to, CapraType mask_type, gsize count,
              gboolean perceptual)
{
  g_autoptr (GError) error = NULL;
  guint n = capra_color_channels (from.color), m = capra_color_channels (to);
  CapraShape shape = { count, 1, 1, n, type };
  g_autofree float *noise = support_noise (count * n, 0.01, 1, (guint32) count + n);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (&shape)), *found = NULL;
  g_autoptr (CapraArray) input = NULL, mask = NULL;

  for (gsize i = 0; i < count * n; i++)
    if (type == CAPRA_U8)
      data[i] = (guint8) (noise[i] * 255);
    else if (type == CAPRA_U16)
      ((guint16 *) data)[i] = (guint16) (noise[i] * 65535);
    else
      ((float *) data)[i] = noise[i];
  input = capra_array_new_from_data (device, &shape, data, &error);
  g_assert_no_error (error);
  mask = capra_threshold_colors (input, from, perceptual, weights, 0.3, 0.8, to, mask_type, &error);
  g_assert_no_error (error);
  found = g_malloc (capra_shape_bytes (capra_array_get_shape (mask)));
  g_assert_true (capra_array_download (mask, found, NULL));
  for (gsize i = 0; i < count; i++)
    {
      double pixel[4], alpha = 1, value;

      for (guint c = 0; c < n; c++)
        pixel[c] = reference_value (type, data, i * n + c) / largest (type);
      value = reference_luminance (pixel, from, perceptual, weights, &alpha);
      if (m % 2 == 0)
        g_assert_cmpfloat (fabs (reference_value (mask_type, found, i * m + m - 1) / largest (mask_type) - alpha), <=,
                           mask_type == type || mask_type == CAPRA_F32 ? 1e-7 : 0.51 / largest (mask_type));
      if (fabs (value - 0.3) < 1e-4 || fabs (value - 0.8) < 1e-4)
        continue;
      for (guint c = 0; c < (m < 3 ? 1 : 3); c++)
        g_assert_cmpfloat (reference_value (mask_type, found, i * m + c), ==,
                           value >= 0.3 && value <= 0.8 ? largest (mask_type) : 0);
    }
}

/* All encodings, layouts of masks and types, with more and fewer pixels than a vector has. */
static void
test_colors (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_F32 };
  static const CapraColor masks[] = { CAPRA_COLOR_Y, CAPRA_COLOR_YA, CAPRA_COLOR_RGB, CAPRA_COLOR_RGBA };

  for (guint run = 0; run < 12 * 3 * 4; run += 5 * support_step (3))
    check_colors (support_device (run % 2), (CapraEncoding){ run / 24, run / 12 % 2 }, types[run / 4 % 3],
                  masks[run % 4], types[run / 8 % 3], run % 2 ? 1003 : 7, run % 7 < 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threshold/limits", test_limits);
  g_test_add_func ("/threshold/sizes", test_sizes);
  g_test_add_func ("/threshold/local", test_local);
  g_test_add_func ("/threshold/alpha", test_alpha);
  g_test_add_func ("/threshold/found", test_found);
  g_test_add_func ("/threshold/colors", test_colors);
  g_test_add_func ("/threshold/errors", test_errors);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the Gaussian blur against sums in double precision, in every variant. */
#include <math.h>

#include "tests/support/support-filter.h"

/* The variants that are used by default come first. The others need kernels of their own, which are built with
 * `-m slow`. */
#define N_SHIPPED 3
static const char *const variants[] = { "taps.variant=vector,gaussian.variant=vector",
                                        "taps.variant=group,gaussian.variant=group,gaussian.separable=1000000",
                                        "gaussian.variant=group,convolve.variant=group,gaussian.separable=0",
                                        "taps.variant=vector,gaussian.variant=vector,taps.values=32,taps.rows=2",
                                        "taps.variant=vector,gaussian.variant=vector,taps.values=128,taps.rows=8",
                                        "taps.variant=group,gaussian.variant=group,gaussian.separable=1000000,"
                                        "taps.group-size=128,taps.group-rows=8,taps.group-width=64",
                                        "taps.variant=group,gaussian.variant=group,gaussian.separable=1000000,"
                                        "taps.group-size=256,taps.group-rows=24,taps.group-width=128" };

static guint
n_variants (void)
{
  return g_test_slow () ? G_N_ELEMENTS (variants) : N_SHIPPED;
}

/* Runs @code with each variant. */
#define FOR_EACH_VARIANT(v) for (guint v = 0; v < n_variants () && support_force_tuning (variants[v]); v++)

static double
largest (const double *values, gsize count)
{
  double max = 0.0;

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      max = MAX (max, fabs (values[i]));
  return max;
}

/* Blurs a whole image of noise of @shape, and compares the result with the reference. */
static void
check_whole (CapraDevice *device, const CapraShape *shape, const double sigma[3], double truncate, CapraBorder border,
             const char *what)
{
  g_autofree double *values = NULL;
  g_autoptr (CapraArray) input = support_typed_noise (device, shape, 7, &values);
  ReferenceImage image = { shape->width, shape->height, shape->depth, shape->channels, values };
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height };
  g_autofree double *expected = reference_gaussian (&image, sigma, truncate, border, whole);
  gsize count = capra_shape_count (shape);

  FOR_EACH_VARIANT (v)
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, truncate, border, NULL,
                                                         &error);
    g_autofree float *got = NULL;
    g_autofree char *name = g_strdup_printf ("%s, border %d, %s", what, border, variants[v]);

    g_assert_no_error (error);
    got = support_download (output);
    support_assert_close (got, expected, count, 1e-5 * largest (values, count), name);
  }
}

static void
test_sizes (void)
{
  for (guint i = 0; i < support_n_sizes; i++)
    for (int border = 0; border < 4; border++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (support_sizes[i].width, support_sizes[i].height, CAPRA_F32);
        g_autofree char *what = g_strdup_printf ("%zux%zu", shape.width, shape.height);

        check_whole (support_device (i & 1), &shape, (double[]){ 1.3, 2.2, 0 }, 4.0, border, what);
      }
}

/* The kernels are built for each type. The other types use the same code. */
static void
test_types (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_I16, CAPRA_U32, CAPRA_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i += support_step (3))
    {
      CapraShape shape = { 77, 19, 1, i + 1, types[i] }, volume = { 9, 7, 5, i + 1, types[i] };

      check_whole (support_device (0), &shape, (double[]){ 2.5, 0, 0 }, 4.0, CAPRA_BORDER_MIRROR,
                   capra_type_name (types[i]));
      check_whole (support_device (1), &shape, (double[]){ 0, 1.1, 0 }, 4.0, CAPRA_BORDER_NONE,
                   capra_type_name (types[i]));
      check_whole (support_device (0), &volume, (double[]){ 0.8, 1.1, 1.7 }, 3.0, CAPRA_BORDER_WRAP, "volume");
    }
}

static void
test_channels (void)
{
  for (guint channels = 2; channels <= 3; channels++)
    {
      CapraShape shape = { 131, 21, 1, channels, CAPRA_F32 };

      check_whole (support_device (0), &shape, (double[]){ 5, 5, 0 }, 4.0, CAPRA_BORDER_CLAMP, "channels");
    }
}

/* Sigmas that only copy, that hardly blur, and whose window is much larger than the image. */
static void
test_extremes (void)
{
  static const struct {
    double sigma, truncate;
  } cases[] = {
    { 0.0, 4.0 },  { 1e-9, 4.0 }, { 0.2, 4.0 },   { 3.0, 0.1 }, { 2.0, 1e6 },
    { 17.0, 4.0 }, { 60.0, 6.0 }, { 300.0, 4.0 }, { 1e4, 4.0 }, { 12345.6, 1.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int border = 0; border < 4; border++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (23, 5, CAPRA_F32), line = CAPRA_SHAPE_2D (301, 1, CAPRA_F32);
        double truncate = MIN (cases[i].truncate, 60.0);
        g_autofree char *what = g_strdup_printf ("sigma %g, truncate %g", cases[i].sigma, truncate);

        check_whole (support_device (0), &shape, (double[]){ cases[i].sigma, cases[i].sigma, 0 }, truncate, border,
                     what);
        if (cases[i].sigma < 1e3)
          check_whole (support_device (0), &line, (double[]){ cases[i].sigma, cases[i].sigma, 0 }, truncate, border,
                       what);
      }
}

/* A constant image is unchanged for every sigma: rounding errors must not accumulate. */
static void
test_constant (void)
{
  static const double sigmas[] = { 40, 2000, 1e5, 1e9, 1e15 };
  gsize n = 5001;
  g_autofree float *values = g_new (float, n);
  g_autofree double *expected = g_new (double, n);
  g_autoptr (CapraArray) input = NULL;

  for (gsize i = 0; i < n; i++)
    expected[i] = values[i] = 0.7f;
  input = support_array (support_device (0), n, 1, 1, 1, values);
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (int border = CAPRA_BORDER_CLAMP; border <= CAPRA_BORDER_WRAP; border++)
      FOR_EACH_VARIANT (v)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) output = capra_gaussian_blur (input, (double[]){ sigmas[i], 0, 0 },
                                                             CAPRA_GAUSSIAN_SAMPLED, 4.0, border, NULL, &error);
        g_autofree float *got = NULL;

        g_assert_no_error (error);
        got = support_download (output);
        support_assert_close (got, expected, n, 2e-6, variants[v]);
      }
}

/* Up to 64, up to 256, and more weights, along axes that are much longer. Parts equal the whole result. */
static void
test_long (void)
{
  static const double sigmas[] = { 7.5, 20, 45 };
  const CapraRect part = { 201, 203, 173, 147 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (guint vertical = 0; vertical < 2; vertical++)
      {
        guint channels = 1 + (i + 2 * vertical) % 4;
        CapraShape shape = { vertical ? 7 : 701, vertical ? 701 : 7, 1, channels, CAPRA_F32 };
        double sigma[3] = { vertical ? 0 : sigmas[i], vertical ? sigmas[i] : 0, 0 };
        CapraRect whole = { 0, 0, (int) shape.width, (int) shape.height };
        CapraRect result = { vertical ? 0 : part.x, vertical ? part.y : 0, vertical ? 7 : part.width,
                             vertical ? part.height : 7 };
        g_autofree float *noise = support_noise (capra_shape_count (&shape), -1.0, 1.0, 5);
        g_autoptr (CapraArray) input = support_array (support_device (0), shape.width, shape.height, 1, channels,
                                                      noise);

        check_whole (support_device (1), &shape, sigma, 4.0, (CapraBorder) (i + vertical) % 4, "long");
        FOR_EACH_VARIANT (v)
        {
          g_autoptr (GError) error = NULL;
          CapraWindow window = { whole, whole, result };
          g_autoptr (CapraArray) all = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, 4.0,
                                                            CAPRA_BORDER_CLAMP, NULL, &error);
          g_autoptr (CapraArray) some = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, 4.0,
                                                             CAPRA_BORDER_CLAMP, &window, &error);
          g_autofree float *of_all = support_download (all);
          g_autofree float *got = support_download (some);
          gsize row = (gsize) result.width * channels * sizeof (float);

          g_assert_no_error (error);
          for (int y = 0; y < result.height; y++)
            g_assert_cmpmem ((guint8 *) got + (gsize) y * row, row,
                             of_all + ((gsize) (result.y + y) * shape.width + (gsize) result.x) * channels, row);
        }
      }
}

static void
test_windows (void)
{
  enum { WIDTH = 61, HEIGHT = 47 };
  const CapraRect results[] = {
    { 20, 10, 30, 20 }, { 0, 0, 5, 5 },     { 50, 40, 11, 7 }, { -9, -30, 90, 100 },
    { 60, 46, 1, 1 },   { -200, 10, 7, 5 }, { 33, 300, 4, 3 }, { 0, 20, 61, 1 },
  };
  const double sigma[3] = { 2.1, 1.4, 0 };
  gsize count = WIDTH * HEIGHT * 2;
  g_autofree float *noise = support_noise (count, -1.0, 1.0, 3);
  g_autofree double *values = g_new (double, count);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 2, values };

  for (gsize i = 0; i < count; i++)
    values[i] = noise[i];
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    for (int border = 0; border < 4; border++)
      {
        const CapraRect *result = &results[i];
        int rx = capra_gaussian_source_radius (sigma[0], CAPRA_GAUSSIAN_SAMPLED, 4.0);
        int ry = capra_gaussian_source_radius (sigma[1], CAPRA_GAUSSIAN_SAMPLED, 4.0);
        CapraRect extent = { 0, 0, WIDTH, HEIGHT };
        CapraRect source = capra_window_source (&extent, result, rx, rx, ry, ry, border);
        CapraRect held = source.width > 0 ? source : (CapraRect){ 3, 4, 1, 1 };
        g_autofree double *expected = reference_gaussian (&image, sigma, 4.0, border, *result);
        g_autoptr (CapraArray) input = support_crop (support_device (0), &image, held);
        /* The origin of coordinates can be anywhere. */
        CapraWindow window = { { 100, -70, WIDTH, HEIGHT },
                               { held.x + 100, held.y - 70, held.width, held.height },
                               { result->x + 100, result->y - 70, result->width, result->height } };

        FOR_EACH_VARIANT (v)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, 4.0, border,
                                                               &window, &error);
          g_autofree float *got = NULL;

          g_assert_no_error (error);
          g_assert_cmpuint (capra_array_get_shape (output)->width, ==, result->width);
          g_assert_cmpuint (capra_array_get_shape (output)->height, ==, result->height);
          got = support_download (output);
          support_assert_close (got, expected, (gsize) result->width * (gsize) result->height * 2, 1e-5, variants[v]);
        }
      }
}

/* NaN affects at most the pixels within twice the window. */
static void
test_not_finite (void)
{
  static const float spoilers[] = { NAN, INFINITY, -INFINITY };
  enum { WIDTH = 210, HEIGHT = 63 };
  static const double sigmas[] = { 0.3, 1.0, 5.0, 20.0 };

  for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
    FOR_EACH_VARIANT (v)
    {
      const double sigma[3] = { sigmas[s], sigmas[s], 0 };
      int r = capra_gaussian_radius (sigmas[s], CAPRA_GAUSSIAN_SAMPLED, 4.0);
      g_autofree float *values = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 5);
      g_autofree float *clean = NULL;
      g_autofree float *got = NULL;
      g_autoptr (CapraArray) input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
      g_autoptr (CapraArray) before = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, 4.0,
                                                           CAPRA_BORDER_CLAMP, NULL, NULL);
      g_autoptr (CapraArray) output = NULL;

      values[31 * WIDTH + 100] = spoilers[s % 3];
      g_assert_true (capra_array_upload (input, values, NULL));
      output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_SAMPLED, 4.0, CAPRA_BORDER_CLAMP, NULL, NULL);
      clean = support_download (before);
      got = support_download (output);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          {
            if (ABS (x - 100) <= r && ABS (y - 31) <= r)
              g_assert_false (isfinite (got[y * WIDTH + x]));
            else if (ABS (x - 100) > 2 * r || ABS (y - 31) > 2 * r)
              g_assert_cmpfloat (got[y * WIDTH + x], ==, clean[y * WIDTH + x]);
          }
    }
}

static void
test_errors (void)
{
  const float value = 1.0f;
  g_autoptr (CapraArray) input = support_array (support_device (0), 1, 1, 1, 1, &value);
  const double bad[] = { -1.0, NAN, INFINITY, 1e300 };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_gaussian_blur (input, (double[]){ 0, bad[i], 0 }, CAPRA_GAUSSIAN_AUTO, 4.0,
                                          CAPRA_BORDER_NONE, NULL, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      g_clear_error (&error);
      if (bad[i] < 1e299)
        {
          g_assert_null (capra_gaussian_blur (input, (double[]){ 1, 1, 0 }, CAPRA_GAUSSIAN_AUTO, bad[i],
                                              CAPRA_BORDER_NONE, NULL, &error));
          g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
        }
    }
  g_assert_cmpint (capra_gaussian_radius (1e300, CAPRA_GAUSSIAN_AUTO, 4.0), ==, G_MAXINT);
  g_assert_cmpint (capra_gaussian_radius (5.0, CAPRA_GAUSSIAN_SAMPLED, 4.0), ==, 20);
  g_assert_cmpint (capra_gaussian_radius (0.0, CAPRA_GAUSSIAN_AUTO, 4.0), ==, 0);
  g_assert_cmpint (capra_gaussian_radius (3.9, CAPRA_GAUSSIAN_AUTO, 4.0), ==, 16);
  g_assert_cmpint (capra_gaussian_radius (4.0, CAPRA_GAUSSIAN_AUTO, 4.0), ==, 22);
  g_assert_cmpint (capra_gaussian_radius (1.0, CAPRA_GAUSSIAN_WHOLE, 4.0), ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gaussian-blur/sizes", test_sizes);
  g_test_add_func ("/gaussian-blur/types", test_types);
  g_test_add_func ("/gaussian-blur/channels", test_channels);
  g_test_add_func ("/gaussian-blur/extremes", test_extremes);
  g_test_add_func ("/gaussian-blur/constant", test_constant);
  g_test_add_func ("/gaussian-blur/long", test_long);
  g_test_add_func ("/gaussian-blur/windows", test_windows);
  g_test_add_func ("/gaussian-blur/not-finite", test_not_finite);
  g_test_add_func ("/gaussian-blur/errors", test_errors);
  return g_test_run ();
}

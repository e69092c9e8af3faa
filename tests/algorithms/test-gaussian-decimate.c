/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the full Gaussian, against sums up to 9 sigmas in double precision. A factor, a number of weights and a type
 * need kernels of their own: without `-m slow`, only those of few of them are built. */
#include <math.h>

#include "tests/support/support-filter.h"

/* Relative to the largest value. */
#define TOLERANCE 1e-5

/* The variants that are used by default come first. */
#define N_SHIPPED 2
static const char *const variants[] = { "taps.variant=vector,gaussian.variant=vector,gaussian.factor=8",
                                        "taps.variant=group,gaussian.variant=group,gaussian.factor=16",
                                        "taps.variant=vector,gaussian.variant=vector,gaussian.factor=16",
                                        "taps.variant=vector,gaussian.variant=vector,gaussian.factor=12",
                                        "taps.variant=group,gaussian.variant=group,gaussian.factor=30",
                                        "taps.variant=group,gaussian.variant=group,gaussian.factor=12" };

/* How many of @all cases to test: the first @few, or all. */
static guint
cases_of (guint all, guint few)
{
  return g_test_slow () ? all : few;
}

#define FOR_EACH_OF(n, v) for (guint v = 0; v < (n) && support_force_tuning (variants[v]); v++)
#define FOR_EACH_VARIANT(v) FOR_EACH_OF (N_SHIPPED, v)

static double
largest (const double *values, gsize count)
{
  double max = 0.0;

  for (gsize i = 0; i < count; i++)
    max = MAX (max, fabs (values[i]));
  return max;
}

static void
check_some (guint n, CapraArray *input, const double *values, const double sigma[3], CapraBorder border)
{
  const CapraShape *shape = capra_array_get_shape (input);
  ReferenceImage image = { shape->width, shape->height, shape->depth, shape->channels, values };
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height };
  g_autofree double *expected = reference_gaussian_whole (&image, sigma, border, whole);
  gsize count = capra_shape_count (shape);

  FOR_EACH_OF (n, v)
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_WHOLE, 4, border, NULL, &error);
    g_autofree float *got = NULL;
    g_autofree char *name = g_strdup_printf ("%zux%zux%zu, %u channels of %s, sigma %g %g, border %d, %s", shape->width,
                                             shape->height, shape->depth, shape->channels,
                                             capra_type_name (shape->type), sigma[0], sigma[1], border, variants[v]);

    g_assert_no_error (error);
    got = support_download (output);
    support_assert_close (got, expected, count, TOLERANCE * largest (values, count), name);
  }
}

static void
check (CapraArray *input, const double *values, const double sigma[3], CapraBorder border)
{
  check_some (N_SHIPPED, input, values, sigma, border);
}

static void
check_noise (guint device, const CapraShape *shape, double sigma_x, double sigma_y, CapraBorder border)
{
  g_autofree double *values = NULL;
  g_autoptr (CapraArray) input = support_typed_noise (support_device (device), shape, 7, &values);

  check (input, values, (double[]){ sigma_x, sigma_y, 0 }, border);
}

/* From the smallest sigmas, which are computed without decimation, to those that are decimated repeatedly. With all
 * variants this covers each factor, with the smallest and the largest sigma that it is used for, and the sigmas at
 * which the number of weights changes. */
static const double little[] = { 1, 4, 4.9, 5, 5.27, 5.3, 6.66, 6.67, 7.7, 8, 9.99, 10, 0 };
static const double usual[] = { 1, 5, 20, 70, 0 };
static const double large[] = { 13, 13.4, 16, 19.9, 20, 26.6, 27, 28.1, 33, 40.2, 40.5, 50, 111, 500, 0 };

static void
test_sigmas (gconstpointer sigmas)
{
  guint n = sigmas == usual ? N_SHIPPED : G_N_ELEMENTS (variants);
  const CapraShape shape = CAPRA_SHAPE_2D (203, 121, CAPRA_F32);
  guint device = 0;

  for (const double *sigma = sigmas; *sigma > 0; sigma++, device = !device)
    {
      g_autofree double *values = NULL;
      g_autoptr (CapraArray) input = support_typed_noise (support_device (device), &shape, 7, &values);

      for (int border = 0; border < 4; border++)
        check_some (n, input, values, (double[]){ *sigma, *sigma, 0 }, border);
    }
}

/* Sizes that are multiples of the factors, or not; axes that differ; lines. */
static void
test_sizes (void)
{
  static const struct {
    gsize width, height;
    double x, y;
  } cases[] = {
    { 1, 1, 20, 20 },   { 1, 200, 5, 5 },    { 600, 80, 5, 20 }, { 512, 256, 20, 20 },
    { 200, 1, 10, 10 }, { 64, 57, 0, 25 },   { 73, 66, 20, 1 },  { 23, 5, 300, 60 },
    { 23, 5, 1e5, 5 },  { 7, 1500, 0, 300 }, { 202, 118, 5, 7 }, { 530, 40, 4.5, 5 },
  };

  for (guint i = 0; i < cases_of (G_N_ELEMENTS (cases), 4); i++)
    for (int border = 0; border < 4; border++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (cases[i].width, cases[i].height, CAPRA_F32);

        check_noise (i & 1, &shape, cases[i].x, cases[i].y, border);
      }
}

static void
test_types (void)
{
  const double sigma = g_test_slow () ? 6 : 5;

  for (guint type = CAPRA_U8; type <= CAPRA_F32; type += 3 * support_step (2)) /* u8, i16, f32 */
    {
      CapraShape shape = { 90, 75, 1, 1, type }, volume = { 85, 77, 3, 2, type };

      check_noise (0, &shape, sigma, sigma, (CapraBorder) (type % 4));
      if (type == CAPRA_U8 && g_test_slow ())
        check_noise (1, &volume, 10, 20, CAPRA_BORDER_MIRROR);
    }
}

static void
test_channels (void)
{
  for (guint channels = cases_of (2, 4); channels <= 4; channels++)
    {
      static const double wide[] = { 11, 6, 20 }; /* one factor each, as every build takes a second */
      CapraShape shape = { 300, 73, 1, channels, CAPRA_F32 };

      check_noise (0, &shape, 1, 1, (CapraBorder) (channels % 4));
      check_noise (1, &shape, wide[channels - 2], wide[channels - 2], (CapraBorder) ((channels + 1) % 4));
    }
}

/* The patterns that decimation could alias most: stripes of each frequency, a step, a point, a constant. */
static void
test_patterns (void)
{
  enum { WIDTH = 160, HEIGHT = 96 };
  static const double sigmas[] = { 20, 5, 10, 40 };
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autofree double *exact = g_new (double, WIDTH * HEIGHT);

  for (int pattern = 0; pattern < 8; pattern++)
    {
      g_autoptr (CapraArray) input = NULL;

      for (int i = 0; i < WIDTH * HEIGHT; i++)
        {
          int x = i % WIDTH, y = i / WIDTH;

          values[i] = pattern == 0   ? x >= 80
                      : pattern == 1 ? x == 77 && y == 31
                      : pattern == 2 ? 1
                                     : (float) (((x >> (pattern - 3)) + (y >> (pattern - 3)) % 3) & 1);
          exact[i] = values[i];
        }
      input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
      for (guint s = 0; s < cases_of (G_N_ELEMENTS (sigmas), 2); s++)
        check (input, exact, (double[]){ sigmas[s], sigmas[s], 0 },
               pattern & 1 ? CAPRA_BORDER_MIRROR : CAPRA_BORDER_CLAMP);
    }
}

/* The upper bound of the error along one axis for any image of values from 0 to 1: the sum of the positive or of the
 * negative errors of points at all positions. For the sigmas with the largest errors, and one that is decimated
 * repeatedly. */
static void
test_worst (void)
{
  enum { N = 203 };
  static const double sigmas[] = { 7, 30.2, 40.5 };
  const CapraRect whole = { 0, 0, N, N };
  g_autofree float *points = g_new0 (float, N * N);
  g_autofree double *exact = g_new0 (double, N * N);
  ReferenceImage image = { N, N, 1, 1, exact };
  g_autoptr (CapraArray) input = NULL;

  for (int i = 0; i < N; i++)
    exact[i * N + i] = points[i * N + i] = 1;
  input = support_array (support_device (1), N, N, 1, 1, points);
  for (guint s = 0; s < 2 * G_N_ELEMENTS (sigmas); s++)
    FOR_EACH_VARIANT (v)
    {
      double sigma[3] = { s % 2 ? 0 : sigmas[s / 2], s % 2 ? sigmas[s / 2] : 0, 0 };
      g_autofree double *expected = reference_gaussian_whole (&image, sigma, CAPRA_BORDER_MIRROR, whole);
      g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_WHOLE, 4, CAPRA_BORDER_MIRROR,
                                                           NULL, NULL);
      g_autofree float *got = support_download (output);

      for (int o = 0; o < N; o++)
        {
          double over = 0, under = 0;

          for (int i = 0; i < N; i++)
            {
              int at = s % 2 ? o * N + i : i * N + o;
              double off = got[at] - expected[at];

              over += MAX (off, 0);
              under += MAX (-off, 0);
            }
          g_assert_cmpfloat (MAX (over, under), <, TOLERANCE / 2);
        }
    }
}

/* Values near the limits of single precision keep their precision. */
static void
test_extremes (void)
{
  static const double scales[] = { 1e-30, 1e30, 3e38 };
  CapraShape shape = CAPRA_SHAPE_2D (160, 96, CAPRA_F32);
  gsize count = capra_shape_count (&shape);

  for (guint s = 0; s < G_N_ELEMENTS (scales); s++)
    {
      g_autofree float *values = support_noise (count, -1.0, 1.0, 4);
      g_autofree double *exact = g_new (double, count);
      g_autoptr (CapraArray) input = NULL;

      for (gsize i = 0; i < count; i++)
        exact[i] = values[i] = (float) (scales[s] * (s == 2 ? 1 : values[i]));
      input = support_array (support_device (0), shape.width, shape.height, 1, 1, values);
      check (input, exact, (double[]){ 20, 20, 0 }, CAPRA_BORDER_CLAMP);
    }
}

/* Parts of an image, from the whole image or from the required part only. */
static void
test_windows (void)
{
  enum { WIDTH = 311, HEIGHT = 247 };
  const CapraRect results[] = {
    { 120, 90, 30, 20 }, { 0, 0, 5, 5 },     { 290, 240, 21, 7 }, { -9, -30, 90, 100 }, { 310, 246, 1, 1 },
    { -200, 10, 7, 5 },  { 33, 330, 64, 3 }, { 2, 20, 301, 1 },   { 1000, 5000, 8, 8 },
  };
  static const double sigmas[][3] = { { 5, 5 }, { 20, 20 }, { 5, 20 }, { 70, 70 } }; /* x, y, z */
  gsize count = WIDTH * HEIGHT;
  g_autofree float *noise = support_noise (count, -1.0, 1.0, 3);
  g_autofree double *values = g_new (double, count);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 1, values };
  CapraRect extent = { 0, 0, WIDTH, HEIGHT };

  for (gsize i = 0; i < count; i++)
    values[i] = noise[i];
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    for (int border = 0; border < 4; border++)
      {
        const double *sigma = sigmas[(i + (guint) border) % 4];
        const CapraRect *result = &results[i];
        int rx = capra_gaussian_source_radius (sigma[0], CAPRA_GAUSSIAN_WHOLE, 4);
        int ry = capra_gaussian_source_radius (sigma[1], CAPRA_GAUSSIAN_WHOLE, 4);
        CapraRect source = capra_window_source (&extent, result, rx, rx, ry, ry, border);
        CapraRect held = source.width > 0 ? source : (CapraRect){ 3, 4, 1, 1 };
        g_autofree double *expected = reference_gaussian_whole (&image, sigma, border, *result);
        g_autoptr (CapraArray) input = support_crop (support_device (0), &image, held);
        CapraWindow window = { { 100, -70, WIDTH, HEIGHT },
                               { held.x + 100, held.y - 70, held.width, held.height },
                               { result->x + 100, result->y - 70, result->width, result->height } };

        FOR_EACH_VARIANT (v)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_WHOLE, 4, border, &window,
                                                               &error);
          g_autofree float *got = NULL;
          g_autofree char *name = g_strdup_printf ("window %u, border %d, %s", i, border, variants[v]);

          g_assert_no_error (error);
          got = support_download (output);
          support_assert_close (got, expected, (gsize) result->width * (gsize) result->height, TOLERANCE, name);
        }
      }
}

/* A pixel does not depend on the part of the image that is computed, since hosts request different tiles each time.
 * Sizes with and without a multiple of the factors. */
static void
test_parts (void)
{
  static const struct {
    gsize width, height;
    double x, y;
  } cases[] = {
    { 301, 197, 20, 5 },
    { 256, 192, 9, 9 },
    { 301, 192, 70, 4 },
    { 131, 333, 0, 300 },
  };
  static const CapraRect parts[] = {
    { 0, 0, 64, 64 }, { 64, 64, 64, 64 }, { 37, 61, 83, 1 }, { 119, 100, 1, 90 }, { 5, 3, 110, 180 }
  };

  for (guint i = 0; i < cases_of (G_N_ELEMENTS (cases), 1); i++)
    for (int border = 0; border < 4; border++)
      FOR_EACH_VARIANT (v)
      {
        const double sigma[3] = { cases[i].x, cases[i].y, 0 };
        gsize width = cases[i].width, height = cases[i].height;
        CapraRect extent = { 0, 0, (int) width, (int) height };
        g_autofree float *noise = support_noise (width * height, -1.0, 1.0, 9);
        g_autofree double *values = g_new (double, width * height);
        ReferenceImage image = { width, height, 1, 1, values };
        g_autoptr (CapraArray) input = support_array (support_device (0), width, height, 1, 1, noise);
        g_autoptr (CapraArray) output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_AUTO, 4, border, NULL, NULL);
        g_autofree float *whole = support_download (output);
        int rx = capra_gaussian_source_radius (sigma[0], CAPRA_GAUSSIAN_AUTO, 4);
        int ry = capra_gaussian_source_radius (sigma[1], CAPRA_GAUSSIAN_AUTO, 4);

        for (gsize n = 0; n < width * height; n++)
          values[n] = noise[n];
        for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
          {
            CapraRect source = capra_window_source (&extent, &parts[p], rx, rx, ry, ry, border);
            CapraWindow window = { extent, source, parts[p] };
            g_autoptr (CapraArray) held = support_crop (support_device (0), &image, source);
            g_autoptr (CapraArray) part = capra_gaussian_blur (held, sigma, CAPRA_GAUSSIAN_AUTO, 4, border, &window,
                                                               NULL);
            g_autofree float *got = support_download (part);

            for (int y = 0; y < parts[p].height; y++)
              for (int x = 0; x < parts[p].width; x++)
                g_assert_cmpfloat_with_epsilon (got[y * parts[p].width + x],
                                                whole[(gsize) (parts[p].y + y) * width + (gsize) (parts[p].x + x)],
                                                5e-7);
          }
      }
}

/* NaN affects at most the pixels within twice the window. */
static void
test_not_finite (void)
{
  enum { WIDTH = 420, HEIGHT = 280, X = 33, Y = 200 };
  static const double sigmas[] = { 5, 20, 1, 12 };
  static const float spoilers[] = { NAN, INFINITY };

  for (guint s = 0; s < cases_of (G_N_ELEMENTS (sigmas), 2); s++)
    FOR_EACH_VARIANT (v)
    {
      const double sigma[3] = { sigmas[s], sigmas[s], 0 };
      int r = capra_gaussian_radius (sigmas[s], CAPRA_GAUSSIAN_WHOLE, 4);
      g_autofree float *values = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 5);
      g_autofree float *got = NULL;
      g_autoptr (CapraArray) input = NULL;
      g_autoptr (CapraArray) output = NULL;

      values[Y * WIDTH + X] = spoilers[s % 2];
      input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
      output = capra_gaussian_blur (input, sigma, CAPRA_GAUSSIAN_WHOLE, 4, CAPRA_BORDER_CLAMP, NULL, NULL);
      got = support_download (output);
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          if (ABS (x - X) > 2 * r || ABS (y - Y) > 2 * r)
            g_assert_true (isfinite (got[y * WIDTH + x]));
          else if (ABS (x - X) <= 4 * sigmas[s] && ABS (y - Y) <= 4 * sigmas[s])
            g_assert_false (isfinite (got[y * WIDTH + x]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/gaussian-decimate/sigmas/usual", usual, test_sigmas);
  if (g_test_slow ())
    {
      g_test_add_data_func ("/gaussian-decimate/sigmas/little", little, test_sigmas);
      g_test_add_data_func ("/gaussian-decimate/sigmas/large", large, test_sigmas);
    }
  g_test_add_func ("/gaussian-decimate/sizes", test_sizes);
  g_test_add_func ("/gaussian-decimate/types", test_types);
  g_test_add_func ("/gaussian-decimate/channels", test_channels);
  g_test_add_func ("/gaussian-decimate/patterns", test_patterns);
  if (g_test_slow ())
    g_test_add_func ("/gaussian-decimate/worst", test_worst);
  g_test_add_func ("/gaussian-decimate/extremes", test_extremes);
  g_test_add_func ("/gaussian-decimate/windows", test_windows);
  g_test_add_func ("/gaussian-decimate/parts", test_parts);
  g_test_add_func ("/gaussian-decimate/not-finite", test_not_finite);
  return g_test_run ();
}

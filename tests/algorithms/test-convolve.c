/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of convolution against sums in double precision, in every variant. */
#include <math.h>
#include <string.h>

#include "tests/support/support-filter.h"

static const char *const variants[] = {
  "taps.variant=vector,convolve.variant=vector,convolve.separable=0,convolve.fourier=100000",
  "taps.variant=group,convolve.variant=group,convolve.separable=0,convolve.fourier=100000",
  "convolve.variant=vector,convolve.separable=100000,convolve.fourier=100000",
  "convolve.variant=group,convolve.separable=100000,convolve.fourier=100000",
  "convolve.variant=vector,convolve.separable=100000,convolve.fourier=0",
  "convolve.variant=group,convolve.separable=100000,convolve.fourier=0",
};
/* The first variant with Fourier transforms, whose kernels take long to build. */
#define FOURIER 4

/* Runs the following statement with each of the first @n variants. */
#define FOR_VARIANTS(v, n) for (guint v = 0; v < (n) && support_force_tuning (variants[v]); v++)
#define FOR_EACH_VARIANT(v) FOR_VARIANTS (v, G_N_ELEMENTS (variants))

static CapraMatrix *
noise_matrix (int width, int height, gboolean separable)
{
  CapraMatrix *matrix = capra_matrix_new (width, height);
  g_autofree float *noise = support_noise ((gsize) (width * height + width + height), -1.0, 1.0, 17);

  for (int i = 0; i < width * height; i++)
    matrix->values[i] = separable ? noise[i % width] * (double) noise[width + i / width] : noise[width + height + i];
  return matrix;
}

/* Convolves noise, and compares. */
static void
check (const CapraShape *shape, const CapraMatrix *matrix, const CapraConvolveOptions *options)
{
  g_autofree double *values = NULL;
  g_autoptr (CapraArray) input = support_typed_noise (support_device (0), shape, 7, &values);
  ReferenceImage image = { shape->width, shape->height, shape->depth, shape->channels, values };
  CapraRect kept;
  double magnitude = 0.0, max = 0.0;
  g_autofree double *expected = reference_convolve (&image, matrix, options, &kept, &magnitude);
  gsize count = (gsize) kept.width * (gsize) kept.height * shape->depth * shape->channels;

  for (gsize i = 0; i < capra_shape_count (shape); i++)
    max = MAX (max, fabs (values[i]));

  FOR_VARIANTS (v, shape->type == CAPRA_I16 || shape->type == CAPRA_U32 ? FOURIER : G_N_ELEMENTS (variants))
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (CapraArray) output = capra_convolve (input, matrix, options, NULL, &error);
    g_autofree float *got = NULL;
    g_autofree char *what = g_strdup_printf (
      "%zux%zux%zu, %u channels of %s, matrix %dx%d, correlate %d, extent %d, border %d, "
      "stride %d %d, %s",
      shape->width, shape->height, shape->depth, shape->channels, capra_type_name (shape->type), matrix->width,
      matrix->height, options->correlate, options->extent, options->border, options->stride_x, options->stride_y,
      variants[v]);

    g_assert_no_error (error);
    g_assert_cmpuint (capra_array_get_shape (output)->width, ==, kept.width);
    g_assert_cmpuint (capra_array_get_shape (output)->height, ==, kept.height);
    got = support_download (output);
    support_assert_close (got, expected, count, 1e-5 * MAX (max * magnitude, fabs (options->offset)), what);
  }
}

static CapraConvolveOptions
options_for (gboolean correlate, CapraExtent extent, CapraBorder border)
{
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.correlate = correlate;
  options.extent = extent;
  options.border = border;
  return options;
}

static void
test_sizes (void)
{
  static const SupportSize matrices[] = { { 3, 3 }, { 4, 3 }, { 5, 1 }, { 1, 6 }, { 7, 9 } };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m += support_step (2))
    for (guint i = 0; i < support_n_sizes; i++)
      {
        g_autoptr (CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height, m & 1);
        CapraShape shape = CAPRA_SHAPE_2D (support_sizes[i].width, support_sizes[i].height, CAPRA_F32);

        for (int border = 0; border < 4; border++)
          {
            CapraConvolveOptions options = options_for (i & 1, (CapraExtent) (i + m + 1) % 2, border);

            check (&shape, matrix, &options);
          }
      }
}

static void
test_extents (void)
{
  static const SupportSize matrices[] = { { 4, 3 }, { 1, 6 }, { 10, 6 } };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m += support_step (2))
    for (int correlate = 0; correlate < 2; correlate++)
      for (int extent = CAPRA_EXTENT_SAME; extent <= CAPRA_EXTENT_VALID; extent++)
        for (int stride = 1; stride < 4; stride++)
          {
            g_autoptr (CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height,
                                                           stride == 2);
            CapraShape shape = CAPRA_SHAPE_2D (37, 12, CAPRA_F32);
            CapraConvolveOptions options = options_for (correlate, extent, CAPRA_BORDER_MIRROR);

            options.stride_x = stride;
            options.stride_y = 1 + (stride + (int) m) % 3;
            check (&shape, matrix, &options);
          }
}

static void
test_types (void)
{
  g_autoptr (CapraMatrix) matrix = noise_matrix (4, 3, FALSE);
  g_autoptr (CapraMatrix) separable = noise_matrix (7, 5, TRUE);

  /* The kernels are built for each type. The other types use the same code. */
  static const CapraType types[] = { CAPRA_U8, CAPRA_I16, CAPRA_U32, CAPRA_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i += support_step (3))
    {
      CapraType type = types[i];
      CapraShape shape = { 41, 13, 1 + i % 2, i + 1, type };
      CapraConvolveOptions options = options_for (FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP);

      options.divisor = 0.0;
      options.offset = 0.5;
      check (&shape, matrix, &options);
      if (type == CAPRA_U32)
        check (&shape, separable, &options);
    }
}

/* Large matrices, some larger than the image, and more weights than fit into constant memory. */
static void
test_large (void)
{
  static const SupportSize matrices[] = { { 63, 63 }, { 255, 3 }, { 5, 255 }, { 255, 255 } };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m += support_step (2))
    for (int separable = 0; separable < 2; separable++)
      {
        g_autoptr (CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height, separable);
        CapraShape shape = CAPRA_SHAPE_2D (37, 19, CAPRA_F32);
        CapraConvolveOptions options = options_for (separable, CAPRA_EXTENT_SAME,
                                                    (CapraBorder) (m + (guint) separable) % 4);

        check (&shape, matrix, &options);
      }
}

/* Several blocks of a Fourier transform, with a border on all sides, and incomplete blocks. */
static void
test_tiles (void)
{
  static const SupportSize matrices[] = { { 9, 9 }, { 31, 31 }, { 70, 12 }, { 16, 5 } };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m += support_step (2))
    {
      g_autoptr (CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height, FALSE);
      CapraShape shape = { 151, 143, 1 + m / 2, 1 + m % 2 * 3, CAPRA_F32 };
      CapraConvolveOptions options = options_for (m & 1, (CapraExtent) (m + 1) % 3, (CapraBorder) m);

      options.offset = 0.25;
      check (&shape, matrix, &options);
    }
}

/* Images that are large enough for work-groups that read no pixels outside the image, with edges at multiples of four
 * values. Also images narrower than a row of weights, and wide windows of four channels. */
static void
test_fours (void)
{
  static const SupportSize matrices[] = { { 7, 5 }, { 16, 3 }, { 8, 7 } };

  for (guint i = 0; i < 4 * 4 + 2; i += support_step (5))
    {
      guint m = i < 12 ? 0 : i / 16 + 1, channels = m == 1 ? 1 : 1u << MIN (i / 4, 2);
      g_autoptr (CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height, m < 2);
      CapraShape shape = { m == 1 ? 4 : 400, 150, 1, channels, CAPRA_F32 };
      CapraConvolveOptions options = options_for (i & 1, CAPRA_EXTENT_SAME, (CapraBorder) i % 4);

      check (&shape, matrix, &options);
    }
}

/* Several matrices at once give the same planes as each matrix alone. */
static void
test_many (void)
{
  static const SupportSize matrices[] = { { 4, 4 }, { 3, 2 }, { 9, 8 } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (matrices); i += support_step (5))
    FOR_EACH_VARIANT (v)
    {
      enum { COUNT = 5 };
      CapraMatrix *sets[COUNT];
      CapraShape shape = { 47, 29, 1 + i % 2, 1 + i % 2 * 3, CAPRA_F32 };
      g_autofree double *values = NULL;
      g_autoptr (CapraArray) input = support_typed_noise (support_device (1), &shape, 7, &values);
      ReferenceImage image = { shape.width, shape.height, shape.depth, shape.channels, values };
      CapraConvolveOptions options = options_for (i & 1, (CapraExtent) i % 3, (CapraBorder) i % 4);
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) output = NULL;
      g_autofree float *got = NULL;

      options.divisor = 0.0;
      options.offset = -0.5;
      options.stride_x = 1 + (int) i % 3 * 2;
      options.stride_y = 1 + (int) i / 3;
      for (int m = 0; m < COUNT; m++)
        {
          sets[m] = noise_matrix ((int) matrices[i / 2].width, (int) matrices[i / 2].height, FALSE);
          sets[m]->values[0] += 30.0 + m;
        }
      output = capra_convolve_many (input, (const CapraMatrix *const *) sets, COUNT, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (capra_array_get_shape (output)->depth, ==, COUNT * shape.depth);
      got = support_download (output);
      for (int m = 0; m < COUNT; m++)
        {
          CapraRect kept;
          double magnitude = 0.0;
          g_autofree double *expected = reference_convolve (&image, sets[m], &options, &kept, &magnitude);
          gsize count = (gsize) kept.width * (gsize) kept.height * shape.depth * shape.channels;

          support_assert_close (got + (gsize) m * count, expected, count, 1e-5 * magnitude, variants[v]);
          capra_matrix_free (sets[m]);
        }
    }
}

/* A part of the result is the same as in the whole result. @count: of equal matrices; the last result is compared */
static void
check_windows (int width, int height, guint count)
{
  g_autoptr (CapraMatrix) matrix = noise_matrix (width, height, FALSE);
  const CapraMatrix *matrices[] = { matrix, matrix };
  enum { WIDTH = 53, HEIGHT = 41 };
  g_autofree float *noise = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 9);
  g_autofree double *values = g_new (double, WIDTH * HEIGHT);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 1, values };
  CapraRect extent = { 30, -11, WIDTH, HEIGHT };
  g_autoptr (CapraArray) input = support_array (support_device (1), WIDTH, HEIGHT, 1, 1, noise);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = noise[i];
  for (guint i = 0; i < 36; i++)
    {
      CapraConvolveOptions options = options_for (i & 1, i % 3, i / 3 % 4);
      CapraRect all, part, source;
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) whole = NULL, cropped = NULL, output = NULL;
      g_autofree float *all_values = NULL;
      g_autofree float *part_values = NULL;
      const float *expected, *got;

      options.stride_x = 1 + (int) i / 12;
      options.stride_y = 1 + (int) (i % 5) / 2;
      all = capra_convolve_extent (&extent, matrix, &options);
      part = (CapraRect){ all.x + all.width / 3, all.y + all.height / 4, all.width / 2, all.height / 3 };
      source = capra_convolve_source (&extent, &part, matrix, &options);
      cropped = support_crop (support_device (1), &image,
                              (CapraRect){ source.x - 30, source.y + 11, source.width, source.height });
      whole = capra_convolve_many (input, matrices, count, &options, NULL, &error);
      g_assert_no_error (error);
      output = capra_convolve_many (cropped, matrices, count, &options, &(CapraWindow){ extent, source, part }, &error);
      g_assert_no_error (error);
      all_values = support_download (whole);
      part_values = support_download (output);
      expected = all_values + (count - 1) * (guint) (all.width * all.height);
      got = part_values + (count - 1) * (guint) (part.width * part.height);
      for (int y = 0; y < part.height; y++)
        for (int x = 0; x < part.width; x++)
          g_assert_cmpfloat_with_epsilon (got[y * part.width + x],
                                          expected[(y + part.y - all.y) * all.width + x + part.x - all.x], 1e-5);
    }
}

static void
test_windows (void)
{
  FOR_EACH_VARIANT (v)
  {
    check_windows (4, 3, 1);
    check_windows (4, 3, 2);
  }
  g_unsetenv ("CAPRA_TUNING");
  check_windows (15, 16, 1);
}

/* Values near the maximum of floats, next to ordinary values. */
static void
test_extremes (void)
{
  enum { WIDTH = 97, HEIGHT = 75 };
  g_autoptr (CapraMatrix) matrix = noise_matrix (9, 11, FALSE);
  g_autofree float *values = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 5);
  g_autofree double *doubles = g_new (double, WIDTH * HEIGHT);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 1, doubles };
  g_autoptr (CapraArray) input = NULL;
  CapraConvolveOptions options = options_for (FALSE, CAPRA_EXTENT_SAME, CAPRA_BORDER_WRAP);
  g_autofree double *expected = NULL;
  double magnitude = 0.0;
  CapraRect kept;

  values[20 * WIDTH + 20] = 3e36f;
  values[21 * WIDTH + 20] = -2e36f;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    doubles[i] = values[i];
  input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
  expected = reference_convolve (&image, matrix, &options, &kept, &magnitude);
  FOR_EACH_VARIANT (v)
  {
    g_autoptr (CapraArray) output = capra_convolve (input, matrix, &options, NULL, NULL);
    g_autofree float *got = support_download (output);

    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        {
          gboolean near = ABS (x - 20) < 9 && ABS (y - 20) < 11;

          g_assert_cmpfloat_with_epsilon (got[y * WIDTH + x], expected[y * WIDTH + x],
                                          1e-5 * magnitude * (near ? 3e36 : 1.0));
        }
  }
}

static void
test_not_finite (void)
{
  enum { WIDTH = 90, HEIGHT = 40 };
  static const float spoilers[] = { NAN, INFINITY, -INFINITY };

  for (int i = 0; i < 6; i++)
    FOR_EACH_VARIANT (v)
    {
      g_autoptr (CapraMatrix) matrix = noise_matrix (i < 3 ? 3 : 7, i < 3 ? 3 : 9, i & 1);
      CapraConvolveOptions options = options_for (TRUE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP);
      g_autofree float *values = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 5);
      g_autofree float *clean = NULL;
      g_autofree float *got = NULL;
      g_autoptr (CapraArray) input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
      g_autoptr (CapraArray) before = capra_convolve (input, matrix, &options, NULL, NULL);
      g_autoptr (CapraArray) output = NULL;

      values[17 * WIDTH + 40] = spoilers[i % 3];
      g_assert_true (capra_array_upload (input, values, NULL));
      output = capra_convolve (input, matrix, &options, NULL, NULL);
      clean = support_download (before);
      got = support_download (output);
      /* Blocks with NaN or infinity are computed directly instead of by Fourier transforms, with other rounding. */
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          {
            if (ABS (x - 40) <= matrix->width / 2 && ABS (y - 17) <= matrix->height / 2)
              g_assert_false (isfinite (got[y * WIDTH + x]));
            else if (v >= FOURIER)
              g_assert_cmpfloat_with_epsilon (got[y * WIDTH + x], clean[y * WIDTH + x], 1e-4);
            else
              g_assert_cmpfloat (got[y * WIDTH + x], ==, clean[y * WIDTH + x]);
          }
    }
}

static void
test_errors (void)
{
  const float values[4] = { 1, 2, 3, 4 };
  g_autoptr (CapraArray) input = support_array (support_device (0), 2, 2, 1, 1, values);

  for (int i = 0; i < 7; i++)
    {
      g_autoptr (CapraMatrix) matrix = noise_matrix (3, 3, FALSE);
      g_autoptr (CapraMatrix) other = noise_matrix (3, i == 6 ? 2 : 3, FALSE);
      const CapraMatrix *both[] = { matrix, other };
      CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;
      CapraWindow window = { { 0, 0, 2, 2 }, { 0, 0, 2, 2 }, { 1, 0, 2, 2 } };
      g_autoptr (GError) error = NULL;

      if (i == 0)
        options.extent = CAPRA_EXTENT_VALID;
      else if (i == 1)
        options.stride_y = 0;
      else if (i == 2)
        options.divisor = NAN;
      else if (i == 3)
        matrix->values[4] = INFINITY;
      else if (i == 4)
        options.divisor = 1e-300;
      g_assert_null (capra_convolve_many (input, both, 2, &options, i == 5 ? &window : NULL, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/convolve/errors", test_errors);
  g_test_add_func ("/convolve/sizes", test_sizes);
  g_test_add_func ("/convolve/extents", test_extents);
  g_test_add_func ("/convolve/types", test_types);
  g_test_add_func ("/convolve/large", test_large);
  g_test_add_func ("/convolve/tiles", test_tiles);
  g_test_add_func ("/convolve/fours", test_fours);
  g_test_add_func ("/convolve/many", test_many);
  g_test_add_func ("/convolve/extremes", test_extremes);
  g_test_add_func ("/convolve/windows", test_windows);
  g_test_add_func ("/convolve/not-finite", test_not_finite);
  return g_test_run ();
}

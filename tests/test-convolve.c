/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of convolution against sums in double precision, in every variant, and of matrices as text. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "support-filter.h"

static const char *const variants[] = {
  "taps.variant=cpu,convolve.variant=cpu", "taps.variant=gpu,convolve.variant=gpu",
  "convolve.separable=100000,convolve.variant=cpu",
};

/* Runs what follows once in each variant. */
#define FOR_EACH_VARIANT(v)                                                                        \
  for (guint v = 0; v < G_N_ELEMENTS (variants) && g_setenv ("CAPRA_TUNING", variants[v], TRUE); v++)

static CapraMatrix *
noise_matrix (int width, int height, gboolean separable)
{
  CapraMatrix *matrix = capra_matrix_new (width, height);
  g_autofree float *noise = support_noise ((gsize) (width * height + width + height), -1.0, 1.0, 17);

  for (int i = 0; i < width * height; i++)
    matrix->values[i] = separable ? noise[i % width] * (double) noise[width + i / width]
                                  : noise[width + height + i];
  return matrix;
}

/* The result's rectangle by numpy's definition of the words, in the image's pixels at stride 1. */
static CapraRect
expected_extent (const SupportFilter *f, int n_x, int n_y, CapraExtent extent)
{
  if (extent == CAPRA_EXTENT_FULL)
    return (CapraRect) { -f->right, -f->bottom, n_x + f->left + f->right, n_y + f->top + f->bottom };
  if (extent == CAPRA_EXTENT_VALID)
    return (CapraRect) { f->left, f->top, n_x - f->left - f->right, n_y - f->top - f->bottom };
  return (CapraRect) { 0, 0, n_x, n_y };
}

/* Convolves noise whole, and in a window, and compares. */
static void
check (const CapraShape *shape, const CapraMatrix *matrix, const CapraConvolveOptions *options)
{
  g_autofree double *values = NULL;
  g_autoptr(CapraArray) input = support_typed_noise (support_device (0), shape, 7, &values);
  SupportImage image = { shape->width, shape->height, shape->depth, shape->channels, values };
  int n = matrix->width * matrix->height, cx = matrix->width / 2, cy = matrix->height / 2;
  int dx = matrix->width - 1 - cx, dy = matrix->height - 1 - cy;
  SupportFilter reach = options->correlate
                          ? (SupportFilter) { NULL, NULL, NULL, cx, dx, cy, dy, 0, 0, options->border }
                          : (SupportFilter) { NULL, NULL, NULL, dx, cx, dy, cy, 0, 0, options->border };
  CapraRect dense = expected_extent (&reach, (int) shape->width, (int) shape->height, options->extent);
  CapraRect kept = { 0, 0, (dense.width + options->stride_x - 1) / options->stride_x,
                     (dense.height + options->stride_y - 1) / options->stride_y };
  gsize count = (gsize) kept.width * (gsize) kept.height * shape->depth * shape->channels;
  g_autofree double *weights = g_new (double, n);
  g_autofree double *expected = NULL;
  double sum = 0.0, magnitude = 0.0, divisor = options->divisor, max = 0.0;

  for (int i = 0; i < n; i++)
    sum += matrix->values[i];
  if (divisor == 0.0)
    divisor = fabs (sum) < 1e-12 ? 1.0 : sum;
  for (int i = 0; i < n; i++)
    {
      weights[i] = matrix->values[options->correlate ? i : n - 1 - i] / divisor;
      magnitude += fabs (weights[i]);
    }
  for (gsize i = 0; i < capra_shape_count (shape); i++)
    max = MAX (max, fabs (values[i]));
  expected = support_filter_matrix (&image, weights, &reach, dense.x, dense.y, options->stride_x,
                                    options->stride_y, kept);
  for (gsize i = 0; i < count; i++)
    expected[i] += options->offset;

  FOR_EACH_VARIANT (v)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(CapraArray) output = capra_convolve (input, matrix, options, NULL, &error);
      g_autofree float *got = NULL;
      g_autofree char *what = g_strdup_printf (
        "%zux%zux%zu, %u channels of %s, matrix %dx%d, correlate %d, extent %d, border %d, "
        "stride %d %d, %s", shape->width, shape->height, shape->depth, shape->channels,
        capra_type_name (shape->type), matrix->width, matrix->height, options->correlate,
        options->extent, options->border, options->stride_x, options->stride_y, variants[v]);

      g_assert_no_error (error);
      g_assert_cmpuint (capra_array_get_shape (output)->width, ==, kept.width);
      g_assert_cmpuint (capra_array_get_shape (output)->height, ==, kept.height);
      got = support_pull (output);
      support_assert_close (got, expected, count,
                            1e-5 * MAX (max * magnitude, fabs (options->offset)), what);
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

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
    for (guint i = 0; i < support_n_sizes; i++)
      {
        g_autoptr(CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height,
                                                      m & 1);
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

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
    for (int correlate = 0; correlate < 2; correlate++)
      for (int extent = CAPRA_EXTENT_SAME; extent <= CAPRA_EXTENT_VALID; extent++)
        for (int stride = 1; stride < 4; stride++)
          {
            g_autoptr(CapraMatrix) matrix = noise_matrix ((int) matrices[m].width,
                                                          (int) matrices[m].height, stride == 2);
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
  g_autoptr(CapraMatrix) matrix = noise_matrix (4, 3, FALSE);
  g_autoptr(CapraMatrix) separable = noise_matrix (7, 5, TRUE);

  /* Each is a build of its own; the other types differ in nothing but their name. */
  static const CapraType types[] = { CAPRA_U8, CAPRA_I16, CAPRA_U32, CAPRA_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
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

/* Large matrices, also larger than the image, and weights beyond constant memory. */
static void
test_large (void)
{
  static const SupportSize matrices[] = { { 63, 63 }, { 255, 3 }, { 5, 255 }, { 255, 255 } };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
    for (int separable = 0; separable < 2; separable++)
      {
        g_autoptr(CapraMatrix) matrix = noise_matrix ((int) matrices[m].width, (int) matrices[m].height,
                                                      separable);
        CapraShape shape = CAPRA_SHAPE_2D (37, 19, CAPRA_F32);
        CapraConvolveOptions options = options_for (separable, CAPRA_EXTENT_SAME,
                                                    (CapraBorder) (m + (guint) separable) % 4);

        check (&shape, matrix, &options);
      }
}

/* Windows: every part of the result is what it is in the whole. */
static void
test_windows (void)
{
  g_autoptr(CapraMatrix) matrix = noise_matrix (4, 3, FALSE);
  enum { WIDTH = 53, HEIGHT = 41 };
  g_autofree float *noise = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 9);
  g_autofree double *values = g_new (double, WIDTH * HEIGHT);
  SupportImage image = { WIDTH, HEIGHT, 1, 1, values };
  CapraRect extent = { 30, -11, WIDTH, HEIGHT };
  g_autoptr(CapraArray) input = support_array (support_device (1), WIDTH, HEIGHT, 1, 1, noise);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = noise[i];
  for (guint i = 0; i < 36; i++)
    {
      CapraConvolveOptions options = options_for (i & 1, i % 3, i / 3 % 4);
      CapraRect all, part, source;
      g_autoptr(GError) error = NULL;
      g_autoptr(CapraArray) whole = NULL, cropped = NULL, output = NULL;
      g_autofree float *expected = NULL;
      g_autofree float *got = NULL;

      options.stride_x = 1 + (int) i / 12;
      options.stride_y = 1 + (int) (i % 5) / 2;
      all = capra_convolve_extent (&extent, matrix, &options);
      part = (CapraRect) { all.x + all.width / 3, all.y + all.height / 4, all.width / 2, all.height / 3 };
      source = capra_convolve_source (&extent, &part, matrix, &options);
      cropped = support_crop (support_device (1), &image, (CapraRect) { source.x - 30, source.y + 11,
                                                                        source.width, source.height });
      whole = capra_convolve (input, matrix, &options, NULL, &error);
      g_assert_no_error (error);
      output = capra_convolve (cropped, matrix, &options, &(CapraWindow) { extent, source, part }, &error);
      g_assert_no_error (error);
      expected = support_pull (whole);
      got = support_pull (output);
      for (int y = 0; y < part.height; y++)
        for (int x = 0; x < part.width; x++)
          g_assert_cmpfloat_with_epsilon (
            got[y * part.width + x],
            expected[(y + part.y - all.y) * all.width + x + part.x - all.x], 1e-5);
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
        g_autoptr(CapraMatrix) matrix = noise_matrix (i < 3 ? 3 : 7, i < 3 ? 3 : 9, i & 1);
        CapraConvolveOptions options = options_for (TRUE, CAPRA_EXTENT_SAME, CAPRA_BORDER_CLAMP);
        g_autofree float *values = support_noise (WIDTH * HEIGHT, -1.0, 1.0, 5);
        g_autofree float *clean = NULL;
        g_autofree float *got = NULL;
        g_autoptr(CapraArray) input = support_array (support_device (0), WIDTH, HEIGHT, 1, 1, values);
        g_autoptr(CapraArray) before = capra_convolve (input, matrix, &options, NULL, NULL);
        g_autoptr(CapraArray) output = NULL;

        values[17 * WIDTH + 40] = spoilers[i % 3];
        g_assert_true (capra_array_push (input, values, NULL));
        output = capra_convolve (input, matrix, &options, NULL, NULL);
        clean = support_pull (before);
        got = support_pull (output);
        for (int y = 0; y < HEIGHT; y++)
          for (int x = 0; x < WIDTH; x++)
            {
              if (ABS (x - 40) <= matrix->width / 2 && ABS (y - 17) <= matrix->height / 2)
                g_assert_false (isfinite (got[y * WIDTH + x]));
              else
                g_assert_cmpfloat (got[y * WIDTH + x], ==, clean[y * WIDTH + x]);
            }
      }
}

static void
test_parse (void)
{
  static const struct { const char *text; int width, height; double sum; } good[] = {
    { "1 2 1; 2 4 2; 1 2 1", 3, 3, 16 },
    { "1,2,1\n2,4,2\r\n1, 2 ,1\n", 3, 3, 16 },
    { "# a comment; with 3 4 5\n\n -1.5e0 # and 7\n;\n", 1, 1, -1.5 },
    { "  .5\t.25;;", 2, 1, 0.75 },
  };
  static const struct { const char *text, *message; } bad[] = {
    { "", "no numbers" }, { " ; \n # 1\n", "no numbers" },
    { "1 2; 3", "row 2 has 1 numbers" }, { "1 2; 3 4 5", "row 2 has 3 numbers" },
    { "1 2\n3 x", "row 2, number 2: \"x\"" }, { "1 2.5.1", "row 1, number 2" },
    { "1 nan", "row 1, number 2" }, { "inf", "row 1, number 1" }, { "1 1e999", "row 1, number 2" },
    { "1,,2", "row 1, number 2 is missing" }, { ",1", "row 1, number 1 is missing" },
    { "1 2,; 3 4", "row 1, number 3 is missing" }, { "1;0,5 2", "row 2 has 3 numbers" },
  };

  /* Numbers are written with points, whatever the user's language. */
  setlocale (LC_ALL, "de_DE.UTF-8");
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(CapraMatrix) matrix = capra_matrix_parse (good[i].text, &error);
      double sum = 0.0;

      g_assert_no_error (error);
      g_assert_cmpint (matrix->width, ==, good[i].width);
      g_assert_cmpint (matrix->height, ==, good[i].height);
      for (int k = 0; k < matrix->width * matrix->height; k++)
        sum += matrix->values[k];
      g_assert_cmpfloat (sum, ==, good[i].sum);
    }
  setlocale (LC_ALL, "C");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (capra_matrix_parse (bad[i].text, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      if (!strstr (error->message, bad[i].message))
        g_error ("\"%s\" gives: %s", bad[i].text, error->message);
    }
}

static void
test_parse_size (void)
{
  g_autoptr(GString) wide = g_string_new (NULL);
  g_autoptr(GString) high = g_string_new (NULL);
  g_autoptr(CapraMatrix) largest = NULL;

  for (int i = 0; i < CAPRA_MATRIX_MAX; i++)
    g_string_append (high, "1;");
  largest = capra_matrix_parse (high->str, NULL);
  g_assert_cmpint (largest->height, ==, CAPRA_MATRIX_MAX);
  g_string_append (high, "1;");
  for (int i = 0; i <= CAPRA_MATRIX_MAX; i++)
    g_string_append (wide, "1 ");
  g_assert_null (capra_matrix_parse (high->str, NULL));
  g_assert_null (capra_matrix_parse (wide->str, NULL));
  g_assert_null (capra_matrix_new (0, 1));
  g_assert_null (capra_matrix_new (1, CAPRA_MATRIX_MAX + 1));
}

static void
test_errors (void)
{
  const float values[4] = { 1, 2, 3, 4 };
  g_autoptr(CapraArray) input = support_array (support_device (0), 2, 2, 1, 1, values);

  for (int i = 0; i < 6; i++)
    {
      g_autoptr(CapraMatrix) matrix = noise_matrix (3, 3, FALSE);
      CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;
      CapraWindow window = { { 0, 0, 2, 2 }, { 0, 0, 2, 2 }, { 1, 0, 2, 2 } };
      g_autoptr(GError) error = NULL;

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
      g_assert_null (capra_convolve (input, matrix, &options, i == 5 ? &window : NULL, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/convolve/parse", test_parse);
  g_test_add_func ("/convolve/parse-size", test_parse_size);
  g_test_add_func ("/convolve/errors", test_errors);
  g_test_add_func ("/convolve/sizes", test_sizes);
  g_test_add_func ("/convolve/extents", test_extents);
  g_test_add_func ("/convolve/types", test_types);
  g_test_add_func ("/convolve/large", test_large);
  g_test_add_func ("/convolve/windows", test_windows);
  g_test_add_func ("/convolve/not-finite", test_not_finite);
  return g_test_run ();
}

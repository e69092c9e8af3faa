/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of convolution: direct, with two passes, with several matrices, and by Fourier transforms. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-filter.h"

/* As convolve.h says: of the largest input times the sum of the weights' magnitudes. */
#define TOLERANCE 1e-5

typedef struct {
  CapraShape shape;
  int width, height; /* of the matrix */
  gboolean product;  /* the matrix is the product of a column and a row */
  CapraExtent extent;
  int stride;
} Case;

static CapraMatrix *
make_matrix (const Case *c, guint32 seed)
{
  CapraMatrix *matrix = capra_matrix_new (c->width, c->height);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  double row[CAPRA_MATRIX_MAX], column[CAPRA_MATRIX_MAX];

  for (int i = 0; i < c->width; i++)
    row[i] = g_rand_double_range (random, -1, 1);
  for (int j = 0; j < c->height; j++)
    column[j] = g_rand_double_range (random, -1, 1);
  for (int i = 0; i < c->width * c->height; i++)
    matrix->values[i] = c->product ? row[i % c->width] * column[i / c->width] : g_rand_double_range (random, -1, 1);
  return matrix;
}

static void
describe (Check *check, const Case *c, int border)
{
  check_case (check, "%zux%zux%zu, %u channels of %s, matrix %dx%d, extent %d, stride %d, border %d", c->shape.width,
              c->shape.height, c->shape.depth, c->shape.channels, capra_type_name (c->shape.type), c->width, c->height,
              c->extent, c->stride, border);
}

static CapraConvolveOptions
make_options (const Case *c, int border)
{
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.correlate = border % 2;
  options.offset = 0.25;
  options.extent = c->extent;
  options.border = (CapraBorder) border;
  options.stride_x = c->stride;
  options.stride_y = 1 + c->stride / 2;
  return options;
}

/* Convolves noise with each border. */
static gboolean
check_matrix (Check *check, const Case *c)
{
  g_autoptr (CapraMatrix) matrix = make_matrix (c, 17);
  ReferenceImage image = { c->shape.width, c->shape.height, c->shape.depth, c->shape.channels, NULL };

  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
    {
      CapraConvolveOptions options = make_options (c, border);
      g_autofree double *values = NULL, *expected = NULL;
      g_autoptr (CapraArray) input = check_noise (check, &c->shape, 7, &values);
      double magnitude = 0, largest = check_largest (values, capra_shape_count (&c->shape));
      CapraRect kept;

      describe (check, c, border);
      image.values = values;
      expected = reference_convolve (&image, matrix, &options, &kept, &magnitude);
      if (!input
          || !check_values (check, capra_convolve (input, matrix, &options, NULL, &check->error), expected,
                            TOLERANCE * MAX (largest * magnitude, options.offset)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_matrices (Check *check, const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!check_matrix (check, &cases[i]))
      return FALSE;
  return TRUE;
}

/* NaN and infinity change the outputs whose window they are in, and no others by more than rounding. */
static gboolean
check_not_finite (Check *check, int size)
{
  enum { WIDTH = 90, HEIGHT = 40, X = 40, Y = 17 };
  static const float spoilers[] = { NAN, INFINITY };
  Case c = { { WIDTH, HEIGHT, 1, 1, CAPRA_F32 }, size, size, FALSE, CAPRA_EXTENT_SAME, 1 };
  CapraConvolveOptions options = make_options (&c, CAPRA_BORDER_CLAMP);
  g_autoptr (CapraMatrix) matrix = make_matrix (&c, 5);
  g_autofree double *values = g_new (double, WIDTH * HEIGHT), *expected = NULL;
  g_autofree float *noise = g_new (float, WIDTH * HEIGHT);
  double magnitude = 0;
  CapraRect kept;

  reference_noise (&c.shape, 5, noise, values);
  expected = reference_convolve (&(ReferenceImage){ WIDTH, HEIGHT, 1, 1, values }, matrix, &options, &kept, &magnitude);
  for (guint i = 0; i < G_N_ELEMENTS (spoilers); i++)
    {
      g_autoptr (CapraArray) input = NULL, output = NULL;
      g_autofree float *found = g_new (float, WIDTH * HEIGHT);

      check_case (check, "%dx%d with %g at %d, %d, matrix %dx%d", WIDTH, HEIGHT, spoilers[i], X, Y, size, size);
      noise[Y * WIDTH + X] = spoilers[i];
      input = check_upload (check, &c.shape, noise);
      output = input ? capra_convolve (input, matrix, &options, NULL, &check->error) : NULL;
      if (!output || !capra_array_download (output, found, &check->error))
        return FALSE;
      for (int at = 0; at < WIDTH * HEIGHT; at++)
        {
          gboolean near = ABS (at % WIDTH - X) <= size / 2 && ABS (at / WIDTH - Y) <= size / 2;

          if (near ? isfinite (found[at]) : !(fabs (found[at] - expected[at]) <= TOLERANCE * magnitude))
            return check_difference (check, "column %d, row %d: found %.9g, expected %.9g", at % WIDTH, at / WIDTH,
                                     found[at], near ? (double) spoilers[i] : expected[at]);
        }
    }
  return TRUE;
}

#define F32_IMAGE(w, h) \
  { \
    (w), (h), 1, 1, CAPRA_F32 \
  }

/* Few weights, many weights, weights that do not fit into constant memory, and strides. */
static gboolean
run_convolve (Check *check)
{
  static const Case cases[] = {
    { F32_IMAGE (1, 1), 3, 3, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (33, 31), 3, 3, FALSE, CAPRA_EXTENT_FULL, 1 },
    { F32_IMAGE (131, 67), 7, 5, FALSE, CAPRA_EXTENT_VALID, 1 },
    { F32_IMAGE (37, 12), 4, 3, FALSE, CAPRA_EXTENT_SAME, 3 },
    { F32_IMAGE (37, 19), 15, 17, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (400, 1), 9, 1, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (37, 19), 255, 3, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (37, 19), 255, 255, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 400, 150, 1, 4, CAPRA_F32 }, 8, 7, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 41, 13, 2, 3, CAPRA_U8 }, 4, 3, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 41, 13, 1, 2, CAPRA_I16 }, 4, 3, FALSE, CAPRA_EXTENT_FULL, 2 },
  };

  return check_matrices (check, cases, check->full ? G_N_ELEMENTS (cases) : 4) && check_not_finite (check, 3);
}

static const char *const convolve_variants[] = { "taps.variant=vector,convolve.variant=vector,"
                                                 "convolve.separable=100000,convolve.fourier=100000",
                                                 "taps.variant=group,convolve.variant=group,"
                                                 "convolve.separable=100000,convolve.fourier=100000",
                                                 NULL };
const CheckFamily check_convolve = { .name = "convolve", .variants = convolve_variants, .run = run_convolve };

/* Matrices of rank 1. */
static gboolean
run_convolve_separable (Check *check)
{
  static const Case cases[] = {
    { F32_IMAGE (131, 67), 7, 5, TRUE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (37, 19), 31, 29, TRUE, CAPRA_EXTENT_FULL, 1 },
    { F32_IMAGE (1, 1), 7, 5, TRUE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (37, 19), 63, 63, TRUE, CAPRA_EXTENT_SAME, 1 },
    { { 400, 150, 1, 4, CAPRA_F32 }, 7, 5, TRUE, CAPRA_EXTENT_SAME, 1 },
    { { 41, 13, 1, 3, CAPRA_U32 }, 7, 5, TRUE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (61, 47), 7, 5, TRUE, CAPRA_EXTENT_SAME, 2 },
  };

  return check_matrices (check, cases, check->full ? G_N_ELEMENTS (cases) : 2);
}

static const char *const rank_variants[] = { "taps.variant=vector,convolve.variant=vector,convolve.separable=0",
                                             "taps.variant=group,convolve.variant=group,convolve.separable=0", NULL };
const CheckFamily check_convolve_separable = { .name = "convolve-separable",
                                               .variants = rank_variants,
                                               .run = run_convolve_separable };

/* One image with several matrices, up to 49 weights in one launch, and with more. */
static gboolean
check_many (Check *check, const Case *c, int border)
{
  enum { COUNT = 5 };
  CapraConvolveOptions options = make_options (c, border);
  g_autofree double *values = NULL, *expected = NULL;
  g_autoptr (CapraArray) input = check_noise (check, &c->shape, 7, &values);
  ReferenceImage image = { c->shape.width, c->shape.height, c->shape.depth, c->shape.channels, values };
  CapraMatrix *matrices[COUNT];
  CapraArray *output = NULL;
  double largest = 0;
  gsize count = 0;

  describe (check, c, border);
  for (guint m = 0; m < COUNT; m++)
    {
      g_autofree double *plane = NULL;
      double magnitude = 0;
      CapraRect kept;

      matrices[m] = make_matrix (c, m);
      plane = reference_convolve (&image, matrices[m], &options, &kept, &magnitude);
      count = (gsize) (kept.width * kept.height) * c->shape.depth * c->shape.channels;
      expected = g_renew (double, expected, COUNT *count);
      for (gsize i = 0; i < count; i++)
        expected[m * count + i] = plane[i];
      largest = MAX (largest, magnitude);
    }
  if (input)
    output = capra_convolve_many (input, (const CapraMatrix *const *) matrices, COUNT, &options, NULL, &check->error);
  for (guint m = 0; m < COUNT; m++)
    capra_matrix_free (matrices[m]);
  return check_values (check, output, expected, TOLERANCE * largest);
}

static gboolean
run_convolve_many (Check *check)
{
  static const Case cases[] = {
    { F32_IMAGE (47, 29), 4, 4, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 47, 29, 2, 4, CAPRA_F32 }, 3, 2, FALSE, CAPRA_EXTENT_FULL, 3 },
    { F32_IMAGE (47, 29), 9, 8, FALSE, CAPRA_EXTENT_VALID, 1 },
  };

  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (cases) : 1); i++)
    for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
      if (!check_many (check, &cases[i], border))
        return FALSE;
  return TRUE;
}

static const char *const many_variants[] = { "convolve.variant=vector", "convolve.variant=group", NULL };
const CheckFamily check_convolve_many = { .name = "convolve-many",
                                          .variants = many_variants,
                                          .run = run_convolve_many };

/* Several tiles with a border on all sides, incomplete tiles, matrices larger than the image, and than a tile. */
static gboolean
run_fourier (Check *check)
{
  static const Case cases[] = {
    { F32_IMAGE (151, 143), 19, 17, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (37, 19), 79, 3, FALSE, CAPRA_EXTENT_SAME, 1 },
    { F32_IMAGE (1, 1), 19, 17, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 70, 66, 2, 4, CAPRA_F32 }, 12, 31, FALSE, CAPRA_EXTENT_FULL, 1 },
    { F32_IMAGE (37, 19), 63, 63, FALSE, CAPRA_EXTENT_SAME, 1 },
    { { 151, 143, 1, 1, CAPRA_U8 }, 31, 31, FALSE, CAPRA_EXTENT_VALID, 1 },
  };

  return check_matrices (check, cases, check->full ? G_N_ELEMENTS (cases) : 3) && check_not_finite (check, 17);
}

static const char *const fourier_variants[] = { "convolve.variant=vector,convolve.fourier=0",
                                                "convolve.variant=group,convolve.fourier=0", NULL };
const CheckFamily check_fourier = { .name = "convolve-fourier", .variants = fourier_variants, .run = run_fourier };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of buffers of more than 4 GiB, whose positions do not fit into 32 bits: an image of zeros with noise in its
 * last corner, where results are compared. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-filter.h"

#define SIDE 65537 /* squared, it is 2^32 + 131073 */
#define CORNER_WIDTH 2000
#define CORNER_HEIGHT 96
#define RESULT_WIDTH 1000
#define RESULT_HEIGHT 32
#define RADIUS 9

/* Where results are compared: in the corner, and in the image. The rest of the corner is as wide as a filter reaches.
 */
static const CapraRect in_corner = { CORNER_WIDTH - RESULT_WIDTH, CORNER_HEIGHT - RESULT_HEIGHT, RESULT_WIDTH,
                                     RESULT_HEIGHT };
static const CapraWindow window = { { 0, 0, SIDE, SIDE },
                                    { 0, 0, SIDE, SIDE },
                                    { SIDE - RESULT_WIDTH, SIDE - RESULT_HEIGHT, RESULT_WIDTH, RESULT_HEIGHT } };

/* The image; @corner gets its corner. */
static CapraArray *
make_image (Check *check, double **corner)
{
  CapraShape shape = CAPRA_SHAPE_2D (CORNER_WIDTH, CORNER_HEIGHT, CAPRA_U8);
  g_autoptr (CapraArray) noise = NULL, image = NULL;

  check_case (check, "%dx%d of u8", SIDE, SIDE);
  noise = check_noise (check, &shape, 1, corner);
  image = noise ? capra_array_new (check->device, &CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_U8), &check->error) : NULL;
  if (!image
      || !capra_array_copy_rect (image, SIDE - CORNER_WIDTH, SIDE - CORNER_HEIGHT, noise, 0, 0, CORNER_WIDTH,
                                 CORNER_HEIGHT, &check->error))
    return NULL;
  return g_steal_pointer (&image);
}

/* The part of @corner that is compared. */
static double *
compared_part (const double *corner)
{
  double *part = g_new (double, RESULT_WIDTH *RESULT_HEIGHT);

  for (gsize i = 0; i < RESULT_WIDTH * RESULT_HEIGHT; i++)
    part[i] = corner[(i / RESULT_WIDTH + (gsize) in_corner.y) * CORNER_WIDTH + i % RESULT_WIDTH + (gsize) in_corner.x];
  return part;
}

static gboolean
run_crop (Check *check)
{
  g_autofree double *corner = NULL, *expected = NULL;
  g_autoptr (CapraArray) image = make_image (check, &corner);

  expected = compared_part (corner);
  return image && check_values (check, capra_crop (image, &window.result, &check->error), expected, 0);
}

const CheckFamily check_large_crop = { .name = "large-crop", .large = TRUE, .run = run_crop };

static gboolean
run_threshold (Check *check)
{
  g_autofree double *corner = NULL, *expected = NULL;
  g_autoptr (CapraArray) image = make_image (check, &corner), mask = NULL, part = NULL;

  expected = compared_part (corner);
  for (gsize i = 0; i < RESULT_WIDTH * RESULT_HEIGHT; i++)
    expected[i] = expected[i] >= 100 ? 255 : 0;
  mask = image ? capra_threshold_mask (image, 100, INFINITY, CAPRA_U8, &check->error) : NULL;
  part = mask ? capra_array_new (check->device, &CAPRA_SHAPE_2D (RESULT_WIDTH, RESULT_HEIGHT, CAPRA_U8), &check->error)
              : NULL;
  return part
         && capra_array_copy_rect (part, 0, 0, mask, (gsize) window.result.x, (gsize) window.result.y, RESULT_WIDTH,
                                   RESULT_HEIGHT, &check->error)
         && check_values (check, g_steal_pointer (&part), expected, 0);
}

const CheckFamily check_large_threshold = { .name = "large-threshold", .large = TRUE, .run = run_threshold };

static gboolean
run_statistics (Check *check)
{
  g_autofree double *corner = NULL;
  g_autoptr (CapraArray) image = make_image (check, &corner);
  double sum = 0, count = (double) SIDE * SIDE;
  CapraStatistics s;

  for (gsize i = 0; i < CORNER_WIDTH * CORNER_HEIGHT; i++)
    sum += corner[i];
  return image && capra_statistics (image, CAPRA_STATISTICS_ALL, &s, &check->error)
         && check_number (check, "count", (double) s.count, count, 0)
         && check_number (check, "max", s.max, check_largest (corner, CORNER_WIDTH * CORNER_HEIGHT), 0)
         && check_number (check, "sum", s.sum, sum, 1e-5 * sum) && check_number (check, "median", s.median, 0, 0);
}

const CheckFamily check_large_statistics = { .name = "large-statistics", .large = TRUE, .run = run_statistics };

typedef CapraArray *(*Filter) (CapraArray *image, GError **error);

/* Compares the corner of the filtered image with the filtered corner alone. */
static gboolean
run_filter (Check *check, Filter filter, double *(*expect) (const ReferenceImage *corner))
{
  g_autofree double *corner = NULL, *expected = NULL;
  g_autoptr (CapraArray) image = make_image (check, &corner);

  if (!image)
    return FALSE;
  expected = expect (&(ReferenceImage){ CORNER_WIDTH, CORNER_HEIGHT, 1, 1, corner });
  return check_values (check, filter (image, &check->error), expected, 1e-5 * 255);
}

static CapraArray *
blur_gaussian (CapraArray *image, GError **error)
{
  return capra_gaussian_blur (image, (const double[]){ 2, 2, 0 }, CAPRA_GAUSSIAN_SAMPLED, 4, CAPRA_BORDER_CLAMP,
                              &window, error);
}

static double *
expect_gaussian (const ReferenceImage *corner)
{
  return reference_gaussian (corner, (const double[]){ 2, 2, 0 }, 4, CAPRA_BORDER_CLAMP, in_corner);
}

static gboolean
run_gaussian (Check *check)
{
  return run_filter (check, blur_gaussian, expect_gaussian);
}

const CheckFamily check_large_gaussian = { .name = "large-gaussian", .large = TRUE, .run = run_gaussian };

static CapraArray *
blur_box (CapraArray *image, GError **error)
{
  return capra_box_blur (image, (const int[]){ RADIUS, RADIUS, 0 }, CAPRA_BORDER_CLAMP, &window, error);
}

static double *
expect_box (const ReferenceImage *corner)
{
  return reference_box (corner, (const int[]){ RADIUS, RADIUS, 0 }, CAPRA_BORDER_CLAMP, in_corner);
}

static gboolean
run_box (Check *check)
{
  return run_filter (check, blur_box, expect_box);
}

const CheckFamily check_large_box = { .name = "large-box-blur", .large = TRUE, .run = run_box };

/* 3x3 weights whose magnitudes sum to 1. */
#define WEIGHTS \
  { \
    0.1, -0.2, 0.05, 0.15, 0.2, -0.05, 0.1, 0.05, 0.1 \
  }

static CapraArray *
convolve (CapraArray *image, GError **error)
{
  double weights[] = WEIGHTS;
  CapraMatrix matrix = { 3, 3, weights };
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.correlate = TRUE;
  options.border = CAPRA_BORDER_CLAMP;
  return capra_convolve (image, &matrix, &options, &window, error);
}

static double *
expect_convolution (const ReferenceImage *corner)
{
  const double weights[] = WEIGHTS;
  ReferenceFilter reach = { NULL, NULL, NULL, 1, 1, 1, 1, 0, 0, CAPRA_BORDER_CLAMP };

  return reference_filter_matrix (corner, weights, &reach, 0, 0, 1, 1, in_corner);
}

static gboolean
run_convolve (Check *check)
{
  return run_filter (check, convolve, expect_convolution);
}

const CheckFamily check_large_convolve = { .name = "large-convolve", .large = TRUE, .run = run_convolve };

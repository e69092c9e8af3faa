/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The design of the filters that decimate a wide Gaussian: an image is downsampled to coarse samples, these are
 * blurred, and upsampled.
 *
 * In the vector variant both filters are Gaussians with s1 = 0.9 factor, and the coarse samples are blurred with the
 * rest of the variance, √(σ² - 2 s1²). With factor <= 0.5 σ the aliasing is below 3e-6 of the values' range:
 * exp (-2π² 0.81 (1 - s1²/σ²)).
 *
 * In the group variant the two filters suffice: with s1 = 0.63 σ and factor <= 0.6 σ the aliasing,
 * exp (-2π² s1² (1 - s1²/σ²) / factor²), is 1.2e-6. The upsampling weights are the least-squares fit to the Gaussian,
 * given the downsampling weights and the number of taps; the largest error for inputs of 0 to 1 is 5e-6 along an axis.
 * Where the largest factor is too small for that, the filters implement the widest Gaussian they can, and the coarse
 * samples are blurred with the rest. */
#include <math.h>

#include "algorithms/gaussian/gaussian-block.h"
#include "algorithms/gaussian/gaussian-design.h"
#include "runtime/device/tuning.h"

/* An axis with at most this many taps is blurred directly, in the vector and in the group variant. */
#define MAX_DIRECT_TAPS_VECTOR 48
#define MAX_DIRECT_TAPS_GROUP 40
/* A filter that reaches further than this many times the axis' length is applied directly, unless the coarse samples
 * outside the image repeat: there would be more of them than inside. */
#define MAX_REACH_RATIO 6

/* Vector variant: s1 by the factor, taps to either side, the largest factor by sigma. Factors are powers of 2. */
#define PREFILTER 0.9
#define SIDE 4
#define TAPS (2 * SIDE + 1)
#define VECTOR_DENSITY 0.5
#define LARGEST_FACTOR 16

/* Group variant: the factors, close enough to each other for the taps below; the largest factor by sigma. */
static const int factors[] = { 30, 24, 20, 16, 12, 8, 6, 4, 3, 2 };
#define DENSITY 0.6000001
/* Where the tuned factor would leave a blur of the coarse samples too wide for one pass (CAPRA_GAUSSIAN_BLOCK_REACH),
 * the factor is sigma divided by this. */
#define SPARSITY 5.5
/* s1 by sigma. */
#define SHARE 0.63
/* The numbers of downsampling and upsampling taps that suffice up to a ratio of sigma to the factor. */
static const struct {
  double sigma;
  int down, up;
} pairs[] = { { 1.76, 10, 12 }, { 2.05, 12, 14 }, { 2.52, 14, 16 } };
#define MOST_TAPS 16

/* Coarse samples that are kept outside an image's ends where all further ones are equal. */
#define MARGIN 8
/* The first position of axes of coarse samples without end. */
#define MIDDLE (48 << 22)
/* The maximum length of an image. */
#define MAX_LENGTH (1 << 28)

/* Whether the coarse samples outside the image follow the border rule of @axis, or become constant. */
static gboolean
coarse_repeats (CapraDevice *device, const CapraAxis *axis, int factor)
{
  if (axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP)
    return TRUE;
  /* A coarse sample on the image's edge is its own mirror image, which no border rule supports. */
  if (axis->border == CAPRA_BORDER_MIRROR && capra_gaussian_uses_groups (device))
    return FALSE;
  return axis->length % factor == 0;
}

static int
factor_of_sigma (gboolean uses_groups, int most, double sigma)
{
  int factor = LARGEST_FACTOR;

  if (uses_groups)
    {
      for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        if (factors[i] <= MAX (most, sigma / SPARSITY) && factors[i] <= sigma * DENSITY)
          return factors[i];
      return 1;
    }
  while (factor > 1 && (factor > most || factor > sigma * VECTOR_DENSITY))
    factor /= 2;
  return factor;
}

/* Whether a blur that reaches @reach samples to each side is made directly. */
static gboolean
is_direct (gboolean uses_groups, double reach, double length, gboolean is_coarse)
{
  if (uses_groups && is_coarse && reach <= CAPRA_GAUSSIAN_BLOCK_REACH)
    return TRUE;
  return MIN (2.0 * reach + 1.0, 2.0 * length) <= (uses_groups ? MAX_DIRECT_TAPS_GROUP : MAX_DIRECT_TAPS_VECTOR);
}

int
capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean is_coarse)
{
  gboolean uses_groups = capra_gaussian_uses_groups (device);
  double reach = ceil (sigma * CAPRA_GAUSSIAN_FULL);
  int factor = factor_of_sigma (uses_groups, capra_tuning_get_int (device, "gaussian.factor", 8), sigma);

  if (is_direct (uses_groups, reach, axis->length, is_coarse))
    return 1;
  if (reach > MAX_REACH_RATIO * (double) axis->length && !coarse_repeats (device, axis, factor))
    return 1;
  return factor;
}

int
capra_gaussian_coarse_axis (CapraDevice *device, const CapraAxis *axis, int factor, double sigma, CapraAxis *coarse)
{
  *coarse = (CapraAxis){ .number = axis->number,
                         .planes = axis->planes,
                         .stride = 1,
                         .border = axis->border,
                         .image = (axis->image + factor - 1) / factor };
  if (sigma <= 0.0 || !coarse_repeats (device, axis, factor))
    {
      /* Separate coarse samples for everything outside the image. */
      coarse->border = CAPRA_BORDER_NONE;
      coarse->length = 2 * MIDDLE - 1;
      return -MIDDLE;
    }
  if (axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP)
    {
      coarse->length = (axis->length + factor - 1) / factor + 2 * MARGIN;
      return -MARGIN;
    }
  coarse->length = axis->length / factor;
  return 0;
}

/* The taps of downsampling and upsampling; returns the sigma with which the coarse samples are to be blurred. */
static double
choose_taps (gboolean uses_groups, double sigma, int factor, int *down, int *up)
{
  guint pair = 0;
  double both = sigma;

  if (!uses_groups)
    {
      *down = *up = TAPS;
      return sqrt (sigma * sigma - 2.0 * PREFILTER * PREFILTER * factor * factor) / factor;
    }
  if (sigma > pairs[G_N_ELEMENTS (pairs) - 1].sigma * factor)
    both = factor / DENSITY;
  while (both > pairs[pair].sigma * factor)
    pair++;
  *down = pairs[pair].down;
  *up = pairs[pair].up;
  return sqrt (sigma * sigma - both * both) / factor;
}

/* How far an output's samples reach if coarse samples are blurred with @coarse_reach others to each side. An output may
 * be at either end of its coarse sample. */
static int
reach_by_coarse (int factor, int down, int up, int coarse_reach)
{
  gint64 before = (up - 1) / 2 + down / 2 + (gint64) coarse_reach + 1;
  gint64 after = up / 2 + (down + 1) / 2 + (gint64) coarse_reach;

  return (int) MIN (MAX (before, after) * factor, MAX_LENGTH);
}

int
capra_gaussian_reach (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean is_coarse)
{
  int factor = sigma > 0.0 ? capra_gaussian_factor (device, axis, sigma, is_coarse) : 1, down = 0, up = 0;
  double rest = 0.0;
  CapraAxis coarse;

  if (factor == 1)
    return (int) MIN (ceil (sigma * CAPRA_GAUSSIAN_FULL), MAX_LENGTH);
  rest = choose_taps (capra_gaussian_uses_groups (device), sigma, factor, &down, &up);
  capra_gaussian_coarse_axis (device, axis, factor, rest, &coarse);
  return reach_by_coarse (factor, down, up, capra_gaussian_reach (device, &coarse, rest, TRUE));
}

/* The same on an axis that is longer than any filter. */
static int
farthest_by (gboolean uses_groups, int most, double sigma, gboolean is_coarse)
{
  double reach = ceil (sigma * CAPRA_GAUSSIAN_FULL), rest = 0.0;
  int factor = factor_of_sigma (uses_groups, most, sigma), direct = (int) MIN (reach, MAX_LENGTH), down = 0, up = 0;

  if (sigma <= 0.0 || factor == 1 || is_direct (uses_groups, reach, MAX_LENGTH, is_coarse))
    return direct;
  rest = choose_taps (uses_groups, sigma, factor, &down, &up);
  return MAX (direct, reach_by_coarse (factor, down, up, farthest_by (uses_groups, most, rest, TRUE)));
}

int
capra_gaussian_max_reach (double sigma)
{
  int farthest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    farthest = MAX (farthest, farthest_by (TRUE, factors[i], sigma, FALSE));
  for (int factor = 1; factor <= LARGEST_FACTOR; factor *= 2)
    farthest = MAX (farthest, farthest_by (FALSE, factor, sigma, FALSE));
  return farthest;
}

static double
gauss (double x, double sigma)
{
  return exp (-0.5 * pow (x / sigma, 2));
}

/* The Gaussian at @count offsets from @first on, @step apart, normalized. */
static void
fill_weights (float *weights, int count, double first, double step, double sigma)
{
  g_autofree double *values = g_new (double, count);
  double sum = 0.0;

  for (int i = 0; i < count; i++)
    {
      values[i] = gauss (first + i * step, sigma);
      sum += values[i];
    }
  for (int i = 0; i < count; i++)
    weights[i] = (float) (values[i] / sum);
}

/* The Cholesky factor of the Toeplitz matrix of @products. */
static void
factorize (const double *products, int count, double triangle[MOST_TAPS][MOST_TAPS])
{
  for (int i = 0; i < count; i++)
    for (int j = 0; j <= i; j++)
      {
        double sum = products[i - j];

        for (int k = 0; k < j; k++)
          sum -= triangle[i][k] * triangle[j][k];
        triangle[i][j] = i == j ? sqrt (sum) : sum / triangle[j][j];
      }
}

/* Solves the system of equations with the Cholesky factor @triangle for @values. */
static void
solve (double triangle[MOST_TAPS][MOST_TAPS], int count, double *values)
{
  for (int i = 0; i < count; i++)
    {
      for (int k = 0; k < i; k++)
        values[i] -= triangle[i][k] * values[k];
      values[i] /= triangle[i][i];
    }
  for (int i = count - 1; i >= 0; i--)
    {
      for (int k = i + 1; k < count; k++)
        values[i] -= triangle[k][i] * values[k];
      values[i] /= triangle[i][i];
    }
}

/* Σ of the downsampling weights times a Gaussian whose center is h + ½ samples from theirs, for each h < @counts. */
static double *
correlate (const float *weights, int n, double sigma, int counts)
{
  int last = counts + n / 2;
  g_autofree double *gaussian = g_new (double, last + 1);
  double *sums = g_new0 (double, counts);

  for (int x = 0; x <= last; x++)
    gaussian[x] = gauss (x, sigma) / (sigma * sqrt (2.0 * G_PI));
  for (int i = 0; i < n; i++)
    for (int h = 0; h < counts; h++)
      sums[h] += weights[i] * gaussian[ABS (h + i + 1 - n / 2)];
  return sums;
}

/* The upsampling weights, with a sum of 1, that together with the downsampling weights are closest to the Gaussian. */
static void
fit_weights (const CapraGaussianStep *down, CapraGaussianUpsampling *up, double sigma)
{
  int factor = down->factor, n = down->taps * factor, taps = up->taps;
  double products[MOST_TAPS] = { 0.0 }, triangle[MOST_TAPS][MOST_TAPS], even[MOST_TAPS], of_even = 0.0;
  g_autofree double *sums = correlate (down->weights, n, sigma, taps / 2 * factor);

  for (int m = 0; m < MIN (down->taps, taps); m++)
    for (int i = 0; i + m * factor < n; i++)
      products[m] += (double) down->weights[i] * down->weights[i + m * factor];
  factorize (products, taps, triangle);
  for (int k = 0; k < taps; k++)
    even[k] = 1.0;
  solve (triangle, taps, even);
  for (int k = 0; k < taps; k++)
    of_even += even[k];

  for (int p = 0; p < (factor + 1) / 2; p++)
    {
      double fit[MOST_TAPS], missing = 1.0;

      for (int k = 0; k < taps; k++)
        {
          int h = (k + 1 - taps / 2) * factor - p - 1; /* the coarse sample's distance, less ½ */

          fit[k] = sums[h < 0 ? -h - 1 : h];
        }
      solve (triangle, taps, fit);
      for (int k = 0; k < taps; k++)
        missing -= fit[k];
      for (int k = 0; k < taps; k++)
        up->weights[p * taps + k] = up->weights[(factor - p) * taps - 1 - k] = (float) (fit[k]
                                                                                        + missing * even[k] / of_even);
    }
}

static void
alloc_weights (int factor, int down_taps, int up_taps, CapraGaussianStep *down, CapraGaussianUpsampling *up)
{
  down->factor = up->factor = factor;
  down->taps = down_taps;
  up->taps = up_taps;
  down->weights = g_new (float, factor * down_taps);
  up->weights = g_new (float, factor * up_taps);
}

static void
design_with_rest (int factor, CapraGaussianStep *down, CapraGaussianUpsampling *up)
{
  double middle = 0.5 * (factor - 1), s1 = PREFILTER * factor;

  fill_weights (down->weights, TAPS * factor, -SIDE * factor - middle, 1.0, s1);
  for (int p = 0; p < factor; p++)
    fill_weights (up->weights + p * TAPS, TAPS, middle - SIDE * factor - p, factor, s1);
}

double
capra_gaussian_design (CapraDevice *device, double sigma, int factor, CapraGaussianStep *down,
                       CapraGaussianUpsampling *up)
{
  gboolean uses_groups = capra_gaussian_uses_groups (device);
  int down_taps = 0, up_taps = 0;
  double rest = choose_taps (uses_groups, sigma, factor, &down_taps, &up_taps);
  double both = rest > 0.0 ? factor / DENSITY : sigma;

  alloc_weights (factor, down_taps, up_taps, down, up);
  if (!uses_groups)
    {
      design_with_rest (factor, down, up);
      return rest;
    }
  fill_weights (down->weights, down->taps * factor, -0.5 * (down->taps * factor - 1), 1.0, SHARE * both);
  fit_weights (down, up, both);
  return rest;
}

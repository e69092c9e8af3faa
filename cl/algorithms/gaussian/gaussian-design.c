/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* How a wide Gaussian is made of cells.
 *
 * On CPUs a cell is the average of samples with Gaussian weights of s1 = 0.9 factor, outputs are interpolated
 * with the same, and cells are blurred between with what is left, √(σ² - 2 s1²). With factor <= 0.5 σ, what
 * cells cannot hold is below 3e-6 of the values' range: exp (-2π² 0.81 (1 - s1²/σ²)).
 *
 * On GPUs nothing is left: with s1 = 0.63 σ and factor <= 0.6 σ, exp (-2π² s1² (1 - s1²/σ²) / factor²) is
 * 1.2e-6. The weights of outputs are those that come closest to the Gaussian, by least squares, given the cells'
 * and their own few taps; so that the worst input of the range 0 to 1 is 5e-6 off along an axis. Beyond
 * the largest factor the two make the widest Gaussian that they can, and cells are blurred with the rest. */
#include <math.h>

#include "algorithms/gaussian/gaussian-block.h"
#include "algorithms/gaussian/gaussian-design.h"
#include "runtime/device/tuning.h"

/* An axis with so few taps is blurred directly; so is one whose filter reaches so much further than its
 * image that the cells beyond would outweigh it. */
#define FEW_TAPS_CPU 48
#define FEW_TAPS_GPU 40
#define MUCH_FURTHER 6

/* On CPUs: s1 by the factor, taps to either side, the largest factor by sigma. Factors are powers of 2. */
#define PREFILTER 0.9
#define SIDE 4
#define TAPS (2 * SIDE + 1)
#define DENSITY_CPU 0.5
#define LARGEST_FACTOR 16

/* On GPUs: the factors, none of them more than so much of sigma, and close enough to each other for the taps below;
 * s1 by sigma. */
static const int factors[] = { 30, 24, 20, 16, 12, 8, 6, 4, 3, 2 };
#define DENSITY 0.6000001
/* Where cells of the tuned factor would be blurred so far that one pass did not do (CAPRA_GAUSSIAN_CELLS_REACH), larger
 * ones are taken: one for so many of sigma. */
#define SPARSITY 5.5
#define SHARE 0.63
/* Taps of cells and of outputs that do for sigmas up to so many factors. */
static const struct {
  double sigma;
  int down, up;
} pairs[] = { { 1.76, 10, 12 }, { 2.05, 12, 14 }, { 2.52, 14, 16 } };
#define MOST_TAPS 16

/* Cells beyond an image's ends that are kept where they hold nothing but the edge, or zeros. */
#define MARGIN 8
/* Where cells without end are counted from. */
#define MIDDLE (48 << 22)
/* No image is longer. */
#define FARTHEST (1 << 28)

/* Whether cells come again as the border rule of @axis has it, or go over into a constant. */
static gboolean
cells_recur (CapraDevice *device, const CapraAxis *axis, int factor)
{
  if (axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP)
    return TRUE;
  /* A cell that stands on the image's edge is its own mirror image, which no border rule has. */
  if (axis->border == CAPRA_BORDER_MIRROR && capra_gaussian_has_tiles (device))
    return FALSE;
  return axis->length % factor == 0;
}

static int
factor_of_sigma (gboolean tiles, int most, double sigma)
{
  int factor = LARGEST_FACTOR;

  if (tiles)
    {
      for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        if (factors[i] <= MAX (most, sigma / SPARSITY) && factors[i] <= sigma * DENSITY)
          return factors[i];
      return 1;
    }
  while (factor > 1 && (factor > most || factor > sigma * DENSITY_CPU))
    factor /= 2;
  return factor;
}

/* Whether a blur with so many samples to each side is made directly. */
static gboolean
is_direct (gboolean tiles, double reach, double length, gboolean of_cells)
{
  if (tiles && of_cells && reach <= CAPRA_GAUSSIAN_CELLS_REACH)
    return TRUE;
  return MIN (2.0 * reach + 1.0, 2.0 * length) <= (tiles ? FEW_TAPS_GPU : FEW_TAPS_CPU);
}

int
capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean of_cells)
{
  gboolean tiles = capra_gaussian_has_tiles (device);
  double reach = ceil (sigma * CAPRA_GAUSSIAN_FULL);
  int factor = factor_of_sigma (tiles, capra_tuning_get_int (device, "gaussian.factor", 8), sigma);

  if (is_direct (tiles, reach, axis->length, of_cells))
    return 1;
  if (reach > MUCH_FURTHER * (double) axis->length && !cells_recur (device, axis, factor))
    return 1;
  return factor;
}

int
capra_gaussian_cells_axis (CapraDevice *device, const CapraAxis *axis, int factor, double sigma, CapraAxis *cells)
{
  *cells = (CapraAxis){
    .number = axis->number, .stride = 1, .border = axis->border, .image = (axis->image + factor - 1) / factor
  };
  if (sigma <= 0.0 || !cells_recur (device, axis, factor))
    {
      /* Cells of their own for all that lies beyond. */
      cells->border = CAPRA_BORDER_NONE;
      cells->length = 2 * MIDDLE - 1;
      return -MIDDLE;
    }
  if (axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP)
    {
      cells->length = (axis->length + factor - 1) / factor + 2 * MARGIN;
      return -MARGIN;
    }
  cells->length = axis->length / factor;
  return 0;
}

/* The taps of cells and of outputs; returns what is left for the cells themselves. */
static double
choose_taps (gboolean tiles, double sigma, int factor, int *down, int *up)
{
  guint pair = 0;
  double both = sigma;

  if (!tiles)
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

/* How far outputs meet samples whose cells are blurred with so many others to each side: an output may stand at
 * either end of its cell's samples. */
static int
reach_by_cells (int factor, int down, int up, int of_cells)
{
  gint64 before = (up - 1) / 2 + down / 2 + (gint64) of_cells + 1;
  gint64 after = up / 2 + (down + 1) / 2 + (gint64) of_cells;

  return (int) MIN (MAX (before, after) * factor, FARTHEST);
}

int
capra_gaussian_reach (CapraDevice *device, const CapraAxis *axis, double sigma, gboolean of_cells)
{
  int factor = sigma > 0.0 ? capra_gaussian_factor (device, axis, sigma, of_cells) : 1, down = 0, up = 0;
  double rest = 0.0;
  CapraAxis cells;

  if (factor == 1)
    return (int) MIN (ceil (sigma * CAPRA_GAUSSIAN_FULL), FARTHEST);
  rest = choose_taps (capra_gaussian_has_tiles (device), sigma, factor, &down, &up);
  capra_gaussian_cells_axis (device, axis, factor, rest, &cells);
  return reach_by_cells (factor, down, up, capra_gaussian_reach (device, &cells, rest, TRUE));
}

/* On an axis that is long enough for anything. */
static int
farthest_by (gboolean tiles, int most, double sigma, gboolean of_cells)
{
  double reach = ceil (sigma * CAPRA_GAUSSIAN_FULL), rest = 0.0;
  int factor = factor_of_sigma (tiles, most, sigma), direct = (int) MIN (reach, FARTHEST), down = 0, up = 0;

  if (sigma <= 0.0 || factor == 1 || is_direct (tiles, reach, FARTHEST, of_cells))
    return direct;
  rest = choose_taps (tiles, sigma, factor, &down, &up);
  return MAX (direct, reach_by_cells (factor, down, up, farthest_by (tiles, most, rest, TRUE)));
}

int
capra_gaussian_farthest (double sigma)
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

/* The Gaussian at @count offsets from @first on, @step apart, normalised. */
static void
fill_weights (float *weights, int count, double first, double step, double sigma)
{
  double sum = 0.0;

  for (int i = 0; i < count; i++)
    sum += gauss (first + i * step, sigma);
  for (int i = 0; i < count; i++)
    weights[i] = (float) (gauss (first + i * step, sigma) / sum);
}

/* A lower triangle whose product with its transpose is that of the rows' @products by distance. */
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

/* Σ of a cell's weights times the Gaussian's whose middle lies @count + ½ samples from it, for each count. */
static double *
meet (const float *weights, int n, double sigma, int counts)
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

/* The weights of outputs between cells, of sum 1, that with the cells' own come closest to the Gaussian. */
static void
fit_weights (const CapraGaussianStep *down, CapraGaussianUp *up, double sigma)
{
  int factor = down->factor, n = down->taps * factor, taps = up->taps;
  double products[MOST_TAPS] = { 0.0 }, triangle[MOST_TAPS][MOST_TAPS], even[MOST_TAPS], of_even = 0.0;
  g_autofree double *sums = meet (down->weights, n, sigma, taps / 2 * factor);

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
          int h = (k + 1 - taps / 2) * factor - p - 1; /* the cell's distance, less ½ */

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
alloc_weights (int factor, int down_taps, int up_taps, CapraGaussianStep *down, CapraGaussianUp *up)
{
  down->factor = up->factor = factor;
  down->taps = down_taps;
  up->taps = up_taps;
  down->weights = g_new (float, factor * down_taps);
  up->weights = g_new (float, factor * up_taps);
}

static void
plan_with_rest (int factor, CapraGaussianStep *down, CapraGaussianUp *up)
{
  double middle = 0.5 * (factor - 1), s1 = PREFILTER * factor;

  fill_weights (down->weights, TAPS * factor, -SIDE * factor - middle, 1.0, s1);
  for (int p = 0; p < factor; p++)
    fill_weights (up->weights + p * TAPS, TAPS, middle - SIDE * factor - p, factor, s1);
}

double
capra_gaussian_plan (CapraDevice *device, double sigma, int factor, CapraGaussianStep *down, CapraGaussianUp *up)
{
  gboolean tiles = capra_gaussian_has_tiles (device);
  int down_taps = 0, up_taps = 0;
  double rest = choose_taps (tiles, sigma, factor, &down_taps, &up_taps);
  double both = rest > 0.0 ? factor / DENSITY : sigma;

  alloc_weights (factor, down_taps, up_taps, down, up);
  if (!tiles)
    {
      plan_with_rest (factor, down, up);
      return rest;
    }
  fill_weights (down->weights, down->taps * factor, -0.5 * (down->taps * factor - 1), 1.0, SHARE * both);
  fit_weights (down, up, both);
  return rest;
}

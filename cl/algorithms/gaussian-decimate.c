/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wide Gaussian by decimation.
 *
 * A sample of the small image (a cell) stands in the middle of each @factor samples and is their average
 * with Gaussian weights of s1 = 0.9 factor; so are the outputs interpolated from cells. Between them the
 * cells are blurred with what is left, √(σ² - 2 s1²). With factor <= 0.5 σ, what the cells cannot hold is
 * below 3e-6 of the values' range: exp (-2π² 0.81 (1 - s1²/σ²)).
 *
 * Cells stand at the same positions of the image whatever part of it is asked for, and how they are made
 * depends on nothing but the image's size, so that no pixel changes with the part. */
#include <math.h>

#include "algorithms/gaussian-decimate.h"
#include "algorithms/gaussian-down.h"
#include "algorithms/gaussian-up.h"
#include "runtime/tuning.h"

/* s1 by the factor, and how many cells' width the weights of either side reach: 5 s1. */
#define PREFILTER 0.9
#define SIDE 4
#define TAPS (2 * SIDE + 1)
/* The largest factor by sigma, and at all. */
#define LARGEST_FACTOR 16
#define DENSITY 0.5
/* Cells beyond an image's ends that are kept where they hold nothing but the edge, or zeros. */
#define MARGIN 6
/* An axis with so few taps is blurred directly; so is one whose filter reaches so much further than its
 * image that the cells beyond would outweigh it. */
#define FEW_TAPS 48
#define MUCH_FURTHER 6
/* Where cells without end are counted from: any power of 2 divides it that factors can multiply to. */
#define MIDDLE (1 << 29)

static gint64
floor_divide (gint64 a, gint64 b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Whether cells come again as the border rule has it, or go over into a constant. */
static gboolean
cells_have_borders (const CapraAxis *axis, int factor)
{
  return axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP
         || axis->length % factor == 0;
}

int
capra_gaussian_factor (CapraDevice *device, const CapraAxis *axis, double sigma)
{
  double reach = ceil (sigma * CAPRA_GAUSSIAN_FULL);
  int factor = MIN (capra_tuning_get_int (device, "gaussian.factor", 8), LARGEST_FACTOR);

  if (MIN (2 * reach + 1, 2.0 * axis->length) <= FEW_TAPS)
    return 1;
  while (factor > 1 && factor > sigma * DENSITY)
    factor /= 2;
  if (factor > 1 && !cells_have_borders (axis, factor) && reach > MUCH_FURTHER * (double) axis->length)
    return 1;
  return factor;
}

/* One axis: its cells, and the weights to and from them. */
typedef struct {
  CapraGaussianStep down;
  CapraAxis cells;
  double sigma; /* the cells' */
  CapraGaussianUp up;
} Level;

static void
level_clear (Level *level)
{
  capra_gaussian_step_clear (&level->down);
  capra_gaussian_up_clear (&level->up);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* An axis that is left alone. */
static void
level_init_identity (Level *level, const CapraAxis *axis)
{
  *level = (Level) { .cells = *axis };
  level->cells.result = axis->source;
  level->cells.n_result = axis->n_source;
  level->down = (CapraGaussianStep) { 1, 1, g_new (float, 1), axis->source, axis->n_source };
  level->up = (CapraGaussianUp) { 1, 1, g_new (float, 1), 0, axis->n_source };
  level->down.weights[0] = level->up.weights[0] = 1.0f;
}

/* exp (-x² / 2 s1²) of @count offsets from @first on, @step apart, normalised. */
static void
fill_weights (float *weights, int count, double first, double step, double sigma)
{
  double sum = 0.0;

  for (int i = 0; i < count; i++)
    sum += exp (-0.5 * pow ((first + i * step) / sigma, 2));
  for (int i = 0; i < count; i++)
    weights[i] = (float) (exp (-0.5 * pow ((first + i * step) / sigma, 2)) / sum);
}

static void
level_init_weights (Level *level, int factor)
{
  double middle = 0.5 * (factor - 1), s1 = PREFILTER * factor;

  level->down.factor = factor;
  level->down.taps = TAPS;
  level->down.weights = g_new (float, TAPS * factor);
  fill_weights (level->down.weights, TAPS * factor, -SIDE * factor - middle, 1.0, s1);
  level->up.factor = factor;
  level->up.taps = TAPS;
  level->up.weights = g_new (float, TAPS * factor);
  for (int p = 0; p < factor; p++)
    fill_weights (level->up.weights + p * TAPS, TAPS, middle - SIDE * factor - p, factor, s1);
}

/* FALSE if the outputs meet nothing of the image. */
static gboolean
level_init (Level *level, const CapraAxis *axis, double sigma, int factor)
{
  gint64 first = floor_divide (axis->result, factor) - SIDE;
  gint64 last = floor_divide ((gint64) axis->result + axis->n_result - 1, factor) + SIDE;
  int count = (int) (last - first + 1), reach = 0;
  gint64 start = 0; /* the cell at position 0 of their axis */
  CapraAxis *cells = &level->cells;
  CapraRect extent, result, source;

  *level = (Level) { .up = { .phase = (int) (axis->result - (first + SIDE) * factor), .count = axis->n_result } };
  level_init_weights (level, factor);
  level->sigma = sqrt (sigma * sigma - 2.0 * pow (PREFILTER * factor, 2)) / factor;
  reach = (int) MIN (ceil (level->sigma * CAPRA_GAUSSIAN_FULL), 1 << 28);

  *cells = (CapraAxis) { .number = axis->number, .stride = 1, .border = axis->border, .n_result = count };
  if (!cells_have_borders (axis, factor))
    {
      /* Cells of their own for all that lies beyond. */
      cells->border = CAPRA_BORDER_NONE;
      cells->length = 2 * MIDDLE - 1;
      start = -MIDDLE;
    }
  else if (axis->border == CAPRA_BORDER_NONE || axis->border == CAPRA_BORDER_CLAMP)
    {
      cells->length = (axis->length + factor - 1) / factor + 2 * MARGIN;
      start = -MARGIN;
    }
  else
    cells->length = axis->length / factor;

  cells->result = (int) (first - start);
  extent = (CapraRect) { 0, 0, cells->length, 1 };
  result = (CapraRect) { cells->result, 0, count, 1 };
  source = capra_window_source (&extent, &result, reach, reach, 0, 0, cells->border);
  cells->source = source.x;
  cells->n_source = source.width;
  level->down.first = (int) ((start + source.x - SIDE) * factor);
  level->down.count = source.width;
  return source.width > 0;
}

static CapraArray *
make_zeros (CapraArray *input, const CapraAxis axes[2], const int factors[2], GError **error)
{
  CapraShape shape = *capra_array_get_shape (input);

  shape.type = CAPRA_F32;
  if (factors[0] > 1)
    shape.width = (gsize) axes[0].n_result;
  if (factors[1] > 1)
    shape.height = (gsize) axes[1].n_result;
  return capra_array_new (capra_array_get_device (input), &shape, error);
}

/* GPUs make every second or fourth sample in one pass; more apart, too much of the work would be done twice. */
static CapraArray *
make_cells (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2], GError **error)
{
  if (MAX (steps[0].factor, steps[1].factor) <= 4 || !capra_gaussian_has_tiles (input->context->device))
    return capra_gaussian_tile (input, axes, steps, error);
  return capra_gaussian_down (input, axes, steps, error);
}

CapraArray *
capra_gaussian_decimate (CapraArray *input, const CapraAxis axes[2], const double sigma[2],
                         const int factors[2], CapraGaussianBlur blur, GError **error)
{
  g_auto(Level) x = { 0 }, y = { 0 };
  Level *const levels[] = { &x, &y };
  g_autoptr(CapraArray) cells = NULL;
  g_autoptr(CapraArray) blurred = NULL;

  for (int i = 0; i < 2; i++)
    if (factors[i] == 1)
      level_init_identity (levels[i], &axes[i]);
    else if (!level_init (levels[i], &axes[i], sigma[i], factors[i]))
      return make_zeros (input, axes, factors, error);

  cells = make_cells (input, axes, (const CapraGaussianStep[]) { x.down, y.down }, error);
  if (!cells)
    return NULL;
  blurred = blur (cells, (const CapraAxis[]) { x.cells, y.cells }, (const double[]) { x.sigma, y.sigma },
                  error);
  if (!blurred)
    return NULL;
  return capra_gaussian_up (blurred, (const CapraGaussianUp[]) { x.up, y.up }, error);
}

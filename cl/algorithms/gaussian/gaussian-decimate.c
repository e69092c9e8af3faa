/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The wide Gaussian by decimation: an image is downsampled to coarse samples, these are blurred if the design
 * (gaussian-design.c) requires it, and upsampled.
 *
 * Coarse samples are at the same positions of the image whatever part of it is requested, and their samples depend on
 * the image's size alone, so that a pixel is the same to the byte in every part. */
#include <math.h>

#include "algorithms/gaussian/gaussian-decimate.h"
#include "algorithms/gaussian/gaussian-downsample.h"
#include "algorithms/common/fill.h"

static gint64
floor_divide (gint64 a, gint64 b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* One axis: its coarse samples, and the filters for downsampling and upsampling. */
typedef struct {
  CapraGaussianStep down;
  CapraAxis coarse;
  double sigma; /* the coarse' */
  CapraGaussianUpsampling up;
} Level;

static void
level_clear (Level *level)
{
  capra_gaussian_step_clear (&level->down);
  capra_gaussian_upsampling_clear (&level->up);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/* An axis that is not decimated. */
static void
level_init_identity (Level *level, const CapraAxis *axis)
{
  *level = (Level){ .coarse = *axis };
  level->coarse.result = axis->source;
  level->coarse.n_result = axis->n_source;
  level->down = (CapraGaussianStep){ 1, 1, g_new (float, 1), axis->source, axis->n_source };
  level->up = (CapraGaussianUpsampling){ 1, 1, g_new (float, 1), 0, axis->n_source };
  level->down.weights[0] = level->up.weights[0] = 1.0f;
}

/* The part of @coarse that is needed to blur @count of its samples from @first on. */
static CapraRect
coarse_source (const CapraAxis *coarse, gint64 first, gint64 count, int reach)
{
  CapraRect extent = { 0, 0, coarse->length, 1 }, result = { (int) first, 0, (int) count, 1 };

  return capra_window_source (&extent, &result, reach, reach, 0, 0, coarse->border);
}

/* FALSE if the outputs do not depend on the image. */
static gboolean
level_init (Level *level, CapraDevice *device, const CapraAxis *axis, double sigma, int factor)
{
  gint64 block = floor_divide (axis->result, factor);
  gint64 last = floor_divide ((gint64) axis->result + axis->n_result - 1, factor);
  gint64 first = 0; /* the first coarse sample */
  CapraAxis *coarse = &level->coarse;
  CapraRect source;
  int reach = 0, start = 0;

  *level = (Level){ .up = { .phase = (int) (axis->result - block * factor), .count = axis->n_result } };
  level->sigma = capra_gaussian_design (device, sigma, factor, &level->down, &level->up);
  start = capra_gaussian_coarse_axis (device, axis, factor, level->sigma, coarse);
  reach = capra_gaussian_reach (device, coarse, level->sigma, TRUE);
  first = block - (level->up.taps - 1) / 2;

  coarse->result = (int) (first - start);
  coarse->n_result = (int) (last - block) + level->up.taps;
  source = coarse_source (coarse, coarse->result, coarse->n_result, reach);
  coarse->source = source.x;
  coarse->n_source = source.width;
  level->down.first = (int) ((start + source.x - level->down.taps / 2) * factor);
  level->down.count = source.width;
  level->down.whole = coarse_source (coarse, -(level->up.taps - 1) / 2 - start,
                                     (axis->image - 1) / factor + level->up.taps, reach)
                        .width;
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

static CapraArray *
downsample (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
            const CapraGaussianStep steps[2], GError **error)
{
  return capra_gaussian_uses_groups (input->context->device)
           ? capra_gaussian_downsample (input, axes, steps, error)
           : capra_gaussian_fused (input, conversion, axes, steps, error);
}

CapraArray *
capra_gaussian_decimate (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
                         const double sigma[2], const int factors[2], CapraGaussianBlur blur, gboolean straight,
                         GError **error)
{
  g_auto (Level) x = { 0 }, y = { 0 };
  Level *const levels[] = { &x, &y };
  g_autoptr (CapraArray) coarse = NULL;
  g_autoptr (CapraArray) blurred = NULL;

  for (int i = 0; i < 2; i++)
    if (factors[i] == 1)
      level_init_identity (levels[i], &axes[i]);
    else if (!level_init (levels[i], input->context->device, &axes[i], sigma[i], factors[i]))
      return make_zeros (input, axes, factors, error);

  coarse = downsample (input, conversion, axes, (const CapraGaussianStep[]){ x.down, y.down }, error);
  if (!coarse)
    return NULL;
  blurred = x.sigma > 0.0 || y.sigma > 0.0
              ? blur (coarse, (const CapraAxis[]){ x.coarse, y.coarse }, (const double[]){ x.sigma, y.sigma }, error)
              : capra_array_ref (coarse);
  if (!blurred)
    return NULL;
  return capra_gaussian_upsample (blurred, (const CapraGaussianUpsampling[]){ x.up, y.up }, straight, error);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution by Fourier transforms of tiles of 64 x 64 values (overlap-save): launches
 * kernels/convolve-fft-group.cl, -fft-lanes and -spectrum. Larger matrices are cut into blocks, whose results are
 * added up. */
#include <math.h>
#include <string.h>

#include "algorithms/convolve/convolve-private.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

#define TILE 64
/* Local memory that the kernel for GPUs takes. */
#define LOCAL_BYTES (TILE * (TILE + 1) * 8 + 64)
/* What one weight of a tile's transform costs at least, in weights summed directly, on any device under any tuning that
 * is tried. */
#define LEAST_COST 50
/* Blocks of a matrix along an axis at most. */
#define MOST_BLOCKS 16
/* Beyond, sums might be too large or too small for a float; kernels/convolve-fft-group.cl. */
#define LARGEST_SUM 0x1p62
#define SMALLEST_SUM 0x1p-62

/* The cheapest way to cut @length weights, and what it costs: 1 for a tile that yields TILE outputs. */
static int
cut_axis (int length, double *cost)
{
  int best = 0;

  *cost = INFINITY;
  for (int n = 1; n <= MOST_BLOCKS; n++)
    {
      int block = (length + n - 1) / n;
      double this = block <= TILE ? (double) n * TILE / (TILE + 1 - block) : INFINITY;

      if (this < *cost)
        {
          *cost = this;
          best = block;
        }
    }
  return best;
}

/* By lanes, which NVIDIA's compiler has not built within half a minute: no GPU is asked to. */
static gboolean
is_cpu (CapraDevice *device)
{
  return capra_device_get_info (device)->type != CAPRA_DEVICE_GPU
         && !strcmp (capra_tuning_get_word (device, "convolve.variant", "group"), "vector");
}

double
capra_fourier_cost (const CapraSums *sums, const CapraStencil *stencil)
{
  CapraDevice *device = sums->input->context->device;
  double sum = 0.0, across = 0.0, down = 0.0;

  for (int i = 0; i < stencil->width * stencil->height; i++)
    sum += fabs (stencil->weights[i]);
  if (sums->x->stride > 1 || sums->y->stride > 1 || !(sum >= SMALLEST_SUM && sum <= LARGEST_SUM)
      || (!is_cpu (device) && capra_device_get_info (device)->local_memory < LOCAL_BYTES))
    return INFINITY;
  cut_axis (stencil->width, &across);
  cut_axis (stencil->height, &down);
  return across * down * capra_tuning_get_int (device, "convolve.fourier", 75);
}

/* What is left of the last block of a matrix. */
static int
last_block (int length, int block)
{
  return (length - 1) % block + 1;
}

static gint64
floor_to (gint64 at, int step)
{
  return at - ((at % step) + step) % step;
}

/* The span of outputs [*@begin, *@end) of an axis, to whole steps of blocks that leave @step1 or @step2 of a tile. */
static void
align_span (gint64 *begin, gint64 *end, int step1, int step2)
{
  gint64 first = *begin, last = *end;

  *begin = MIN (floor_to (first, step1), floor_to (first, step2));
  *end = MAX (floor_to (last - 1, step1) + step1, floor_to (last - 1, step2) + step2);
}

CapraRect
capra_fourier_align (const CapraRect *rect, int width, int height)
{
  double across = 0.0, down = 0.0;
  int wide = cut_axis (width, &across), high = cut_axis (height, &down);
  gint64 x0 = rect->x, y0 = rect->y, x1 = x0 + rect->width, y1 = y0 + rect->height;

  if (width * height <= across * down * LEAST_COST)
    return *rect;
  align_span (&x0, &x1, TILE + 1 - wide, TILE + 1 - last_block (width, wide));
  align_span (&y0, &y1, 2 * (TILE + 1 - high), 2 * (TILE + 1 - last_block (height, high)));
  return (CapraRect){ (int) x0, (int) y0, (int) (x1 - x0), (int) (y1 - y0) };
}

/* The transform of @floats, for tiles. */
static CapraArray *
make_spectrum (const CapraSums *sums, const float *floats, int width, int height, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (TILE, 2 * TILE, CAPRA_F32);
  g_autoptr (CapraArray) spectrum = capra_array_new_uninitialized (sums->input->context, &shape, error);
  CapraLaunch launch;

  if (!spectrum)
    return NULL;
  capra_launch_begin (&launch, sums->input->context, "convolve-spectrum", NULL, "convolve_spectrum");
  capra_launch_write (&launch, spectrum);
  capra_launch_constants (&launch, floats, sizeof *floats * (gsize) (width * height));
  capra_launch_int (&launch, width);
  capra_launch_int (&launch, height);
  if (!capra_launch_run_2d (&launch, TILE, TILE, TILE, 1, capra_shape_bytes (&shape), error))
    return NULL;
  return g_steal_pointer (&spectrum);
}

static gboolean
run_block (const CapraSums *sums, const CapraStencil *block, gboolean add, CapraArray *output, gsize plane,
           GError **error)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  gboolean cpu = is_cpu (sums->input->context->device);
  gsize wide = (gsize) (TILE + 1 - block->width), high = (gsize) (TILE + 1 - block->height) * 2;
  gsize lanes = cpu ? 1 : TILE;
  /* Tiles begin at multiples of their outputs from the image's first pixel on. */
  int skip_x = (int) (sums->x->result - floor_to (sums->x->result, (int) wide));
  int skip_y = (int) (sums->y->result - floor_to (sums->y->result, (int) high));
  CapraDirect direct = capra_direct_init (sums, block, plane);
  g_autofree float *floats = capra_stencil_floats (block, 1);
  g_autoptr (CapraArray) spectrum = make_spectrum (sums, floats, block->width, block->height, error);
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u%s", capra_launch_type (shape->type),
                                              shape->channels, add ? " -DADD" : "");
  CapraLaunch launch;

  if (!spectrum)
    return FALSE;
  direct.first_x -= skip_x;
  direct.first_y -= skip_y;
  direct.n_result_x += skip_x;
  direct.n_result_y += skip_y;
  capra_launch_begin (&launch, sums->input->context, cpu ? "convolve-fft-vector" : "convolve-fft-group", options,
                      cpu ? "convolve_fft_vector" : "convolve_fft_group");
  capra_launch_read (&launch, sums->input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, spectrum);
  capra_launch_constants (&launch, floats, sizeof *floats * (gsize) (block->width * block->height));
  capra_launch_value (&launch, &direct, sizeof direct);
  capra_launch_int (&launch, skip_x);
  capra_launch_int (&launch, skip_y);
  return capra_launch_run (&launch, 3,
                           (gsize[]){ ((gsize) direct.n_result_x + wide - 1) / wide * shape->channels * lanes,
                                      ((gsize) direct.n_result_y + high - 1) / high, shape->depth },
                           (gsize[]){ lanes, 1, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

gboolean
capra_fourier_run (const CapraSums *sums, const CapraStencil *stencil, CapraArray *output, gsize plane, GError **error)
{
  double cost = 0.0;
  int wide = cut_axis (stencil->width, &cost), high = cut_axis (stencil->height, &cost);
  g_autofree double *weights = g_new (double, (gsize) (wide * high));

  for (int top = 0; top < stencil->height; top += high)
    for (int left = 0; left < stencil->width; left += wide)
      {
        gboolean first = left == 0 && top == 0;
        CapraStencil block = { MIN (wide, stencil->width - left),
                               MIN (high, stencil->height - top),
                               stencil->left - left,
                               stencil->top - top,
                               weights,
                               first ? stencil->offset : 0.0 };

        for (int j = 0; j < block.height; j++)
          memcpy (weights + j * block.width, stencil->weights + (top + j) * stencil->width + left,
                  sizeof *weights * (gsize) block.width);
        if (!run_block (sums, &block, !first, output, plane, error))
          return FALSE;
      }
  return TRUE;
}

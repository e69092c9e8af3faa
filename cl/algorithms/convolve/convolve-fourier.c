/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution by Fourier transforms of tiles of 64 x 64 values (overlap-save); launches convolve-fft-group.cl,
 * convolve-fft-vector.cl and convolve-spectrum.cl. Larger matrices are divided into blocks, whose results are added
 * up. */
#include <math.h>
#include <string.h>

#include "algorithms/convolve/convolve-pass.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* Local memory that the group variant requires. */
#define LOCAL_BYTES (FOURIER_TILE * (FOURIER_TILE + 1) * 8 + 64)
/* The minimum of the tuning convolve.fourier on any device. */
#define MIN_COST 50
/* The most blocks of a matrix along an axis. */
#define MAX_BLOCKS 16
/* Outside this range a tile's sums might be too large or too small for a float; see convolve-fft.clh. */
#define MAX_SUM 0x1p62
#define MIN_SUM 0x1p-62

/* The block length that divides @length weights at the lowest cost; 1 is the cost of a tile that yields FOURIER_TILE
 * outputs. */
static int
choose_block (int length, double *cost)
{
  int best = 0;

  *cost = INFINITY;
  for (int n = 1; n <= MAX_BLOCKS; n++)
    {
      int block = (length + n - 1) / n;
      double this = block <= FOURIER_TILE ? (double) n * FOURIER_TILE / (FOURIER_TILE + 1 - block) : INFINITY;

      if (this < *cost)
        {
          *cost = this;
          best = block;
        }
    }
  return best;
}

/* Never on GPUs: NVIDIA's compiler does not build the vector variant within half a minute. */
static gboolean
uses_vectors (CapraDevice *device)
{
  return capra_device_get_info (device)->type != CAPRA_DEVICE_GPU && capra_convolve_uses_vectors (device);
}

double
capra_fourier_cost (const CapraConvolution *conv, const CapraStencil *stencil)
{
  CapraDevice *device = conv->input->context->device;
  double sum = 0.0, across = 0.0, down = 0.0;

  for (int i = 0; i < stencil->width * stencil->height; i++)
    sum += fabs (stencil->weights[i]);
  if (conv->x->stride > 1 || conv->y->stride > 1 || !(sum >= MIN_SUM && sum <= MAX_SUM)
      || (!uses_vectors (device) && capra_device_get_info (device)->local_memory < LOCAL_BYTES))
    return INFINITY;
  choose_block (stencil->width, &across);
  choose_block (stencil->height, &down);
  return across * down * capra_tuning_get_int (device, "convolve.fourier", 75);
}

/* The length of the last block of a matrix. */
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

/* Extends the range of outputs [*@begin, *@end) of an axis to whole tiles, which yield @step1 or @step2 outputs. */
static void
align_range (gint64 *begin, gint64 *end, int step1, int step2)
{
  gint64 first = *begin, last = *end;

  *begin = MIN (floor_to (first, step1), floor_to (first, step2));
  *end = MAX (floor_to (last - 1, step1) + step1, floor_to (last - 1, step2) + step2);
}

CapraRect
capra_fourier_align (const CapraRect *rect, int width, int height)
{
  double across = 0.0, down = 0.0;
  int wide = choose_block (width, &across), high = choose_block (height, &down);
  gint64 x0 = rect->x, y0 = rect->y, x1 = x0 + rect->width, y1 = y0 + rect->height;

  if (width * height <= across * down * MIN_COST)
    return *rect;
  align_range (&x0, &x1, FOURIER_TILE + 1 - wide, FOURIER_TILE + 1 - last_block (width, wide));
  align_range (&y0, &y1, 2 * (FOURIER_TILE + 1 - high), 2 * (FOURIER_TILE + 1 - last_block (height, high)));
  return (CapraRect){ (int) x0, (int) y0, (int) (x1 - x0), (int) (y1 - y0) };
}

/* The spectrum of a matrix with the weights @floats. */
static CapraArray *
make_spectrum (const CapraConvolution *conv, const float *floats, int width, int height, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (FOURIER_TILE, 2 * FOURIER_TILE, CAPRA_F32);
  g_autoptr (CapraArray) spectrum = capra_array_new_uninitialized (conv->input->context, &shape, error);
  CapraLaunch launch;

  if (!spectrum)
    return NULL;
  capra_launch_begin (&launch, conv->input->context, "convolve-spectrum", NULL, "convolve_spectrum");
  capra_launch_write (&launch, spectrum);
  capra_launch_constants (&launch, floats, sizeof *floats * (gsize) (width * height));
  capra_launch_int (&launch, width);
  capra_launch_int (&launch, height);
  if (!capra_launch_run_2d (&launch, FOURIER_TILE, FOURIER_TILE, FOURIER_TILE, 1, capra_shape_bytes (&shape), error))
    return NULL;
  return g_steal_pointer (&spectrum);
}

static gboolean
run_block (const CapraConvolution *conv, const CapraStencil *block, gboolean add, CapraArray *output, gsize plane,
           GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  gboolean vectors = uses_vectors (conv->input->context->device);
  gsize wide = (gsize) (FOURIER_TILE + 1 - block->width), high = (gsize) (FOURIER_TILE + 1 - block->height) * 2;
  gsize group = vectors ? 1 : FOURIER_TILE;
  /* Tiles begin at multiples of their outputs, counted from the image's first pixel. */
  int skip_x = (int) (conv->x->result - floor_to (conv->x->result, (int) wide));
  int skip_y = (int) (conv->y->result - floor_to (conv->y->result, (int) high));
  CapraDirect direct = capra_direct_init (conv, block, plane);
  g_autofree float *floats = capra_stencil_floats (block, 1);
  g_autoptr (CapraArray) spectrum = make_spectrum (conv, floats, block->width, block->height, error);
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u%s", capra_launch_type (shape->type),
                                              shape->channels, add ? " -DADD" : "");
  CapraLaunch launch;

  if (!spectrum)
    return FALSE;
  direct.first_x -= skip_x;
  direct.first_y -= skip_y;
  direct.n_result_x += skip_x;
  direct.n_result_y += skip_y;
  capra_launch_begin (&launch, conv->input->context, vectors ? "convolve-fft-vector" : "convolve-fft-group", options,
                      vectors ? "convolve_fft_vector" : "convolve_fft_group");
  capra_launch_read (&launch, conv->input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, spectrum);
  capra_launch_constants (&launch, floats, sizeof *floats * (gsize) (block->width * block->height));
  capra_launch_value (&launch, &direct, sizeof direct);
  capra_launch_int (&launch, skip_x);
  capra_launch_int (&launch, skip_y);
  return capra_launch_run (&launch, 3,
                           (gsize[]){ ((gsize) direct.n_result_x + wide - 1) / wide * shape->channels * group,
                                      ((gsize) direct.n_result_y + high - 1) / high, shape->depth },
                           (gsize[]){ group, 1, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

gboolean
capra_fourier_run (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray *output, gsize plane,
                   GError **error)
{
  double cost = 0.0;
  int wide = choose_block (stencil->width, &cost), high = choose_block (stencil->height, &cost);
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
        if (!run_block (conv, &block, !first, output, plane, error))
          return FALSE;
      }
  return TRUE;
}

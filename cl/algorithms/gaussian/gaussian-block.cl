/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x and y in one pass over a small image, for GPUs; the formula is that of gaussian-strip.cl with
 * 2 REACH_X + 1 and 2 REACH_Y + 1 weights.
 *
 * A group computes a block of SIZE x 2 SIZE outputs of one channel. It loads all inputs at once, since a small image
 * does not keep a device busy and latency decides, and sums them along x and then along y in local memory.
 *
 * Dimensions: GROUP x blocks of a row, blocks of a column, planes x channels. Layout: pixels of CHANNELS values, rows,
 * planes. Border: border.clh, by position.
 * Macros: IN (type of a value), CHANNELS, REACH_X, REACH_Y, SIZE (16 or 32), PADDED (`own` holds the nx and ny weights
 * without padding; see padded.clh). */
#include "gaussian.clh"
#ifdef PADDED
#include "padded.clh"
#endif

#define GROUP GAUSSIAN_BLOCK_GROUP
#define SIDE 8 /* outputs of a work-item */
#define TAPS_X (2 * REACH_X + 1)
#define TAPS_Y (2 * REACH_Y + 1)
#define WIDE (SIZE + 2 * REACH_X)
#define HIGH (2 * SIZE + 2 * REACH_Y)
/* Odd, so that neighbors along y are in different banks. */
#define PITCH (WIDE | 1)
#define SUM_PITCH (SIZE + 1)
#define LOADS ((WIDE * HIGH + GROUP - 1) / GROUP)

typedef struct {
  float w[TAPS_X];
} x_weights_t;

typedef struct {
  float w[TAPS_Y];
} y_weights_t;

/* Loads all inputs of the group. */
static inline void
load_tile (global const IN *in, int l, local const int *xs, local const int *ys, uint width, local float *tile)
{
  float v[LOADS];
  int px[LOADS], py[LOADS];

  UNROLL for (int n = 0; n < LOADS; n++)
    {
      int o = min (l + n * GROUP, WIDE * HIGH - 1);

      px[n] = xs[o % WIDE];
      py[n] = ys[o / WIDE];
    }
  UNROLL for (int n = 0; n < LOADS; n++)
    v[n] = (float) in[((ulong) max (py[n], 0) * width + max (px[n], 0)) * CHANNELS];
  UNROLL for (int n = 0; n < LOADS; n++)
    {
      int o = min (l + n * GROUP, WIDE * HIGH - 1);

      tile[o / WIDE * PITCH + o % WIDE] = min (px[n], py[n]) < 0 ? 0.0f : v[n];
    }
}

#ifdef PADDED
/* Output j, i, summed again without padding, along x first. */
static inline float
sum_pixel_again (global const IN *in, int i, int j, CapraGaussianAxis x, CapraGaussianAxis y, constant float *own,
                 int nx, int ny)
{
  line_t along_x = { x.first + (TAPS_X - nx) / 2 + i, nx, x.length, x.source, x.n_source, x.border, CHANNELS };
  line_t along_y = { y.first + (TAPS_Y - ny) / 2 + j, ny, y.length, y.source, y.n_source, y.border,
                     (ulong) x.n_source * CHANNELS };

  return sum_again (in, 0, along_y, own + nx, along_x, own, 0);
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_block (global const IN *restrict in, global float *restrict out, x_weights_t wx, y_weights_t wy,
                CapraGaussianAxis x, CapraGaussianAxis y
#ifdef PADDED
                , constant float *own, int nx, int ny
#endif
)
{
  local float tile[HIGH * PITCH], sums[HIGH * SUM_PITCH];
  local int xs[WIDE], ys[HIGH];
  int l = (int) get_local_id (0), left = (int) get_group_id (0) * SIZE, top = (int) get_group_id (1) * 2 * SIZE;
  ulong plane = get_global_id (2) / CHANNELS, channel = get_global_id (2) % CHANNELS;
#ifdef PADDED
  uint largest = 0;
#endif

  in += plane * y.n_source * x.n_source * CHANNELS + channel;
  out += plane * y.count * x.count * CHANNELS + channel;
  for (int i = l; i < WIDE; i += GROUP)
    xs[i] = sample_index (x.first + left + i, x);
  for (int i = l; i < HIGH; i += GROUP)
    ys[i] = sample_index (y.first + top + i, y);
  barrier (CLK_LOCAL_MEM_FENCE);
  load_tile (in, l, xs, ys, (uint) x.n_source, tile);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int o = l; o < HIGH * SIZE / SIDE; o += GROUP)
    {
      int j = o % HIGH, i = o / HIGH * SIDE;
      float near[TAPS_X - 1 + SIDE], sum[SIDE];

      UNROLL for (int k = 0; k < TAPS_X - 1 + SIDE; k++) near[k] = tile[j * PITCH + i + k];
      UNROLL for (int q = 0; q < SIDE; q++) sum[q] = 0.0f;
      UNROLL for (int k = 0; k < TAPS_X; k++)
        UNROLL for (int q = 0; q < SIDE; q++) sum[q] += wx.w[k] * near[k + q];
      UNROLL for (int q = 0; q < SIDE; q++) sums[j * SUM_PITCH + i + q] = sum[q];
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int o = l; o < SIZE * 2 * SIZE / SIDE; o += GROUP)
    {
      int i = o % SIZE, j = o / SIZE * SIDE;
      float near[TAPS_Y - 1 + SIDE], sum[SIDE];

      UNROLL for (int k = 0; k < TAPS_Y - 1 + SIDE; k++) near[k] = sums[(j + k) * SUM_PITCH + i];
      UNROLL for (int q = 0; q < SIDE; q++) sum[q] = 0.0f;
      UNROLL for (int k = 0; k < TAPS_Y; k++)
        UNROLL for (int q = 0; q < SIDE; q++) sum[q] += wy.w[k] * near[k + q];
      UNROLL for (int q = 0; q < SIDE; q++)
        if (left + i < x.count && top + j + q < y.count)
          {
#ifdef PADDED
            largest = max (largest, MAGNITUDE (sum[q], uint));
#endif
            out[((ulong) (top + j + q) * x.count + left + i) * CHANNELS] = sum[q];
          }
    }

#ifdef PADDED
  if (!is_finite (largest))
    for (int o = l; o < SIZE * 2 * SIZE / SIDE; o += GROUP)
      for (int q = 0; q < SIDE; q++)
        {
          int i = left + o % SIZE, j = top + o / SIZE * SIDE + q;
          global float *to = out + ((ulong) j * x.count + i) * CHANNELS;

          if (i < x.count && j < y.count && !IS_FINITE (*to))
            *to = sum_pixel_again (in, i, j, x, y, own, nx, ny);
        }
#endif
}

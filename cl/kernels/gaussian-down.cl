/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums along x, or along y, of every D-th sample, for GPUs; the formula is that of
 * gaussian-tile.cl, an axis at a time, with TAPS * D weights.
 *
 * Along x a work-item loads the samples of BLOCKS outputs' width once and makes their parts of all outputs
 * that they belong to; groups add the parts up in local memory. Along y a work-item makes OUTS outputs
 * below each other. What takes time is waiting for memory, so loads come before what depends on them, at
 * borders too.
 *
 * Layout: pixels of CHANNELS values, rows, planes. Border: border.clh, by position.
 * Assumption: `aligned` tells that groups of 4 values of the input begin at multiples of 4.
 * Macros: IN, CHANNELS, D (2, 4, 8 or 16), GROUP (of gaussian_down_x). */
#include "gaussian.clh"

#define UNROLL _Pragma ("unroll")
#define TAPS 9
#define BLOCKS (D < 8 ? 8 / D : 1)
#define WIDTH (BLOCKS * D * CHANNELS) /* values of a work-item */
#define PARTS (TAPS - 1 + BLOCKS)
#define CELLS (GROUP * BLOCKS - (TAPS - 1))
#define OUTS (D < 16 ? 4 : 2)
#define HIGH (D < 8 ? 8 : D == 8 ? 2 : 4)

typedef struct {
  float w[TAPS * D];
} weights_t;

typedef struct {
  int at[BLOCKS * D]; /* where the input holds its pixels; -1 for zero */
  bool whole;         /* they stand side by side, aligned */
} place_t;

static inline void
load_row (global const IN *row, const place_t *p, float *v)
{
#if WIDTH % 4 == 0
  if (p->whole)
    {
      UNROLL for (int q = 0; q < WIDTH / 4; q++)
        vstore4 (convert_float4 (*(global const JOIN (IN, 4) *) (row + p->at[0] * CHANNELS + 4 * q)), q, v);
      return;
    }
#endif
  UNROLL for (int u = 0; u < WIDTH; u++)
    v[u] = (float) row[max (p->at[u / CHANNELS], 0) * CHANNELS + u % CHANNELS];
  UNROLL for (int u = 0; u < WIDTH; u++)
    v[u] = p->at[u / CHANNELS] < 0 ? 0.0f : v[u];
}

/* What the samples add to output m of those that they reach. */
static inline float
sum_part (const float *v, weights_t w, int c, int m)
{
  float sum = 0.0f;

  UNROLL for (int b = 0; b < BLOCKS; b++)
    if (b + TAPS - 1 - m >= 0 && b + TAPS - 1 - m < TAPS)
      UNROLL for (int p = 0; p < D; p++)
        sum += w.w[(b + TAPS - 1 - m) * D + p] * v[(b * D + p) * CHANNELS + c];
  return sum;
}

/* A group makes CELLS outputs of `rows` rows. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_down_x (global const IN *restrict in, global float *restrict out, weights_t w, span_t x,
                 ulong height, int rows, int aligned)
{
  int l = (int) get_local_id (0), cell = (int) get_group_id (0) * CELLS + l * BLOCKS;
  int first = x.first + cell * D, last = x.first + (x.count + TAPS - 1) * D - 1;
  ulong row = get_global_id (1) * rows, end = min (row + rows, height);
  ulong pitch = (ulong) x.n_source * CHANNELS;
  local float parts[2][CHANNELS][PARTS][GROUP];
  float v[WIDTH];
  place_t p;

  UNROLL for (int i = 0; i < BLOCKS * D; i++) p.at[i] = span_index (min (first + i, last), x);
  p.whole = aligned && first >= x.source && first + BLOCKS * D <= min (x.source + x.n_source, last + 1);
  in += row * pitch;
  out += row * x.count * CHANNELS;
  load_row (in, &p, v);
  for (int turn = 0; row < end; row++, turn ^= 1, out += x.count * CHANNELS)
    {
      UNROLL for (int c = 0; c < CHANNELS; c++)
        UNROLL for (int m = 0; m < PARTS; m++) parts[turn][c][m][l] = sum_part (v, w, c, m);
      if (row + 1 < end)
        in += pitch;
      load_row (in, &p, v);
      barrier (CLK_LOCAL_MEM_FENCE);
      if (l * BLOCKS < CELLS)
        UNROLL for (int n = 0; n < BLOCKS * CHANNELS; n++)
          {
            int b = n / CHANNELS, c = n % CHANNELS;
            float sum = 0.0f;

            UNROLL for (int s = 0; s * BLOCKS <= b + TAPS - 1; s++)
              sum += parts[turn][c][b + TAPS - 1 - s * BLOCKS][l + s];
            if (cell + b < x.count)
              out[cell * CHANNELS + n] = sum;
          }
    }
}

/* Dimensions: values of a row in groups of any width, outputs by OUTS in groups of HIGH, planes. */
kernel void
gaussian_down_y (global const IN *restrict in, global float *restrict out, weights_t w, span_t y, uint width)
{
  local int places[(HIGH * OUTS + TAPS - 1) * D];
  int l = (int) (get_local_id (1) * get_local_size (0) + get_local_id (0));
  int top = (int) get_group_id (1) * HIGH * OUTS, last = (y.count + TAPS - 1) * D - 1;
  int cell = (int) get_global_id (1) * OUTS;
  local const int *mine = places + get_local_id (1) * OUTS * D;
  uint u = (uint) get_global_id (0);
  float sum[OUTS];

  for (int i = l; i < (HIGH * OUTS + TAPS - 1) * D; i += (int) get_local_size (0) * HIGH)
    places[i] = span_index (y.first + min (top * D + i, last), y);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (u >= width || cell >= y.count)
    return;
  in += get_global_id (2) * (ulong) y.n_source * width + u;
  out += (get_global_id (2) * (ulong) y.count + cell) * width + u;
  UNROLL for (int q = 0; q < OUTS; q++) sum[q] = 0.0f;
  UNROLL for (int b = 0; b < TAPS - 1 + OUTS; b++)
    {
      float v[D];

      UNROLL for (int i = 0; i < D; i++)
        {
          int place = mine[b * D + i];
          float value = (float) in[(ulong) (uint) max (place, 0) * width];

          v[i] = place < 0 ? 0.0f : value;
        }
      UNROLL for (int i = 0; i < D; i++)
        UNROLL for (int q = 0; q < OUTS; q++)
          if (b >= q && b - q < TAPS)
            sum[q] += w.w[(b - q) * D + i] * v[i];
    }
  UNROLL for (int q = 0; q < OUTS; q++)
    if (cell + q < y.count)
      out[(ulong) q * width] = sum[q];
}

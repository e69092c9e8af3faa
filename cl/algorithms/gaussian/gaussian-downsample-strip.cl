/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x together of every DY-th and D-th sample, for GPUs:
 *
 *     out[j][i] = sum over t < KY * DY, u < TAPS * D of
 *                 wy[t] * wx[u] * in[y.first + j * DY + t][x.first + i * D + u]
 *
 * A group makes CELLS outputs side by side and walks down `rows` of them. Each work-item sums the columns of
 * PIXELS pixels as they come: KY sums at a time, of which one is complete after every DY rows. STEP rows of
 * complete sums go to local memory and are summed along x from there, while the next samples are on their
 * way. So the image is read once, and nothing but the result is written.
 *
 * Layout: pixels of CHANNELS values, rows, planes (dimension 2). Border: border.clh, by position.
 * Assumptions: weights are the same from both ends; rows is a multiple of STEP and at most MOST_ROWS;
 * gaussian-downsample-column.clh says when to define ALIGNED as 1.
 * Macros: IN, CHANNELS, D and TAPS (of x), DY (2 to 4), KY, ALIGNED, GROUP, STEP, MOST_ROWS. */
#include "gaussian.clh"
#include "gaussian-downsample-strip.clh"

#undef PIXELS
#undef V
#define PIXELS (CHANNELS == 1 ? 2 : 1)
#if CHANNELS == 1
#define V 2
#else
#define V CHANNELS
#endif
#include "gaussian-downsample-column.clh"

/* Blocks of DY rows that are on their way, and those before a strip's first complete sum, in whole steps. */
#define AHEAD (DY < 4 ? 4 : 2)
#define BEFORE ((KY - 1 + STEP - 1) / STEP * STEP)
#define CELLS ((GROUP * PIXELS / D - (TAPS - 1)) / OUTS * OUTS)
#define SLOTS (CELLS / OUTS)
#define ROW ROW_SIZE (GROUP * V)

typedef struct {
  float w[HALF (KY * DY)];
} y_weights_t;
#define WEIGHT_Y(wy, t) ((wy).w[(t) < HALF (KY * DY) ? (t) : KY * DY - 1 - (t)])

static inline void
load_block (global const IN *in, local const int *places, ulong pitch, const column_t *c, column_values_t *v)
{
  UNROLL for (int p = 0; p < DY; p++) v[p] = load_column (in + (ulong) (uint) max (places[p], 0) * pitch, c);
}

static inline void
put_block_right (local const int *places, const column_t *c, column_values_t *v)
{
  UNROLL for (int p = 0; p < DY; p++)
    v[p] = places[p] < 0 ? (column_values_t) (0.0f) : put_right (v[p], c);
}

/* The sums move up by one, and the topmost is complete. */
static inline void
sum_block (const column_values_t *v, y_weights_t wy, column_values_t *sum)
{
  UNROLL for (int k = 0; k < KY; k++)
    {
      int first = (KY - 1 - k) * DY;

      sum[k] = (k + 1 < KY ? sum[k + 1] : (column_values_t) (0.0f)) + WEIGHT_Y (wy, first) * v[0];
      UNROLL for (int p = 1; p < DY; p++) sum[k] += WEIGHT_Y (wy, first + p) * v[p];
    }
}

/* Dimensions: groups of CELLS outputs, strips of `rows`, planes. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_downsample_strip (global const IN *restrict in, global float *restrict out, x_weights_t wx, y_weights_t wy,
                    span_t x, span_t y, int rows)
{
  local float tile[STEP * ROW] __attribute__ ((aligned (16)));
  local int places[(MOST_ROWS + BEFORE + AHEAD) * DY];
  int l = (int) get_local_id (0), cell = (int) get_group_id (0) * CELLS, row = (int) get_group_id (1) * rows;
  int top = y.first + (row + KY - 1 - BEFORE) * DY, last = y.first + (y.count + KY - 1) * DY - 1;
  column_t c = find_column (min (x.first + cell * D + l * PIXELS, x.first + (x.count + TAPS) * D), x);
  bool mixed = c.mixed || y.border == BORDER_NONE;
  ulong pitch = (ulong) x.n_source * CHANNELS;
  local const int *at = places;
  local float *mine = tile + padded (l * V);
  column_values_t sum[KY], v[AHEAD * DY];

  for (int i = l; i < (rows + BEFORE + AHEAD) * DY; i += GROUP)
    places[i] = span_index (min (top + i, last), y);
  barrier (CLK_LOCAL_MEM_FENCE);
  in += get_global_id (2) * (ulong) y.n_source * pitch;
  out += get_global_id (2) * (ulong) y.count * x.count * CHANNELS;

  UNROLL for (int k = 0; k < KY; k++) sum[k] = 0.0f;
  UNROLL for (int b = 0; b < AHEAD; b++) load_block (in, places + b * DY, pitch, &c, v + b * DY);
  /* No barrier stands in a branch: PoCL's compilers take that badly. */
  for (int s = -BEFORE; s < rows; s += STEP)
    {
      int found = s < 0 ? 0 : STEP * SLOTS;

      UNROLL for (int b = 0; b < STEP; b += AHEAD)
        UNROLL for (int q = 0; q < AHEAD; q++, at += DY)
          {
            if (mixed)
              put_block_right (at, &c, v + q * DY);
            sum_block (v + q * DY, wy, sum);
            load_block (in, at + AHEAD * DY, pitch, &c, v + q * DY);
            JOIN (vstore, V) (sum[0], 0, mine + (b + q) * ROW);
          }
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int i = l; i < found; i += GROUP)
        {
          int slot = i % SLOTS, r = i / SLOTS, j = row + s + r;
          float sums[OUTS * CHANNELS];

          sum_window (tile + r * ROW + slot * PADDED, wx, sums);
          if (j < y.count)
            store_sums (sums, out + (ulong) j * x.count * CHANNELS, (cell + slot * OUTS) * CHANNELS,
                        x.count * CHANNELS);
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

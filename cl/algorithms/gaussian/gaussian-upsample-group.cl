/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upsampling of an image by DX and DY with KX and KY weights for each output, for GPUs:
 *
 *     out[y][x] = sum over k < KY, m < KX of wy[t % DY][k] * wx[u % DX][m] * in[t / DY + k][u / DX + m]
 *     with t = y + y.phase, u = x + x.phase
 *
 * A group computes TILE neighboring values for `blocks` rows of the small image. It loads these and the KY - 1 rows
 * that follow into local memory and sums them along x there (gaussian-upsample-group.clh), each work-item a row,
 * so that weights are operands of instructions. Then each warp reads the rows that RUN blocks need, four
 * values for each work-item, and computes RUN * DY rows of outputs, a whole line at a time. There are only two
 * barriers, and several groups on a compute unit: some load and sum while others store.
 *
 * Dimensions: GROUP x tiles of a row, strips of `blocks` rows of the small image, planes. Layout: pixels of CHANNELS
 * values, rows, planes. Border: none; the small image holds all samples that outputs need.
 * Assumptions: weights are symmetric, and the first half of them is passed; `blocks` is a multiple of RUN, and with KY
 * - 1 more at most ROWS.
 * Macros: RUN, ALIGNED (whether rows of outputs begin at multiples of 4 values), and those of
 * gaussian-upsample-group.clh. */
#include "gaussian-upsample-group.clh"

#define STEP (ALIGNED ? 1 : LINE) /* between the four outputs of a work-item */

/* Stores four outputs; the row ends after `left` values. */
INLINE void
put (float4 v, global float *to, int left)
{
#if ALIGNED
  *(global float4 *) to = v;
#else
  float values[4];

  vstore4 (v, 0, values);
  UNROLL for (int e = 0; e < 4; e++)
    if (e * STEP < left)
      to[e * STEP] = values[e];
#endif
}

/* Reads four values of each row that RUN blocks need, neighbors or LINE values apart. */
INLINE void
take_rows (local const float *wide, bool whole, float4 *near)
{
#if ALIGNED
  if (whole)
    {
      UNROLL for (int k = 0; k < KY + RUN - 1; k++) near[k] = *(local const float4 *) (wide + k * WIDE_PITCH);
      return;
    }
#endif
  UNROLL for (int k = 0; k < KY + RUN - 1; k++, wide += WIDE_PITCH)
    near[k] = (float4) (wide[0], wide[STEP], wide[2 * STEP], wide[3 * STEP]);
}

/* Stores the outputs of RUN blocks from row i on: `all` rows, or those from 0 to before `end`. */
INLINE void
make_rows (const float4 *near, y_weights_t wy, global float *to, int width, int left, int i, int end, bool all)
{
  UNROLL for (int p = 0; p < RUN * DY; p++, to += width)
    {
      float4 v = 0.0f;

      UNROLL for (int k = 0; k < KY; k++) v += WEIGHT (wy, p % DY * KY + k, DY * KY) * near[p / DY + k];
      if (all || (i + p >= 0 && i + p < end))
        put (v, to, left);
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_upsample_group (global const float *restrict in, global float *restrict out, x_weights_t wx, y_weights_t wy,
             CapraUpsampleAxis x, CapraUpsampleAxis y, int blocks)
{
  local float small[ROWS * SMALL_PITCH] __attribute__ ((aligned (16)));
  local float wide[ROWS * WIDE_PITCH] __attribute__ ((aligned (16)));
  int lane = (int) get_local_id (0) % LINE, warp = (int) get_local_id (0) / LINE;
  int pitch = x.n_small * CHANNELS, width = x.count * CHANNELS;
  int begin = (int) get_group_id (1) * blocks, count = min (blocks, y.n_small - (KY - 1) - begin);
  int tile = (int) get_group_id (0) * TILE, unit = (tile + x.phase * CHANNELS) / UNIT;
  int off = tile + x.phase * CHANNELS - unit * UNIT; /* the tile's first value in a row of units */
  int mine = ALIGNED ? 4 * lane : lane, left = width - tile - mine;
  int end = min (y.count, (begin + count) * DY - y.phase);

  in += (get_group_id (2) * (ulong) y.n_small + begin) * pitch;
  out += get_group_id (2) * (ulong) y.count * width + tile + mine;
  load_rows (in, pitch, unit * SAMPLES * CHANNELS, count + KY - 1, small);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (lane < count + KY - 1)
    for (int u = warp; u * UNIT < off + TILE; u += WARPS)
      sum_along_x (small + lane * SMALL_PITCH + u * SAMPLES * CHANNELS, wx, wide + lane * WIDE_PITCH + u * UNIT);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int b = warp * RUN; b < count && left > 0; b += WARPS * RUN)
    {
      float4 near[KY + RUN - 1];
      int i = (begin + b) * DY - y.phase;
      global float *to = out + (long) i * width;

      take_rows (wide + b * WIDE_PITCH + off + mine, off % 4 == 0, near);
      if (i >= 0 && i + RUN * DY <= end)
        make_rows (near, wy, to, width, left, i, end, true);
      else
        make_rows (near, wy, to, width, left, i, end, false);
    }
}

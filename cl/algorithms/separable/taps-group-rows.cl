/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x for GPUs; formula and border: taps.clh. Rows of n_source samples follow each other. A group
 * computes GROUP * OUTPUTS values of a row from a tile in local memory, where the values of a channel are neighbors; a
 * work-item computes OUTPUTS neighbors of a channel from a window in registers.
 *
 * Dimensions: work-items of a row's groups, rows. Macros: those of taps.clh, CHANNELS, GROUP (a multiple of
 * OUTPUTS * CHANNELS), LONG if there are more than TAPS_PART weights. */
#include "taps-group.clh"

#define OUTPUTS TAPS_GROUP_ROWS_OUTPUTS
#define PIXELS (GROUP / CHANNELS * OUTPUTS)
/* Four values are left free after each OUTPUTS, so that the windows of work-items begin in different banks. */
#define AT(pixel) ((pixel) / OUTPUTS * (OUTPUTS + 4) + (pixel) % OUTPUTS)
#define PLANE AT (PIXELS + TAPS_PART + OUTPUTS)
/* Values that a work-item loads at a time, and their distance in the tile. */
#define LOADS 8
#define APART AT (GROUP / CHANNELS)

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
taps_group_rows (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
            CapraTapsAxis a)
{
  int l = (int) get_local_id (0), pixel = (int) get_group_id (0) * PIXELS;
  int channel = l % CHANNELS, mine = l / CHANNELS, width = a.n_result * CHANNELS;
  int left = min (PIXELS, a.n_result - pixel);
  ulong y = get_global_id (1);
  local float tile[CHANNELS * PLANE] __attribute__ ((aligned (16)));
  local float weights[TAPS_PART] __attribute__ ((aligned (16)));
  local float *at = tile + channel * PLANE + AT (mine);
  float total[OUTPUTS], rest[OUTPUTS], sum[OUTPUTS], v[OUTPUTS + BLOCK];

  UNROLL for (int q = 0; q < OUTPUTS; q++) total[q] = rest[q] = 0.0f;
  in += y * a.n_source * CHANNELS;
  out += y * width + pixel * CHANNELS;

  for (int part = 0; part < a.taps; part += TAPS_PART)
    {
      int count = min (TAPS_PART, a.taps - part), begin = a.first + pixel + part, k = 0;
      int need = (left + count - 1) * CHANNELS;
      bool inside = begin >= 0 && begin + left + count - 1 <= a.length;
      global const IN *from = in + (long) (begin - a.source) * CHANNELS + l;
      local float *to = at;
      local const float *window = tile + channel * PLANE + mine * (OUTPUTS + 4);

      for (int u = l; u < count; u += GROUP)
        weights[u] = w[part + u];
      for (int u = l; u < need; u += LOADS * GROUP, from += LOADS * GROUP, to += LOADS * APART)
        {
          float values[LOADS];

          if (inside)
            UNROLL for (int e = 0; e < LOADS; e++)
              values[e] = u + e * GROUP < need ? (float) from[e * GROUP] : 0.0f;
          else
            {
              int pixels[LOADS];

              UNROLL for (int e = 0; e < LOADS; e++)
                pixels[e] = border_map (begin + (u + e * GROUP) / CHANNELS, a.length, a.border) - a.source;
              UNROLL for (int e = 0; e < LOADS; e++)
                {
                  float value = (float) in[(ulong) clamp (pixels[e], 0, a.n_source - 1) * CHANNELS + channel];

                  values[e] = pixels[e] < 0 ? 0.0f : value;
                }
            }
          UNROLL for (int e = 0; e < LOADS; e++)
            if (u + e * GROUP < need)
              to[e * APART] = values[e];
        }
      barrier (CLK_LOCAL_MEM_FENCE);

      UNROLL for (int q = 0; q < OUTPUTS; q += 4) vstore4 (*(local const float4 *) (window + q), q / 4, v);
      while (k < count)
        {
          int stop = min (k + TAPS_CHUNK, count);

          UNROLL for (int q = 0; q < OUTPUTS; q++) sum[q] = 0.0f;
          NO_UNROLL for (; k + BLOCK <= stop; k += BLOCK, window += AT (BLOCK))
            {
              UNROLL for (int j = 0; j < BLOCK; j += 4)
                vstore4 (*(local const float4 *) (window + AT (OUTPUTS + j)), j / 4, v + OUTPUTS);
              ADD_BLOCK (weights + k, v, OUTPUTS)
              UNROLL for (int q = 0; q < OUTPUTS; q++) v[q] = v[q + BLOCK];
            }
          if (k < stop)
            {
              UNROLL for (int j = 0; j < BLOCK; j += 4)
                vstore4 (*(local const float4 *) (window + AT (OUTPUTS + j)), j / 4, v + OUTPUTS);
              UNROLL for (int j = 0; j < BLOCK - 1; j++)
                if (k + j < stop)
                  UNROLL for (int q = 0; q < OUTPUTS; q++) sum[q] += weights[k + j] * v[q + j];
            }
          UNROLL for (int q = 0; q < OUTPUTS; q++) END_CHUNK (float, total[q], rest[q], sum[q])
          k = stop;
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  UNROLL for (int q = 0; q < OUTPUTS; q++)
    tile[channel * PLANE + mine * (OUTPUTS + 4) + q] = total[q] + a.offset;
  barrier (CLK_LOCAL_MEM_FENCE);
  UNROLL for (int q = 0; q < OUTPUTS; q++)
    if (l + q * GROUP < left * CHANNELS)
      out[l + q * GROUP] = at[q * APART];
}

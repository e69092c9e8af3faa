/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x for GPUs; see taps.clh. Rows of n_source samples follow each other. A group makes
 * GROUP * OUTS values of a row from a tile in local memory, where a channel's values lie together; a work-item makes
 * OUTS neighbours of a channel from a window in registers.
 *
 * Dimensions: work-items of a row's groups, rows. Macros: those of taps.clh, CHANNELS (values a sample), GROUP (a
 * multiple of OUTS * CHANNELS), LONG if there are more than PART weights. */
#include "taps-group.clh"

#define OUTS 8
#define PIXELS (GROUP / CHANNELS * OUTS)
/* Four values are left free after OUTS, so that work-items' windows begin in different banks. */
#define AT(pixel) ((pixel) / OUTS * (OUTS + 4) + (pixel) % OUTS)
#define PLANE AT (PIXELS + PART + OUTS)
/* Values that a work-item loads at a time, and how far apart they lie in the tile. */
#define LOADS 8
#define APART AT (GROUP / CHANNELS)

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
taps_group_rows (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
            taps_t a)
{
  int l = (int) get_local_id (0), pixel = (int) get_group_id (0) * PIXELS;
  int channel = l % CHANNELS, mine = l / CHANNELS, width = a.n_result * CHANNELS;
  int left = min (PIXELS, a.n_result - pixel);
  ulong y = get_global_id (1);
  local float tile[CHANNELS * PLANE] __attribute__ ((aligned (16)));
  local float weights[PART] __attribute__ ((aligned (16)));
  local float *at = tile + channel * PLANE + AT (mine);
  float total[OUTS], rest[OUTS], sum[OUTS], v[OUTS + BLOCK];

  UNROLL for (int q = 0; q < OUTS; q++) total[q] = rest[q] = 0.0f;
  in += y * a.n_source * CHANNELS;
  out += y * width + pixel * CHANNELS;

  for (int part = 0; part < a.taps; part += PART)
    {
      int count = min (PART, a.taps - part), begin = a.first + pixel + part, k = 0;
      int need = (left + count - 1) * CHANNELS;
      bool inside = begin >= 0 && begin + left + count - 1 <= a.length;
      global const IN *from = in + (long) (begin - a.source) * CHANNELS + l;
      local float *to = at;
      local const float *window = tile + channel * PLANE + mine * (OUTS + 4);

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

      UNROLL for (int q = 0; q < OUTS; q += 4) vstore4 (*(local const float4 *) (window + q), q / 4, v);
      while (k < count)
        {
          int stop = min (k + CHUNK, count);

          UNROLL for (int q = 0; q < OUTS; q++) sum[q] = 0.0f;
          NO_UNROLL for (; k + BLOCK <= stop; k += BLOCK, window += AT (BLOCK))
            {
              UNROLL for (int j = 0; j < BLOCK; j += 4)
                vstore4 (*(local const float4 *) (window + AT (OUTS + j)), j / 4, v + OUTS);
              ADD_BLOCK (weights + k, v, OUTS)
              UNROLL for (int q = 0; q < OUTS; q++) v[q] = v[q + BLOCK];
            }
          if (k < stop)
            {
              UNROLL for (int j = 0; j < BLOCK; j += 4)
                vstore4 (*(local const float4 *) (window + AT (OUTS + j)), j / 4, v + OUTS);
              UNROLL for (int j = 0; j < BLOCK - 1; j++)
                if (k + j < stop)
                  UNROLL for (int q = 0; q < OUTS; q++) sum[q] += weights[k + j] * v[q + j];
            }
          UNROLL for (int q = 0; q < OUTS; q++) END_CHUNK (float, total[q], rest[q], sum[q])
          k = stop;
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  UNROLL for (int q = 0; q < OUTS; q++)
    tile[channel * PLANE + mine * (OUTS + 4) + q] = total[q] + a.offset;
  barrier (CLK_LOCAL_MEM_FENCE);
  UNROLL for (int q = 0; q < OUTS; q++)
    if (l + q * GROUP < left * CHANNELS)
      out[l + q * GROUP] = at[q * APART];
}

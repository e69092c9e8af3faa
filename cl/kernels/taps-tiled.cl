/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums along x for GPUs: a group makes 4 * GROUP values of a row, each work-item every GROUP-th,
 * from a tile in local memory that is loaded for TILE_TAPS weights at a time; see taps.clh and
 * taps-row.clh. Dimensions: work-items of a row's groups, rows. */
#include "taps-row.clh"

#define GROUP 128
#define PART (4 * GROUP)
#define TILE (PART + (TILE_TAPS - 1) * CHANNELS)

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
taps_tiled (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
            taps_t a)
{
  uint v = (uint) get_group_id (0) * PART, l = get_local_id (0);
  uint width = (uint) a.n_result * CHANNELS;
  ulong y = get_global_id (1);
  float total[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, rest[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
  local float tile[TILE];

  in += y * a.n_source * CHANNELS;
  out += y * width;
  for (int k = 0; k < a.taps; k += TILE_TAPS)
    {
      int count = min (TILE_TAPS, a.taps - k);
      uint n = min ((uint) PART, width - v) + (uint) (count - 1) * CHANNELS;
      float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

      for (uint u = l; u < TILE; u += GROUP)
        tile[u] = u < n ? row_value (in, v + u, a.first + k, a) : 0.0f;
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int t = 0; t < count; t++)
        {
          float weight = w[k + t];

          _Pragma ("unroll") for (int q = 0; q < 4; q++)
            sum[q] += weight * tile[l + q * GROUP + t * CHANNELS];
        }
      _Pragma ("unroll") for (int q = 0; q < 4; q++)
        ADD_CHUNK (float, total[q], rest[q], sum[q])
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  _Pragma ("unroll") for (int q = 0; q < 4; q++)
    if (v + l + q * GROUP < width)
      out[v + l + q * GROUP] = total[q] + a.offset;
}

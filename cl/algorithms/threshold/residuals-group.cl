/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: residuals (residuals.clh), the variant `group`: groups of many work-items, which add up in local memory. */
#include "residuals.clh"

inline void
add_value (IN v, EDGE least, float pre, float scale, float first, float zoom, local uint *number, local uint *sum)
{
  float x = (min (POSITION (v), LAST) - first) * zoom;

  if (COUNTS (v) && x >= 0 && x < RESIDUAL_BINS)
    {
      uint bin = (uint) x;

      atomic_inc (number + bin);
      atomic_add (sum + bin, (uint) ((x - (float) bin) * RESIDUAL_UNIT + 0.5f));
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
residuals (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
           float scale, float first, float zoom, global uint *restrict bins)
{
  local uint number[RESIDUAL_BINS], sum[RESIDUAL_BINS];

  for (uint i = get_local_id (0); i < RESIDUAL_BINS; i += GROUP)
    {
      number[i] = 0;
      sum[i] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      add_value (in[i * VEC + j], least, pre, scale, first, zoom, number, sum);
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    add_value (in[i], least, pre, scale, first, zoom, number, sum);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (uint i = get_local_id (0); i < RESIDUAL_BINS; i += GROUP)
    add_bin (bins, i, number[i], sum[i]);
}

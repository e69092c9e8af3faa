/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: residuals (residuals.clh), the variant `vector`: a group is one work-item, which adds up in private memory.
 * */
#include "residuals.clh"

#define COPIES 2
#define ONE ((ulong) 1 << 40) /* the number is in the bits above the sum */

inline ulong
residual_of (IN v, EDGE least, float pre, float scale, float first, float zoom, uint *bin)
{
  float x = (min (POSITION (v), LAST) - first) * zoom;

  *bin = COUNTS (v) && x >= 0 && x < RESIDUAL_BINS ? (uint) x : RESIDUAL_BINS;
  return ONE + (ulong) ((x - (float) *bin) * RESIDUAL_UNIT + 0.5f);
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
residuals (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
           float scale, float first, float zoom, global uint *restrict bins)
{
  ulong own[COPIES * (RESIDUAL_BINS + 1)];

  for (uint i = 0; i < COPIES * (RESIDUAL_BINS + 1); i++)
    own[i] = 0;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = ((global const values_t *) in)[i];
      floats_t x = (min (POSITIONS (v), LAST) - first) * zoom;
      ints_t within = (x >= 0) & (x < RESIDUAL_BINS), bin = CONVERT_INTS (x), rest;
      int bin_of_value[VEC], rest_of[VEC];

#ifdef REAL
      within &= COUNTS (v);
#endif
      if (!any_lane (within))
        continue;
      rest = CONVERT_INTS ((x - CONVERT_FLOATS (bin)) * RESIDUAL_UNIT + 0.5f);
      VSTORE (within ? bin : (ints_t) (RESIDUAL_BINS), 0, bin_of_value);
      VSTORE (rest, 0, rest_of);
      for (uint j = 0; j < VEC; j++)
        own[j % COPIES * (RESIDUAL_BINS + 1) + bin_of_value[j]] += ONE + (uint) rest_of[j];
    }
  for (ulong i = TAIL_BEGIN; i < count; i++)
    {
      uint bin;
      ulong more = residual_of (in[i], least, pre, scale, first, zoom, &bin);

      own[bin] += more;
    }
  for (uint i = 0; i < RESIDUAL_BINS; i++)
    {
      ulong all = 0;

      for (uint j = 0; j < COPIES; j++)
        all += own[j * (RESIDUAL_BINS + 1) + i];
      add_bin (bins, i, (uint) (all / ONE), all % ONE);
    }
}

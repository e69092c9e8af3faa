/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Finite values in BINS cells of equal width: their number and the sum of how far they lie beyond the
 * lower ends of their cells, in 65535ths of a cell.
 *
 * A value's cell is the whole part of (x - first) * zoom with its position x (position.clh) in
 * [0, BINS]; values beyond the cells are left out. `cells`: BINS each of numbers, and of the lower
 * 16 and the upper bits of the groups' sums, all 0 before. A group takes at most 65536 values, on a CPU at
 * most 2^23, so that its own sums do not overflow.
 * Macros: those of values.clh, FINITE, BINS. */
#include "position.clh"

/* The largest float below BINS: where the largest value lies. */
#define LAST (BINS - BINS * 0.5f * FLT_EPSILON)

inline void
add_cell (global uint *cells, uint i, uint n, ulong sum)
{
  if (n)
    {
      atomic_add (cells + i, n);
      atomic_add (cells + BINS + i, (uint) sum & 0xffff);
      atomic_add (cells + 2 * BINS + i, (uint) (sum >> 16));
    }
}

#if GROUP == 1
#define COPIES 2
#define ONE ((ulong) 1 << 40) /* the number lies above the sum */

inline ulong
take (IN v, EDGE least, float pre, float scale, float first, float zoom, uint *cell)
{
  float x = (min (POSITION (v), LAST) - first) * zoom;

  *cell = COUNTS (v) && x >= 0 && x < BINS ? (uint) x : BINS;
  return ONE + (ulong) ((x - (float) *cell) * 65535.0f + 0.5f);
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
residuals (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
           float scale, float first, float zoom, global uint *restrict cells)
{
  ulong own[COPIES * (BINS + 1)];

  for (uint i = 0; i < COPIES * (BINS + 1); i++)
    own[i] = 0;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = ((global const values_t *) in)[i];
      floats_t x = (min (POSITIONS (v), LAST) - first) * zoom;
      ints_t within = (x >= 0) & (x < BINS), cell = CONVERT_INTS (x), rest;
      int cell_of[VEC], rest_of[VEC];

#ifdef REAL
      within &= COUNTS (v);
#endif
      if (!any_lane (within))
        continue;
      rest = CONVERT_INTS ((x - CONVERT_FLOATS (cell)) * 65535.0f + 0.5f);
      VSTORE (within ? cell : (ints_t) (BINS), 0, cell_of);
      VSTORE (rest, 0, rest_of);
      for (uint j = 0; j < VEC; j++)
        own[j % COPIES * (BINS + 1) + cell_of[j]] += ONE + (uint) rest_of[j];
    }
  for (ulong i = TAIL_BEGIN; i < count; i++)
    {
      uint cell;
      ulong more = take (in[i], least, pre, scale, first, zoom, &cell);

      own[cell] += more;
    }
  for (uint i = 0; i < BINS; i++)
    {
      ulong all = 0;

      for (uint j = 0; j < COPIES; j++)
        all += own[j * (BINS + 1) + i];
      add_cell (cells, i, (uint) (all / ONE), all % ONE);
    }
}
#else
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
residuals (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
           float scale, float first, float zoom, global uint *restrict cells)
{
  local uint number[BINS], sum[BINS];

  for (uint i = get_local_id (0); i < BINS; i += GROUP)
    {
      number[i] = 0;
      sum[i] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);

#define TAKE(v)                                                                                    \
  do                                                                                               \
    {                                                                                              \
      float x = (min (POSITION (v), LAST) - first) * zoom;                                         \
                                                                                                   \
      if (COUNTS (v) && x >= 0 && x < BINS)                                                        \
        {                                                                                          \
          uint cell = (uint) x;                                                                    \
                                                                                                   \
          atomic_inc (number + cell);                                                              \
          atomic_add (sum + cell, (uint) ((x - (float) cell) * 65535.0f + 0.5f));                  \
        }                                                                                          \
    }                                                                                              \
  while (0)

  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      TAKE (in[i * VEC + j]);
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    TAKE (in[i]);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (uint i = get_local_id (0); i < BINS; i += GROUP)
    add_cell (cells, i, number[i], sum[i]);
}
#endif

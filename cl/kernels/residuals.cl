/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finite values in BINS cells of equal width: their number and the sum of how far they lie beyond the
 * lower ends of their cells, in 65535ths of a cell.
 *
 * A value's cell is the whole part of (x - first) * zoom with its position x (position.clh) in
 * [0, BINS]; values beyond the cells are left out. `cells`: BINS each of numbers, and of the lower
 * 16 and the upper bits of the groups' sums, all 0 before. On a GPU a group takes at most 65536 values.
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

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
residuals (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
           float scale, float first, float zoom, global uint *restrict cells)
{
#if GROUP == 1
  uint number[BINS];
  ulong sum[BINS];
#define ADD(cell, rest) (number[cell]++, sum[cell] += (rest))
#else
  local uint number[BINS], sum[BINS];
#define ADD(cell, rest) (atomic_inc (number + (cell)), atomic_add (sum + (cell), rest))
#endif
#define TAKE(v)                                                                                    \
  do                                                                                               \
    {                                                                                              \
      float x = (min (POSITION (v), LAST) - first) * zoom;                                         \
      int cell = (int) clamp (x, -1.0f, (float) BINS);                                             \
                                                                                                   \
      if (COUNTS (v) && x >= 0 && cell < BINS)                                                     \
        ADD (cell, (uint) ((x - (float) cell) * 65535.0f + 0.5f));                                 \
    }                                                                                              \
  while (0)

  for (uint i = get_local_id (0); i < BINS; i += GROUP)
    {
      number[i] = 0;
      sum[i] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      TAKE (in[i * VEC + j]);
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    TAKE (in[i]);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < BINS; i += GROUP)
    add_cell (cells, i, number[i], sum[i]);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: count, extremes, sum and sum of squared deviations of `count` values, ignoring NaN.
 *
 * Each group merges its blocks of BLOCK vectors a work-item (statistics-block.clh) and writes a partial_moments_t. With
 * SCALED, values are multiplied by `scale`, a power of two, where squares would overflow (float only; the extremes are
 * not scaled). A group must have at most MAX_GROUP_VALUES values. Macros: those of values.clh, BLOCK (at most 256), and
 * FINITE to ignore infinities. */
#include "moments-params.h"
#include "statistics-block.clh"
#if defined REAL && GROUP > 1
#define REGISTERS
#include "statistics-registers.clh"
#endif

#if GROUP > 1
#include "statistics-group.clh"
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
statistics (global const IN *restrict in, ulong count, ulong chunk, float scale,
            global partial_moments_t *restrict out)
{
  global const values_t *vectors = (global const values_t *) in;
  ulong i = VECTORS_BEGIN, end = VECTORS_END;
  range_t range = range_begin (in);
  moments_t m = { 0, 0, 0 };
  uint2 keys;

#ifdef REGISTERS
  m = vectors_read (vectors, i, end, scale, &range);
#else
  for (; i < end; i += BLOCK * GROUP)
    {
      ulong last = min (i + BLOCK * GROUP, end);
      moments_t next = block_sum (vectors, i, last, scale, &range);

      if (next.count > 0)
        next.squares.x = block_squares (vectors, i, last, scale, next);
      m = merge (m, next);
    }
#endif
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    if (COUNTS (in[t]))
      m = merge (m, single (in[t], scale));
  keys = range_keys (range, in, TAIL_BEGIN, count);

#if GROUP > 1
  local part_t parts[WARPS];
  local float sums[WARPS];

  m = moments_of_group (m, &keys, parts, sums);
#endif
  if (get_local_id (0) == 0)
    {
      partial_moments_t partial = { (uint) m.count, keys.x, keys.y,
                                    { m.sum.x, m.sum.y }, { m.squares.x, m.squares.y } };

      out[get_group_id (0)] = partial;
    }
}

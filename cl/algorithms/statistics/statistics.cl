/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Count, extremes, sum and sum of squared deviations of `count` values, NaN not counted.
 *
 * Each group merges its blocks of BLOCK vectors a work-item (statistics-block.clh) and writes 7 words of
 * 8: the count, keys of the extremes (values.clh), the two floats of the sum, and those of the squares.
 * With SCALED, values are taken times `scale`, a power of two, where squares would overflow (float only;
 * the extremes are not scaled). A group must have less than 2^24 values.
 * Macros: those of values.clh, BLOCK (at most 256), and FINITE to leave infinities out. */
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
            global uint *restrict out)
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
  local part_t parts[WAVES];
  local float sums[WAVES];

  m = moments_of_group (m, &keys, parts, sums);
#endif
  if (get_local_id (0) == 0)
    {
      global uint *o = out + 8 * get_group_id (0);

      o[0] = (uint) m.count;
      o[1] = keys.x;
      o[2] = keys.y;
      o[3] = as_uint (m.sum.x);
      o[4] = as_uint (m.sum.y);
      o[5] = as_uint (m.squares.x);
      o[6] = as_uint (m.squares.y);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Smallest and largest of `count` values, as keys (extremes.clh): each group writes its two to
 * out[group]. Macros: those of values.clh, and FINITE to leave infinities out. */
#include "extremes.clh"

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
extremes (global const IN *restrict in, ulong count, ulong chunk, global uint2 *restrict out)
{
  range_t range = range_begin (in);
  uint2 keys;

  ulong i = VECTORS_BEGIN, end = VECTORS_END;

#if GROUP > 1
  for (; i + (DEEP - 1) * GROUP < end; i += DEEP * GROUP)
    {
      values_t many[DEEP];

#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        many[k] = ((global const values_t *) in)[i + k * GROUP];
#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        range_extend (&range, many[k]);
    }
#endif
  for (; i < end; i += GROUP)
    range_extend (&range, ((global const values_t *) in)[i]);
  keys = range_keys (range, in, TAIL_BEGIN, count);

#if GROUP > 1
  local uint2 all[GROUP];

  keys = range_of_group (keys, all);
#endif
  if (get_local_id (0) == 0)
    out[get_group_id (0)] = keys;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Smallest and largest of `count` values, as keys (extremes.clh): each group writes its two to
 * out[group]. Macros: those of values.clh, and FINITE to leave infinities out. */
#include "extremes.clh"

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
extremes (global const IN *restrict in, ulong count, ulong chunk, global uint2 *restrict out)
{
  range_t range = range_begin (in);
  uint2 keys;

#if GROUP > 1
  range_extend_by (&range, in, (ulong) get_group_id (0) * chunk, VECTORS_END);
#else
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    range_extend (&range, ((global const values_t *) in)[i]);
#endif
  keys = range_keys (range, in, TAIL_BEGIN, count);

#if GROUP > 1
  local uint2 all[GROUP];

  keys = range_of_group (keys, all);
#endif
  if (get_local_id (0) == 0)
    out[get_group_id (0)] = keys;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: whether the finite values are few distinct levels. levels_mark writes an order key (values.clh) of some
 * value to each of the LEVELS slots of positions (position.clh) in [0, LEVELS]; levels_check sets `mixed` to 1 if two
 * different values share a slot. The first `skip` values, a multiple of VEC, are left out. Which of two values stays in
 * a slot depends on the order of work, but not that there were two. Macros: those of values.clh, FINITE. */
#include "histogram-params.h"
#include "position.clh"

#ifdef REAL
#define LEVEL(v) order_key ((v) + 0.0f) /* both zeros are one level */
#else
#define LEVEL(v) order_key (v)
#endif
#define SLOT(v) ((uint) clamp (POSITION (v), 0.0f, (float) (LEVELS - 1)))

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
levels_mark (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
             float scale, ulong skip, global volatile uint *restrict table)
{
  in += skip;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      {
        IN v = in[i * VEC + j];

        if (COUNTS (v) && table[SLOT (v)] != LEVEL (v))
          table[SLOT (v)] = LEVEL (v);
      }
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    if (COUNTS (in[i]))
      table[SLOT (in[i])] = LEVEL (in[i]);
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
levels_check (global const IN *restrict in, ulong count, ulong chunk, EDGE least, float pre,
              float scale, ulong skip, global const uint *restrict table,
              global volatile uint *restrict mixed)
{
  in += skip;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END && !*mixed; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      {
        IN v = in[i * VEC + j];

        if (COUNTS (v) && table[SLOT (v)] != LEVEL (v))
          *mixed = 1;
      }
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    if (COUNTS (in[i]) && table[SLOT (in[i])] != LEVEL (in[i]))
      *mixed = 1;
}

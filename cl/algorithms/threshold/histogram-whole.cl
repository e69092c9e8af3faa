/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: a histogram of finite whole numbers, counts[value - least]; all counts must be 0 before. `fraction` becomes
 * 1 if a value is not whole. No value may exceed `least` by more than the number of counts. Macros: those of
 * values.clh, FINITE. */
#include "position.clh"

#ifdef REAL
#define IS_WHOLE(v) (floor (v) == (v))
#define BIN(v) ((uint) ((v) - least))
#else
#define IS_WHOLE(v) 1
#define BIN(v) ((uint) (v) - (uint) least)
#endif

inline void
count_one (IN value, EDGE least, global volatile uint *restrict counts, global volatile uint *restrict fraction)
{
  if (!COUNTS (value))
    return;
  if (IS_WHOLE (value))
    atomic_inc (counts + BIN (value));
  else
    *fraction = 1;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
histogram_whole (global const IN *restrict in, ulong count, ulong chunk, EDGE least,
                 global volatile uint *restrict counts, global volatile uint *restrict fraction)
{
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i += GROUP)
    for (uint j = 0; j < VEC; j++)
      count_one (in[i * VEC + j], least, counts, fraction);
  for (ulong i = TAIL_BEGIN; i < count; i += GROUP)
    count_one (in[i], least, counts, fraction);
}

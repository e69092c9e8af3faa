/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The two middle values of `count` values, NaN not counted, by radix selection on order keys.
 *
 * A pass counts, for each value of a digit of the keys (BITS bits from `shift` up), the keys that have
 * it and agree with the prefix found so far in the bits of `mask`; then median_select, one work-group,
 * extends the prefix by the digit where the wanted rank falls. There are two prefixes, for the lower
 * and the upper middle rank; once they differ each has a histogram of its own. `words` are all 0 before
 * the first pass. They begin with 64-bit numbers: the two prefixes, their ranks among the values that
 * agree with them, and the count of all values. From word 16 on: two histograms of BINS each for
 * every `span` groups, so few that no counter overflows; cleared by median_select.
 * Macros: those of values.clh, BITS and BINS (1 << BITS). */
#include "values.clh"

#if GROUP > 1
#include "median-groups.clh"
#else
#define COPIES 4 /* of the lower prefix's histogram: equal neighbours must not wait for each other */

/* Counts the digits of the matching keys; others go to the bin behind the last. */
#define COUNT(histogram, copies, matches)                                                          \
  if (any_lane (matches))                                                                         \
    {                                                                                              \
      uint digits[VEC];                                                                            \
                                                                                                   \
      VSTORE ((matches) ? (keys >> shift) & (BINS - 1) : (uints_t) (BINS), 0, digits);             \
      for (uint j = 0; j < VEC; j++)                                                               \
        histogram[(j % (copies)) * (BINS + 1) + digits[j]]++;                                      \
    }

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
median_count (global const IN *restrict in, ulong count, ulong chunk, uint shift, uint mask,
              ulong span, global uint *words)
{
  global const ulong *state = (global const ulong *) words;
  global uint *counts = words + 16;
  uint lower[COPIES * (BINS + 1)], upper[BINS + 1];
  uint low = (uint) state[0], high = (uint) state[1];

  for (uint i = 0; i < COPIES * (BINS + 1); i++)
    lower[i] = 0;
  for (uint i = 0; i <= BINS; i++)
    upper[i] = 0;

  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = ((global const values_t *) in)[i];
      uints_t keys = order_keys (v);
      ints_t counted = COUNTS (v) ? (ints_t) (-1) : (ints_t) (0);

      COUNT (lower, COPIES, ((keys & mask) == low) & counted);
      if (low != high)
        COUNT (upper, 1, ((keys & mask) == high) & counted);
    }
  for (ulong i = TAIL_BEGIN; i < count; i++)
    if (COUNTS (in[i]))
      {
        uint key = order_key (in[i]), digit = (key >> shift) & (BINS - 1);

        lower[(key & mask) == low ? digit : BINS]++;
        upper[low != high && (key & mask) == high ? digit : BINS]++;
      }

  counts += get_group_id (0) / span * 2 * BINS;
  for (uint i = 0; i < BINS; i++)
    {
      uint n = 0;

      for (uint j = 0; j < COPIES; j++)
        n += lower[j * (BINS + 1) + i];
      if (n)
        atomic_add (counts + i, n);
      if (upper[i])
        atomic_add (counts + BINS + i, upper[i]);
    }
}
#endif

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: a pass of the radix selection (median-radix.clh), the variant `vector`: a group is one work-item, which
 * counts in private memory. Macros: those of median-radix.clh. */
#include "median-radix.clh"

/* Copies of the histogram of the lower prefix, so that equal neighbors do not depend on each other. */
#define COPIES 4

/* Counts the digits of the matching keys; other keys count in an extra bin behind the last. */
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
median_count (global const IN *restrict in, ulong count, ulong chunk, uint shift, uint mask, ulong histogram,
              ulong groups_per_histogram, global uint *words)
{
  global const radix_state_t *state = (global const radix_state_t *) words;
  global uint *counts = words + RADIX_STATE_WORDS;
  uint lower[COPIES * (BINS + 1)], upper[BINS + 1];
  uint low = (uint) state->prefixes[0], high = (uint) state->prefixes[1];

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

  counts += (histogram + get_group_id (0) / groups_per_histogram) * 2 * BINS;
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

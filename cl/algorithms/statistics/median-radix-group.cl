/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: a pass of the radix selection (median-radix.clh), the variant `group`: groups of many work-items, which
 * count in local memory. Macros: those of median-radix.clh. */
#include "median-radix.clh"

/* A histogram for each prefix. As long as the prefixes are equal, the two count alternate warps of 32 work-items. */
typedef struct {
  uint digits[2 * BINS];
} Counters;

typedef struct {
  uint shift, mask, low, high;
  uint copy; /* offset of the histogram that this work-item uses while the prefixes are equal */
} Digit;

inline void
count_key (local Counters *own, const Digit *digit, uint key)
{
  uint prefix = key & digit->mask, place = (key >> digit->shift) & (BINS - 1);

  if (prefix == digit->low)
    atomic_inc (own->digits + digit->copy + place);
  else if (prefix == digit->high)
    atomic_inc (own->digits + BINS + place);
}

inline Digit
begin_digit (local Counters *own, uint shift, uint mask, global const uint *words)
{
  global const radix_state_t *state = (global const radix_state_t *) words;
  Digit digit = { shift, mask, (uint) state->prefixes[0], (uint) state->prefixes[1], 0 };
  uint l = get_local_id (0);

  if (digit.low == digit.high)
    digit.copy = l / 32 % 2 * BINS;
  for (uint i = l; i < 2 * BINS; i += GROUP)
    own->digits[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  return digit;
}

inline void
end_digit (local Counters *own, const Digit *digit, ulong histogram, global uint *words)
{
  global uint *counts = words + RADIX_STATE_WORDS + histogram * 2 * BINS;
  int one = digit->low == digit->high;

  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < BINS; i += GROUP)
    {
      uint lower = own->digits[i], upper = own->digits[BINS + i];

      if (one ? lower + upper : lower)
        atomic_add (counts + i, one ? lower + upper : lower);
      if (!one && upper)
        atomic_add (counts + BINS + i, upper);
    }
}

inline void
count_vector (local Counters *own, const Digit *digit, values_t vector)
{
  IN v[VEC];

  VSTORE (vector, 0, v);
UNROLL
  for (uint j = 0; j < VEC; j++)
    if (COUNTS (v[j]))
      count_key (own, digit, order_key (v[j]));
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_count (global const IN *restrict in, ulong count, ulong chunk, uint shift, uint mask, ulong histogram,
              ulong groups_per_histogram, global uint *words)
{
  local Counters own;
  Digit digit = begin_digit (&own, shift, mask, words);
  global const values_t *vectors = (global const values_t *) in;
  ulong i = VECTORS_BEGIN, end = VECTORS_END;

  for (; i + (VECTORS_AHEAD - 1) * GROUP < end; i += VECTORS_AHEAD * GROUP)
    {
      values_t many[VECTORS_AHEAD];

UNROLL
      for (uint k = 0; k < VECTORS_AHEAD; k++)
        many[k] = vectors[i + k * GROUP];
UNROLL
      for (uint k = 0; k < VECTORS_AHEAD; k++)
        count_vector (&own, &digit, many[k]);
    }
  for (; i < end; i += GROUP)
    count_vector (&own, &digit, vectors[i]);
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    if (COUNTS (in[t]))
      count_key (&own, &digit, order_key (in[t]));
  end_digit (&own, &digit, histogram + get_group_id (0) / groups_per_histogram, words);
}

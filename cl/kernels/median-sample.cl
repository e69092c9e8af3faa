/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bracket of median-bracket.clh from a sample of `count` values, and the state's beginning: one work-group.
 *
 * Each work-item takes OWN values, one from anywhere in each of as many equal parts of the array, the same
 * ones each time. With m of them that count, the bracket begins at the sample's rank m / 2 - MARGIN √m and ends
 * at m / 2 + MARGIN √m: a middle rank of all values lies beyond by chance once in a million times, the
 * rank of a sample's median being spread by √m / 2. Both ends come from two digits of DIGIT_BITS, of what keys lie
 * above the sample's least, and are rounded outwards.
 * Macros: those of median-bracket.clh. */
#include "median-bracket.clh"

#define OWN 8
#define MARGIN 2.5f
#define DIGITS 2048
#define DIGIT_BITS 11
#define PART (DIGITS / GROUP)

/* Finds among the work-item's own counts where `rank` falls, `before` those of others: the digit, and the
 * rank that is left within it. */
inline void
find_digit (local const uint *counts, uint before, uint own, uint rank, local uint *digit, local uint *left)
{
  uint l = get_local_id (0);

  if (rank < before || rank >= before + own)
    return;
  for (uint i = 0; i < PART; i++)
    {
      uint n = counts[l * PART + i];

      if (rank >= before && rank < before + n)
        {
          *digit = l * PART + i;
          *left = rank - before;
        }
      before += n;
    }
}

/* How many the work-item's own digits have in both histograms. */
inline uint2
own_counts (local uint digits[2][DIGITS])
{
  uint2 own = 0;

  for (uint i = 0; i < PART; i++)
    own += (uint2) (digits[0][get_local_id (0) * PART + i], digits[1][get_local_id (0) * PART + i]);
  return own;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_sample (global const IN *restrict in, ulong count, global uint *restrict words)
{
  local uint digits[2][DIGITS], first[2], second[2], left[2], ends[2];
  local uint2 sums[GROUP];
  uint l = get_local_id (0), m, margin, keys[OWN], least = 0xffffffffu, most = 0, shift, next;
  uint2 own, before;
  IN v[OWN];

#pragma unroll
  for (uint i = 0; i < OWN; i++)
    {
      ulong part = i * GROUP + l, begin = count * part / (OWN * GROUP);
      uint length = (uint) (count * (part + 1) / (OWN * GROUP) - begin);

      v[i] = in[begin + mul_hi (length, (uint) part * 2654435761u)];
    }
  for (uint i = l; i < BINS; i += GROUP)
    words[STATE_WORDS + i] = 0;
  for (uint i = l; i < DIGITS; i += GROUP)
    digits[0][i] = digits[1][i] = 0;
  if (l < 2)
    first[l] = second[l] = left[l] = 0;
  if (l == 0)
    {
      ends[0] = least;
      ends[1] = most;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    {
      keys[i] = order_key (v[i]);
      least = min (least, COUNTS (v[i]) ? keys[i] : 0xffffffffu);
      most = max (most, COUNTS (v[i]) ? keys[i] : 0);
    }
  atomic_min (ends, least);
  atomic_max (ends + 1, most);
  barrier (CLK_LOCAL_MEM_FENCE);
  least = ends[0];
  shift = 32 - clz (max (ends[1], least) - least);
  shift = max (shift, (uint) DIGIT_BITS) - DIGIT_BITS;
  next = max (shift, (uint) DIGIT_BITS) - DIGIT_BITS;
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    if (COUNTS (v[i]))
      atomic_inc (digits[i % 2] + ((keys[i] - least) >> shift));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < DIGITS; i += GROUP)
    digits[0][i] += digits[1][i];
  barrier (CLK_LOCAL_MEM_FENCE);

  own = own_counts (digits);
  before = scan_group (own, sums) - own;
  m = sums[GROUP - 1].x;
  margin = (uint) (MARGIN * sqrt ((float) m)) + 1;
  find_digit (digits[0], before.x, own.x, m / 2 > margin ? m / 2 - margin : 0, first, left);
  find_digit (digits[0], before.x, own.x, min (m / 2 + margin, max (m, 1u) - 1), first + 1, left + 1);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < DIGITS; i += GROUP)
    digits[0][i] = digits[1][i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    for (uint end = 0; end < 2; end++)
      if (COUNTS (v[i]) && (keys[i] - least) >> shift == first[end])
        atomic_inc (digits[end] + ((keys[i] - least) >> next & (DIGITS - 1)));
  barrier (CLK_LOCAL_MEM_FENCE);
  own = own_counts (digits);
  before = scan_group (own, sums) - own;
  find_digit (digits[0], before.x, own.x, left[0], second, ends);
  find_digit (digits[1], before.y, own.y, left[1], second + 1, ends + 1);
  barrier (CLK_LOCAL_MEM_FENCE);

  if (l == 0)
    {
      state_t s = { 0 };
      float distance;

      s.low = least + (first[0] << shift | second[0] << next);
      s.high = least + (first[1] << shift | second[1] << next | ((1u << next) - 1));
      distance = DISTANCE (value_of (s.high), value_of (s.low));
      s.scale = BINS / distance;
      s.failed = m == 0 || !(distance <= FLT_MAX) || !(s.scale <= FLT_MAX);
      s.least = 0xffffffffu;
      *(global state_t *) words = s;
    }
}

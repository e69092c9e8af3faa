/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the step between two passes of median-radix.clh. One work-group finds in the histograms the digits of the
 * two middle ranks, extends the prefixes and clears the histograms. With `first` the ranks are those of all values, (n
 * - 1) / 2 and n / 2. Macros: BINS, a multiple of SELECT_ITEMS. */
#include "macros.clh"
#include "median-params.h"

#define OWN (BINS / SELECT_ITEMS) /* bins a work-item */

/* Adds the OWN counts from @counts on to those of this work-item. */
inline void
add_bins (ulong *own, global const uint *counts)
{
UNROLL
  for (uint i = 0; i < OWN; i += 4)
    {
      uint4 n = *(global const uint4 *) (counts + i);

      own[i] += n.x;
      own[i + 1] += n.y;
      own[i + 2] += n.z;
      own[i + 3] += n.w;
    }
}

/* The digit, among those of this work-item, that contains @rank, and the rank within it. */
inline ulong2
descend (ulong rank, const ulong *own)
{
  uint i = 0;

UNROLL
  for (uint j = 0; j < OWN - 1; j++)
    if (i == j && rank >= own[j])
      {
        rank -= own[j];
        i++;
      }
  return (ulong2) (i, rank);
}

kernel __attribute__ ((reqd_work_group_size (SELECT_ITEMS, 1, 1))) void
median_select (global uint *words, ulong histograms, uint shift, int first)
{
  global radix_state_t *state = (global radix_state_t *) words;
  global uint *counts = words + RADIX_STATE_WORDS;
  local ulong2 sums[SELECT_ITEMS];
  uint l = get_local_id (0);
  ulong prefix[2] = { state->prefixes[0], state->prefixes[1] }, low[OWN], high[OWN];
  int one = prefix[0] == prefix[1];
  ulong2 rank = (ulong2) (state->ranks[0], state->ranks[1]), own = 0, all, before;

UNROLL
  for (uint i = 0; i < OWN; i++)
    low[i] = high[i] = 0;
  for (ulong h = 0; h < histograms; h++)
    {
      add_bins (low, counts + 2 * h * BINS + l * OWN);
      if (!one)
        add_bins (high, counts + (2 * h + 1) * BINS + l * OWN);
    }
UNROLL
  for (uint i = 0; i < OWN; i++)
    {
      high[i] = one ? low[i] : high[i];
      own += (ulong2) (low[i], high[i]);
    }
  sums[l] = own;
  /* All counts are read before any is cleared. */
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint s = 1; s < SELECT_ITEMS; s <<= 1)
    {
      ulong2 left = l >= s ? sums[l - s] : (ulong2) (0);

      barrier (CLK_LOCAL_MEM_FENCE);
      sums[l] += left;
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  all = sums[SELECT_ITEMS - 1];
  before = sums[l] - own;
  if (first)
    rank = (ulong2) ((max (all.x, (ulong) 1) - 1) / 2, all.x / 2);
  if (first && l == 0)
    state->count = all.x;
  if (rank.x >= before.x && rank.x < before.x + own.x)
    {
      ulong2 found = descend (rank.x - before.x, low);

      state->prefixes[0] = prefix[0] | ((found.x + l * OWN) << shift);
      state->ranks[0] = found.y;
    }
  if (rank.y >= before.y && rank.y < before.y + own.y)
    {
      ulong2 found = descend (rank.y - before.y, high);

      state->prefixes[1] = prefix[1] | ((found.x + l * OWN) << shift);
      state->ranks[1] = found.y;
    }

  for (ulong i = 4 * l; i < 2 * histograms * BINS; i += 4 * SELECT_ITEMS)
    *(global uint4 *) (counts + i) = 0;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The step between two passes of median.cl: one work-group of 256 finds in the histograms the digits
 * where the two middle ranks fall, extends the prefixes and clears the histograms. With `first` the
 * ranks are those of all values: (n - 1) / 2 and n / 2.
 * Macros: BINS, a multiple of 256. */
#define ITEMS 256
#define OWN (BINS / ITEMS) /* bins a work-item */

/* Adds to @own how many keys have each of the work-item's own digits, OWN from @counts on. */
inline void
add_bins (ulong *own, global const uint *counts)
{
#pragma unroll
  for (uint i = 0; i < OWN; i += 4)
    {
      uint4 n = *(global const uint4 *) (counts + i);

      own[i] += n.x;
      own[i + 1] += n.y;
      own[i + 2] += n.z;
      own[i + 3] += n.w;
    }
}

/* The digit among the work-item's own where @rank falls, and the rank that is left within it. */
inline ulong2
descend (ulong rank, const ulong *own)
{
  uint i = 0;

#pragma unroll
  for (uint j = 0; j < OWN - 1; j++)
    if (i == j && rank >= own[j])
      {
        rank -= own[j];
        i++;
      }
  return (ulong2) (i, rank);
}

kernel __attribute__ ((reqd_work_group_size (ITEMS, 1, 1))) void
median_select (global uint *words, ulong spans, uint shift, int first)
{
  global ulong *state = (global ulong *) words;
  global uint *counts = words + 16;
  local ulong2 sums[ITEMS];
  uint l = get_local_id (0);
  ulong prefix[2] = { state[0], state[1] }, low[OWN], high[OWN];
  int one = prefix[0] == prefix[1];
  ulong2 rank = (ulong2) (state[2], state[3]), own = 0, all, before;

#pragma unroll
  for (uint i = 0; i < OWN; i++)
    low[i] = high[i] = 0;
  for (ulong span = 0; span < spans; span++)
    {
      add_bins (low, counts + 2 * span * BINS + l * OWN);
      if (!one)
        add_bins (high, counts + (2 * span + 1) * BINS + l * OWN);
    }
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    {
      high[i] = one ? low[i] : high[i];
      own += (ulong2) (low[i], high[i]);
    }
  sums[l] = own;
  /* All counts are read before any is cleared. */
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint s = 1; s < ITEMS; s <<= 1)
    {
      ulong2 left = l >= s ? sums[l - s] : (ulong2) (0);

      barrier (CLK_LOCAL_MEM_FENCE);
      sums[l] += left;
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  all = sums[ITEMS - 1];
  before = sums[l] - own;
  if (first)
    rank = (ulong2) ((max (all.x, (ulong) 1) - 1) / 2, all.x / 2);
  if (first && l == 0)
    state[4] = all.x;
  if (rank.x >= before.x && rank.x < before.x + own.x)
    {
      ulong2 found = descend (rank.x - before.x, low);

      state[0] = prefix[0] | ((found.x + l * OWN) << shift);
      state[2] = found.y;
    }
  if (rank.y >= before.y && rank.y < before.y + own.y)
    {
      ulong2 found = descend (rank.y - before.y, high);

      state[1] = prefix[1] | ((found.x + l * OWN) << shift);
      state[3] = found.y;
    }

  for (ulong i = 4 * l; i < 2 * spans * BINS; i += 4 * ITEMS)
    *(global uint4 *) (counts + i) = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step between two passes of median.cl: one work-group of 256 finds in the histograms the digits
 * where the two middle ranks fall, extends the prefixes and clears the histograms. With `first` the
 * ranks are those of all values: (n - 1) / 2 and n / 2.
 * Macros: BINS, a multiple of 256. */
#define ITEMS 256
#define OWN (BINS / ITEMS) /* bins a work-item */

/* How many keys have the digit i: in the histogram of each of the two prefixes. */
inline ulong2
bin (global const uint *counts, ulong spans, uint upper, uint i)
{
  ulong2 n = 0;

  for (ulong span = 0; span < spans; span++)
    n += (ulong2) (counts[2 * span * BINS + i], counts[(2 * span + upper) * BINS + i]);
  return n;
}

/* The digit among the work-item's own where @rank falls, and the rank that is left within it. */
inline ulong2
descend (ulong rank, const ulong *own)
{
  uint i = 0;

  while (i < OWN - 1 && rank >= own[i])
    rank -= own[i++];
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
  uint upper = prefix[0] == prefix[1] ? 0 : 1;
  ulong2 rank = (ulong2) (state[2], state[3]), own = 0, all, before;

  for (uint i = 0; i < OWN; i++)
    {
      ulong2 n = bin (counts, spans, upper, l * OWN + i);

      low[i] = n.x;
      high[i] = n.y;
      own += n;
    }
  sums[l] = own;
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

  for (ulong span = 0; span < 2 * spans; span++)
    for (uint i = 0; i < OWN; i++)
      counts[span * BINS + l * OWN + i] = 0;
}

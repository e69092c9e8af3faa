/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs: unites the first band of each strip with the last one of the strip above. One
 * work-item a border, all at the same time. Part of the program label-runs.cl. */
#include "label-runs.clh"

kernel void
label_runs_join (global const ulong *bits, global uint *parent, global const uint *first,
                 volatile global uint *components, uint words, uint bands, uint capacity)
{
  uint strip = get_global_id (0) + 1, band = strip * bands;
  uint node = first[band + strip], above = first[band - 1 + strip - 1];
  global const ulong *row = bits + (size_t) band * SPAN * words, *up = row - SPAN * (size_t) words;
  ulong before = 0, before_up = 0, before_here = 0, before_line = 0, carry = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
      ulong line = up[(SPAN - 1) * (size_t) words + i], there = up[i] | line;
      ulong starts = here & ~(here << 1 | before), above_starts = there & ~(there << 1 | before_up);
      ulong touch = touches (row[i], line, before_here, before_line, here, there, &carry);

      for (; touch; touch &= touch - 1)
        {
          ulong to = touch ^ (touch - 1);
          int one;
          uint lost = unite (parent, node + popcount (starts & to) - 1,
                             above + popcount (above_starts & to) - 1, &one);

          if (!one)
            atomic_dec (components + lost / capacity);
        }
      before = here >> 63;
      before_up = there >> 63;
      before_here = row[i];
      before_line = line;
      node += popcount (starts);
      above += popcount (above_starts);
    }
}

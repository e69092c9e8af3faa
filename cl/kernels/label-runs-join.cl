/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by runs (label-runs.cl tells the layout): unites each stripe's first strip with the
 * last one of the stripe above, one work-item a border, all at once.
 *
 * Macro: SPAN. */
#include "label.clh"

kernel void
label_runs_join (global const ulong *bits, global uint *parent, global const uint *first,
                 volatile global uint *components, uint words, uint strips, uint capacity)
{
  uint stripe = get_global_id (0) + 1, strip = stripe * strips;
  uint node = first[strip + stripe], above = first[strip - 1 + stripe - 1];
  global const ulong *row = bits + (size_t) strip * SPAN * words, *up = row - SPAN * (size_t) words;
  ulong before = 0, before_up = 0, carry = 0;
  ulong2 before_lines = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
      ulong line = up[(SPAN - 1) * (size_t) words + i], there = up[i] | line;
      ulong starts = here & ~(here << 1 | before), above_starts = there & ~(there << 1 | before_up);
      ulong touch = touches (row[i], line, before_lines, here, there, &carry);

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
      before_lines = (ulong2) (row[i] >> 63, line >> 63);
      node += popcount (starts);
      above += popcount (above_starts);
    }
}

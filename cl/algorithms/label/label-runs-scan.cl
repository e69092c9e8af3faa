/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs: unites the nodes of each strip, and counts its components. Part of the program
 * label-runs.cl. */
#include "label-runs.clh"

/* The root of a node, with path halving; only for the work-item of the strip. */
inline uint
strip_root (global uint *parent, uint node)
{
  uint next;

  while ((next = parent[node]) != node)
    node = parent[node] = parent[next];
  return node;
}

/* Adds the nodes of a band to `parent` from `node` on, and unites them with those of the band above, which begin at
 * `above`; `up` is not used for the first band of a strip. Returns the end of the nodes. */
inline uint
scan_band (global const ulong *bits, global const ulong *up, global uint *parent, uint words,
            uint node, uint above, int first, uint *components)
{
  ulong before = 0, before_up = 0, before_here = 0, before_line = 0, carry = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong band = bits[i] | bits[(SPAN - 1) * (size_t) words + i];
      ulong starts = band & ~(band << 1 | before);
      uint end = node + popcount (starts);

      before = band >> 63;
      for (uint n = node; n < end; n++)
        parent[n] = n;
      *components += end - node;

      if (!first)
        {
          ulong line = up[(SPAN - 1) * (size_t) words + i], above_band = up[i] | line;
          ulong above_starts = above_band & ~(above_band << 1 | before_up);
          ulong touch = touches (bits[i], line, before_here, before_line, band, above_band,
                                 &carry);

          before_up = above_band >> 63;
          before_here = bits[i];
          before_line = line;
          for (; touch; touch &= touch - 1)
            {
              ulong to = touch ^ (touch - 1);
              uint a = strip_root (parent, node + popcount (starts & to) - 1);
              uint b = strip_root (parent, above + popcount (above_starts & to) - 1);

              *components -= a != b;
              parent[max (a, b)] = min (a, b);
            }
          above += popcount (above_starts);
        }
      node = end;
    }
  return node;
}

kernel void
label_runs_scan (global const ulong *bits, global uint *parent, global uint *first,
                 global uint *components, uint words, uint height, uint bands, uint capacity)
{
  uint strip = get_global_id (0), found = 0, all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);
  uint node = strip * capacity, above = node;

  for (uint band = begin; band < end; band++)
    {
      global const ulong *row = bits + (size_t) band * SPAN * words;
      global const ulong *up = band > begin ? row - SPAN * (size_t) words : row;
      uint here = node;

      first[band + strip] = node;
      node = scan_band (row, up, parent, words, node, above, band == begin, &found);
      above = here;
    }
  first[end + strip] = node;
  components[strip] = found;
}

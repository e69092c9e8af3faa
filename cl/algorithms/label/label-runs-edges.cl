/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs: labels of a part of an image, after label_runs_number. Part of the program
 * label-runs.cl.
 *
 * label_runs_edges: writes the labels of the first and of the last row, by a work-item each, after count[0].
 * label_runs_renumber: replaces the labels of the roots by numbers of the whole image, or by their colors. A work-item
 *   a strip. */
#include "label-color.clh"
#include "label-numbering.clh"
#include "label-runs.clh"

kernel void
label_runs_edges (global const ulong *bits, global const uint *parent, global const uint *label,
                  global const uint *first, global uint *count, uint width, uint height, uint bands)
{
  uint words = LABEL_RUNS_WORDS (width), y = get_global_id (0) ? height - 1 : 0;
  uint band = y / SPAN, node = first[band + band / bands] - 1, found = 0;
  global const ulong *row = bits + (size_t) band * SPAN * words;
  ulong before = 0;

  if (get_global_id (0) > 1)
    return;
  count += 1 + get_global_id (0) * width;
  for (uint x = 0; x < width; x++)
    {
      uint i = x / 64, bit = x % 64;
      ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
      ulong starts = here & ~(here << 1 | before);

      if (starts >> bit & 1)
        found = label[settled_root (parent, ++node)];
      count[x] = row[y % SPAN * (size_t) words + i] >> bit & 1 ? found : 0;
      if (bit == 63)
        before = here >> 63;
    }
}

kernel void
label_runs_renumber (global const uint *parent, global uint *label, global const uint *first, uint height,
                     uint bands, int colors, global const uint2 *changes, uint n_changes, uint base)
{
  uint strip = get_global_id (0), all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint n = first[begin + strip], last = first[end + strip]; n < last; n++)
    if (parent[n] == n)
      label[n] = label_value (renumber (label[n], changes, n_changes, base), colors);
}

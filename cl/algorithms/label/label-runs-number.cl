/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs: labels in the raster order of first pixels. Part of the program label-runs.cl.
 *
 * Gives each root its label; those of a strip follow those of the strips above. With `filter`, roots for which keep[]
 * is 0 get the label 0. With `colors`, the colors of the labels take their place. */
#include "label-color.clh"
#include "label-runs.clh"

#if SPAN == 2
/* The first pixel of a component is in the upper row of its topmost band if it has pixels there: numbers these
 * components in the order of columns. `node` is the first node of the band. */
inline uint
number_upper (global const ulong *bits, global const uint *parent, global uint *label,
              global const uint *keep, int filter, int colors, uint words, uint node,
              uint number)
{
  uint start = node;
  ulong before = 0, carry = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong band = bits[i] | bits[words + i], starts = band & ~(band << 1 | before);

      for (ulong upper = first_events (band, bits[i], &carry); upper; upper &= upper - 1)
        {
          uint n = node + popcount (starts & (upper ^ (upper - 1))) - 1;

          while (n >= start && parent[n] != n)
            n = parent[n];
          if (n >= start && !label[n] && (!filter || keep[n]))
            label[n] = label_value (++number, colors);
        }
      node += popcount (starts);
      before = band >> 63;
    }
  return number;
}
#endif

kernel void
label_runs_number (global const ulong *bits, global const uint *parent, global uint *label,
                   global const uint *first, global const uint *components,
                   global const uint *keep, global uint *count, uint words, uint height,
                   uint bands, int filter, int colors)
{
  uint strip = get_global_id (0), number = 0;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint i = 0; i < strip; i++)
    number += components[i];

  for (uint band = begin; band < end; band++)
    {
      uint node = first[band + strip], last = first[band + strip + 1];
      int roots = 0;

      for (uint n = node; n < last; n++)
        {
          label[n] = 0;
          roots |= parent[n] == n;
        }
#if SPAN == 2
      if (roots)
        number = number_upper (bits + (size_t) band * SPAN * words, parent, label, keep, filter,
                               colors, words, node, number);
#endif
      if (roots)
        for (uint n = node; n < last; n++)
          if (parent[n] == n && !label[n] && (!filter || keep[n]))
            label[n] = label_value (++number, colors);
    }
  if (end == all && begin < all)
    *count = number;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which regions stay, for connected components by runs (label-runs.cl tells the layout).
 *
 * label_runs_areas: before the stripes are joined: for each root of a stripe its pixels, and in
 *   keep[] whether it must go because it touches the image's edge (0) or not (1).
 * label_runs_collect: after the joining: adds what became children to their roots.
 * label_runs_keep: decides by area, and counts the components that stay, stripe by stripe.
 *
 * Macro: SPAN. */
#include "label.clh"

inline int
at_edge (ulong piece, uint word, uint y, uint width, uint height)
{
  uint last = width - 1 - word * 64;

  return y == 0 || y == height - 1 || (word == 0 && (piece & 1))
         || (last < 64 && (piece >> last & 1));
}

kernel void
label_runs_areas (global const ulong *bits, global const uint *parent, global uint *area,
                  global uchar *keep, global const uint *first, uint width, uint height,
                  uint strips, int edges)
{
  uint stripe = get_global_id (0), words = (width + 63) / 64;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);

  for (uint n = first[begin + stripe]; n < first[end + stripe]; n++)
    {
      area[n] = 0;
      keep[n] = 1;
    }

  for (uint y = begin * SPAN; y < min (end * SPAN, height); y++)
    {
      uint strip = y / SPAN, node = first[strip + stripe];
      global const ulong *row = bits + (size_t) strip * SPAN * words;
      ulong before = 0;

      for (uint i = 0; i < words; i++)
        {
          ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
          ulong starts = here & ~(here << 1 | before), rest = row[y % SPAN * (size_t) words + i];

          while (rest)
            {
              /* The run at the lowest bit: where the sum carries it away. */
              ulong piece = rest & ~(rest + (rest & -rest));
              uint n = node + popcount (starts & (rest ^ (rest - 1))) - 1;

              n = root_of ((volatile global uint *) parent, n);
              area[n] += popcount (piece);
              if (edges && at_edge (piece, i, y, width, height))
                keep[n] = 0;
              rest ^= piece;
            }
          before = here >> 63;
          node += popcount (starts);
        }
    }
}

kernel void
label_runs_collect (global const uint *parent, volatile global uint *area, global uchar *keep,
                    global const uint *first, uint height, uint strips, uint capacity)
{
  uint stripe = get_global_id (0);
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);

  for (uint n = stripe * capacity; n < first[end + stripe]; n++)
    if (area[n] && parent[n] != n)
      {
        uint root = root_of ((volatile global uint *) parent, n);

        atomic_add (area + root, area[n]);
        if (!keep[n])
          keep[root] = 0;
      }
}

kernel void
label_runs_keep (global const uint *parent, global const uint *area, global uchar *keep,
                 global const uint *first, global uint *components, uint height, uint strips,
                 uint capacity, uint min_size, uint max_size)
{
  uint stripe = get_global_id (0), found = 0;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);

  for (uint n = stripe * capacity; n < first[end + stripe]; n++)
    if (parent[n] == n)
      {
        keep[n] &= area[n] >= min_size && area[n] <= max_size;
        found += keep[n];
      }
  components[stripe] = found;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs: the choice of regions by size and position. Part of the program label-runs.cl.
 *
 * label_runs_areas: before the strips are joined. Writes for each root of a strip its pixels to area[], and to keep[] 0
 *   if it touches the edge of the image, which removes it with `edges`, else 1.
 * label_runs_collect: after the strips are joined. Adds the areas of roots that became children to those of their
 *   roots.
 * label_runs_keep: removes regions by area, and counts the remaining ones of each strip. */
#include "label-runs.clh"

inline int
at_edge (ulong run, uint word, uint y, uint width, uint height)
{
  uint last = width - 1 - word * 64;

  return y == 0 || y == height - 1 || (word == 0 && (run & 1))
         || (last < 64 && (run >> last & 1));
}

kernel void
label_runs_areas (global const ulong *bits, global const uint *parent, global uint *area,
                  global uint *keep, global const uint *first, uint width, uint height,
                  uint bands, int edges)
{
  uint strip = get_global_id (0), words = LABEL_RUNS_WORDS (width);
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint n = first[begin + strip]; n < first[end + strip]; n++)
    {
      area[n] = 0;
      keep[n] = 1;
    }

  for (uint y = begin * SPAN; y < min (end * SPAN, height); y++)
    {
      uint band = y / SPAN, node = first[band + strip];
      global const ulong *row = bits + (size_t) band * SPAN * words;
      ulong before = 0;

      for (uint i = 0; i < words; i++)
        {
          ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
          ulong starts = here & ~(here << 1 | before), rest = row[y % SPAN * (size_t) words + i];

          while (rest)
            {
              /* The run that begins at the lowest bit: the sum clears it. */
              ulong run = rest & ~(rest + (rest & -rest));
              uint n = node + popcount (starts & (rest ^ (rest - 1))) - 1;

              n = settled_root (parent, n);
              area[n] += popcount (run);
              if (edges && at_edge (run, i, y, width, height))
                keep[n] = 0;
              rest ^= run;
            }
          before = here >> 63;
          node += popcount (starts);
        }
    }
}

kernel void
label_runs_collect (global const uint *parent, volatile global uint *area,
                    volatile global uint *keep, global const uint *first, uint height, uint bands,
                    uint capacity)
{
  uint strip = get_global_id (0);
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint n = strip * capacity; n < first[end + strip]; n++)
    if (parent[n] != n && area[n])
      {
        uint root = settled_root (parent, n);

        atomic_add (area + root, area[n]);
        if (!keep[n])
          atomic_xchg (keep + root, 0);
      }
}

kernel void
label_runs_keep (global const uint *parent, global const uint *area, global uint *keep,
                 global const uint *first, global uint *components, uint height, uint bands,
                 uint capacity, uint min_size, uint max_size)
{
  uint strip = get_global_id (0), found = 0;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint n = strip * capacity; n < first[end + strip]; n++)
    if (parent[n] == n)
      {
        keep[n] &= area[n] >= min_size && area[n] <= max_size;
        found += keep[n];
      }
  components[strip] = found;
}

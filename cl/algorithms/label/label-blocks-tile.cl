/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks, the first step: packs the mask, in > 0 (NaN is not), and unites
 * the nodes of each tile in local memory, after "block-based union-find" (S. Allegretti,
 * F. Bolelli, C. Grana 2019) in its idea, with the nodes of label-blocks.clh.
 *
 * Writes bits[], names[], roots[], counts[]; parent[] = itself for each component of a tile, and
 * with FILTER its pixels to area[]; clears the `words` pairs of ranks[] and the `pieces` sums[].
 *
 * Macros: those of label-blocks.clh, IN (element type). */
#include "label-blocks.clh"
#include "label-blocks-unite.clh"

kernel __attribute__ ((reqd_work_group_size (TILE, 1, 1))) void
label_blocks_tile (global const IN *in, global uint *bits, global ushort *names,
                   global ushort *roots, global uint *counts, global uint *parent,
                   global uint *ranks, global uint *sums, global uint *area, uint width,
                   uint height, uint words, uint pieces)
{
  volatile local uint columns[2 * TILE], nodes[SLOTS], count;
#ifdef FILTER
  volatile local uint sizes[SLOTS];
#endif
  uint lx = get_local_id (0), x = get_global_id (0), tile_row = get_group_id (1);
  uint tile = get_group_id (0), number = TILE_NUMBER;

  for (uint level = 0; level < 2; level++)
    {
      uint word = pack (in, x, tile_row * 64 + level * 32, width, height);

      columns[level * TILE + lx] = word;
      if (x < width)
        bits[(size_t) (2 * tile_row + level) * width + x] = word;
    }
  for (uint i = number * TILE + lx, all = get_num_groups (0) * get_num_groups (1) * TILE;
       i < max (words, pieces); i += all)
    {
      if (i < words)
        vstore2 ((uint2) (0), i, ranks);
      if (i < pieces)
        sums[i] = 0;
    }
  if (lx == 0)
    count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  FOR_PARTS (strip, level)
    {
      uint starts = starts_of (FIRST_LINE (columns, strip, level) | LAST_LINE (columns, strip, level));

      FOR_NODES (strip, level, starts, name)
        {
          nodes[SLOT (name)] = name;
#ifdef FILTER
          sizes[SLOT (name)] = 0;
#endif
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  FOR_PARTS (strip, level)
    unite_part (nodes, columns, strip, level);
  barrier (CLK_LOCAL_MEM_FENCE);

#ifdef FILTER
  FOR_PARTS (strip, level)
    {
      uint line = FIRST_LINE (columns, strip, level), last = LAST_LINE (columns, strip, level);
      uint edge = edge_pixels (line, last, tile * TILE + strip * SPAN, tile_row * 64 + 32 * level,
                               width, height);

      add_sizes (sizes, nodes, line, last, edge, strip, level);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
#endif

  FOR_PARTS (strip, level)
    {
      uint starts = starts_of (FIRST_LINE (columns, strip, level) | LAST_LINE (columns, strip, level));

      FOR_NODES (strip, level, starts, name)
        {
          uint root = tile_root (nodes, name);

          names[(size_t) number * SLOTS + SLOT (name)] = root;
          if (root == name)
            {
              uint place = place_of (root, tile, tile_row, width);
              uint i = (size_t) number * SLOTS + atomic_inc (&count);

              parent[place] = place;
#ifdef FILTER
              root |= sizes[SLOT (name)] >> 16 & EDGE;
              area[place] = sizes[SLOT (name)] & ~(EDGE << 16);
#endif
              roots[i] = root;
            }
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (lx == 0)
    counts[number] = count;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks: the labels. Part of the program label-blocks.cl.
 *
 * ranks[2 * i] has a bit for each pixel from 32 * i on, which is set if a component begins there. sums[] has the number
 * of set bits of each `chunk` words. label_blocks_scan: writes to ranks[2 * i + 1] the number of set bits before the
 * word, and to count[0] that of all.
 *   A work-group a chunk.
 * label_blocks_write: replaces the parents in `out` by labels, as label-numbering.clh numbers them, with `colors` by
 *   the colors of the labels. */
#include "label-blocks.clh"
#include "label-color.clh"
#include "label-numbering.clh"

/* The sum of `value` over the work-items up to this one; `total` is that over the group. */
inline uint2
scan_group (local uint2 *sums, uint2 value, uint2 *total)
{
  uint lx = get_local_id (0);

  sums[lx] = value;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < SCAN_ITEMS; step *= 2)
    {
      uint2 more = lx >= step ? sums[lx - step] : (uint2) (0);

      barrier (CLK_LOCAL_MEM_FENCE);
      value += more;
      sums[lx] = value;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  *total = sums[SCAN_ITEMS - 1];
  return value;
}

kernel __attribute__ ((reqd_work_group_size (SCAN_ITEMS, 1, 1))) void
label_blocks_scan (global uint2 *ranks, global const uint *sums, global uint *count, uint words,
                   uint chunk)
{
  local uint2 shared[SCAN_ITEMS];
  uint lx = get_local_id (0), own = chunk / SCAN_ITEMS, group = get_group_id (0), before;
  uint begin = min (group * chunk + lx * own, words), end = min (begin + own, words);
  uint2 found = 0, total; /* roots of the chunks before this one, and of this one */

  for (uint i = lx; i < group; i += SCAN_ITEMS)
    found.x += sums[i];
  for (uint i = begin; i < end; i++)
    found.y += popcount (ranks[i].x);
  before = scan_group (shared, found, &total).y - found.y + total.x;

  for (uint i = begin; i < end; i++)
    {
      ranks[i].y = before;
      before += popcount (ranks[i].x);
    }
  if (group + 1 == get_num_groups (0) && lx == 0)
    *count = total.x + total.y;
}

/* The label of the component that begins at an index, or 0 if it was removed. */
inline uint
label_at (global const uint2 *ranks, uint index)
{
  uint2 rank = ranks[index / 32];
  uint bit = 1u << index % 32;

  return rank.x & bit ? rank.y + popcount (rank.x & (bit - 1)) + 1 : 0;
}

kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_write (global const uint *bits, global const ushort *node_roots,
                    global const ushort *block_roots, global const uint *root_counts,
                    global const uint2 *ranks, global uint *out, uint width, uint height,
                    int colors, global const uint2 *changes, uint n_changes, uint base)
{
  local uint columns[2 * BLOCK], labels[SLOTS];
  uint lx = get_local_id (0), x = get_global_id (0), block = get_group_id (0);
  uint block_row = get_group_id (1), y = block_row * BLOCK_ROWS, band = lx / SPAN, label = 0;
  size_t own = (size_t) BLOCK_NUMBER * SLOTS;

  for (uint level = 0; level < 2; level++)
    columns[level * BLOCK + lx]
      = x < width ? bits[(size_t) (2 * block_row + level) * width + x] : 0;
  for (uint i = lx; i < root_counts[BLOCK_NUMBER]; i += BLOCK)
    {
      uint node = block_roots[own + i] & ~EDGE_FLAG;
      uint label = label_at (ranks, out[index_of (node, block, block_row, width)]);

      labels[SLOT (node)] = label_value (renumber (label, changes, n_changes, base), colors);
    }
  /* All parents of the block have been read, and no other block reads them. */
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  FOR_PARTS (of, level)
    {
      uint starts = starts_of (FIRST_LINE (columns, of, level) | LAST_LINE (columns, of, level));

      FOR_NODES (of, level, starts, node)
        {
          uint root = node_roots[own + SLOT (node)];

          if (root != node)
            labels[SLOT (node)] = labels[SLOT (root)];
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (x >= width)
    return;
  out += (size_t) y * width + x;
  for (uint level = 0; level < 2; level++)
    {
      uint word = columns[level * BLOCK + lx];
      uint starts = starts_of (FIRST_LINE (columns, band, level) | LAST_LINE (columns, band, level));

      for (uint row = 0; row < 32 && y + 32 * level + row < height; row++)
        {
          if (starts >> row & 1)
            label = labels[SLOT (NODE (32 * level + row, band))];
          out[(size_t) (32 * level + row) * width] = word >> row & 1 ? label : 0;
        }
    }
}

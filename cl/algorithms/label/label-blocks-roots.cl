/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks: the roots of the components. Part of the program label-blocks.cl.
 *
 * label_blocks_flatten: attaches the components of each block to their roots. Marks roots in ranks[2 * (index / 32)],
 *   and counts them in sums[], one number for each `chunk` words of ranks. With FILTER: instead adds the area of each
 *   component to that of its root, and marks in the other words of ranks[] the roots of components that touch the edge
 *   of the image.
 * label_blocks_keep (FILTER): marks and counts the roots of regions that are not removed. */
#include "label-blocks.clh"

/* Marks and counts the root at an index. */
inline void
mark_root (volatile global uint *ranks, volatile global uint *sums, uint index, uint chunk)
{
  atomic_or (ranks + 2 * (index / 32), 1u << index % 32);
  atomic_inc (sums + index / 32 / chunk);
}

kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_flatten (global const ushort *block_roots, global const uint *root_counts,
                      volatile global uint *parent, volatile global uint *ranks,
                      volatile global uint *sums, volatile global uint *area, uint width,
                      uint chunk)
{
  for (uint i = get_local_id (0); i < root_counts[BLOCK_NUMBER]; i += BLOCK)
    {
      uint node = block_roots[(size_t) BLOCK_NUMBER * SLOTS + i];
      uint index = index_of (node & ~EDGE_FLAG, get_group_id (0), get_group_id (1), width);
      uint root = root_of (parent, index);

      WRITE_SHARED (parent + index, root);
#ifdef FILTER
      if (root != index)
        atomic_add (area + root, area[index]);
      if (node & EDGE_FLAG)
        atomic_or (ranks + 2 * (root / 32) + 1, 1u << root % 32);
#else
      if (root == index)
        mark_root (ranks, sums, root, chunk);
#endif
    }
}

#ifdef FILTER
kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_keep (global const ushort *block_roots, global const uint *root_counts,
                   global const uint *parent, volatile global uint *ranks,
                   volatile global uint *sums, global const uint *area, uint width, uint chunk,
                   uint min_size, uint max_size, int edges)
{
  for (uint i = get_local_id (0); i < root_counts[BLOCK_NUMBER]; i += BLOCK)
    {
      uint node = block_roots[(size_t) BLOCK_NUMBER * SLOTS + i] & ~EDGE_FLAG;
      uint index = index_of (node, get_group_id (0), get_group_id (1), width);

      if (parent[index] == index && area[index] >= min_size && area[index] <= max_size
          && !(edges && ranks[2 * (index / 32) + 1] >> index % 32 & 1))
        mark_root (ranks, sums, index, chunk);
    }
}
#endif

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks: the labels of the first and of the last row, after label_blocks_scan, which has
 * written their number to count[0]. Part of the program label-blocks.cl.
 * Dimensions: blocks of a row; the two rows. */
#include "label-blocks.clh"

kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_edges (global const uint *bits, global const ushort *node_roots, global const uint *parent,
                    global const uint2 *ranks, global uint *count, uint width, uint height)
{
  uint x = get_global_id (0), y = get_global_id (1) ? height - 1 : 0;

  if (x >= width)
    return;
  count[1 + get_global_id (1) * width + x]
    = bits[(size_t) (y / 32) * width + x] >> y % 32 & 1
        ? label_at (ranks, parent[component_at (bits, node_roots, x / SPAN, y, width)])
        : 0;
}

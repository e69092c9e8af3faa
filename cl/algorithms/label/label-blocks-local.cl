/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: connected components by blocks, the first step. Packs the mask, in > 0 (NaN is background), and unites the
 * nodes of each block in local memory; after "block-based union-find" (S. Allegretti, F. Bolelli, C. Grana 2019), with
 * the nodes of label-blocks.clh. A program of its own, as it alone depends on the type of the mask.
 *
 * Writes bits[], node_roots[], block_roots[] and root_counts[], parent[i] = i for each component of a block, and with
 * FILTER its pixels to area[]. Clears the `words` pairs of ranks[] and the `chunks` numbers of sums[].
 *
 * Macros: those of label-blocks.clh, IN (type of the mask). */
#include "label-blocks.clh"
#include "label-blocks-local.clh"

kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_local (global const IN *in, global uint *bits, global ushort *node_roots,
                   global ushort *block_roots, global uint *root_counts, global uint *parent,
                   global uint *ranks, global uint *sums, global uint *area, uint width,
                   uint height, uint words, uint chunks)
{
  volatile local uint columns[2 * BLOCK], nodes[SLOTS], count;
#ifdef FILTER
  volatile local uint sizes[SLOTS];
#endif
  uint lx = get_local_id (0), x = get_global_id (0), block_row = get_group_id (1);
  uint block = get_group_id (0), number = BLOCK_NUMBER;

  for (uint level = 0; level < 2; level++)
    {
      uint word = pack (in, x, block_row * BLOCK_ROWS + level * 32, width, height);

      columns[level * BLOCK + lx] = word;
      if (x < width)
        bits[(size_t) (2 * block_row + level) * width + x] = word;
    }
  for (uint i = number * BLOCK + lx, all = get_num_groups (0) * get_num_groups (1) * BLOCK;
       i < max (words, chunks); i += all)
    {
      if (i < words)
        vstore2 ((uint2) (0), i, ranks);
      if (i < chunks)
        sums[i] = 0;
    }
  if (lx == 0)
    count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  FOR_PARTS (band, level)
    {
      uint starts = starts_of (FIRST_LINE (columns, band, level) | LAST_LINE (columns, band, level));

      FOR_NODES (band, level, starts, node)
        {
          nodes[SLOT (node)] = node;
#ifdef FILTER
          sizes[SLOT (node)] = 0;
#endif
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  FOR_PARTS (band, level)
    unite_part (nodes, columns, band, level);
  barrier (CLK_LOCAL_MEM_FENCE);

#ifdef FILTER
  FOR_PARTS (band, level)
    {
      uint line = FIRST_LINE (columns, band, level), last = LAST_LINE (columns, band, level);
      uint edge = edge_pixels (line, last, block * BLOCK + band * SPAN, block_row * BLOCK_ROWS + 32 * level,
                               width, height);

      add_sizes (sizes, nodes, line, last, edge, band, level);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
#endif

  FOR_PARTS (band, level)
    {
      uint starts = starts_of (FIRST_LINE (columns, band, level) | LAST_LINE (columns, band, level));

      FOR_NODES (band, level, starts, node)
        {
          uint root = block_root (nodes, node);

          node_roots[(size_t) number * SLOTS + SLOT (node)] = root;
          if (root == node)
            {
              uint index = index_of (root, block, block_row, width);
              uint i = (size_t) number * SLOTS + atomic_inc (&count);

              parent[index] = index;
#ifdef FILTER
              root |= sizes[SLOT (node)] >> 16 & EDGE_FLAG;
              area[index] = sizes[SLOT (node)] & ~(EDGE_FLAG << 16);
#endif
              block_roots[i] = root;
            }
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (lx == 0)
    root_counts[number] = count;
}

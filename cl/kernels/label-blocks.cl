/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by blocks: the tiles, after "block-based union-find" (S. Allegretti,
 * F. Bolelli, C. Grana 2019) in its idea, with the nodes of label-blocks.clh.
 *
 * label_blocks_tile: packs the mask (in > 0), unites within each tile in local memory, and writes
 *   parents; clears the `ranks` (two numbers for each 32 pixels). With FILTER: writes each tile
 *   component's pixels to area[], and to edge[] whether it touches the image's edge; 0 for all
 *   other nodes.
 *
 * Macros: IN (element type), SPAN, TILE, FILTER if regions may be left out. */
#include "label-blocks.clh"

/* Within a tile nodes are named by (row * TILE + column) of their first pixel. */
#define NAME(row, strip, left) ((row) * TILE + (strip) * SPAN + first_column (left, row))
#define SLOT_OF(name) SLOT ((name) / TILE, (name) % TILE / SPAN)

inline uint
tile_root (volatile local uint *parent, uint node)
{
  uint next;

  while ((next = parent[SLOT_OF (node)]) != node)
    node = next;
  return node;
}

inline void
tile_unite (volatile local uint *parent, uint a, uint b)
{
  for (;;)
    {
      uint found;

      a = tile_root (parent, a);
      b = tile_root (parent, b);
      if (a == b)
        return;
      if (a < b)
        {
          uint swap = a;

          a = b;
          b = swap;
        }
      found = atomic_min (parent + SLOT_OF (a), b);
      if (found == a)
        return;
      a = found;
    }
}

inline ulong
pack_column (global const IN *in, uint rows, uint width)
{
  ulong word = 0;

  if (rows == 64)
    {
#pragma unroll 16
      for (uint i = 0; i < 64; i++)
        word |= (ulong) (in[(size_t) i * width] > 0) << i;
    }
  else
    for (uint i = 0; i < rows; i++)
      word |= (ulong) (in[(size_t) i * width] > 0) << i;
  return word;
}

#ifdef FILTER
/* The pixels of a node, and 1 << 31 if it touches the image's edge. */
inline uint
node_size (ulong left, ulong right, uint start, uint x, uint y, uint width, uint height)
{
  ulong strip = left | right, low = 1ul << start;
  ulong run = strip & ~(strip + low) & ~(low - 1);
  uint bottom = height - 1 - y;
  int edge = y == 0 && (run & 1);

  edge |= bottom < 64 && (run >> bottom & 1);
  edge |= x == 0 && (left & run);
  edge |= x == width - 1 && (left & run);
  edge |= SPAN == 2 && x == width - 2 && (right & run);
  return (popcount (left & run) + (SPAN == 2 ? popcount (right & run) : 0)) | (uint) edge << 31;
}
#endif

kernel __attribute__ ((reqd_work_group_size (TILE, 1, 1))) void
label_blocks_tile (global const IN *in, global ulong *bits, global uint *parent,
                   global uint *ranks, global uint *area, global uchar *edge, uint width,
                   uint height)
{
  local ulong columns[TILE];
  volatile local uint nodes[SLOTS];
#ifdef FILTER
  volatile local uint sizes[SLOTS];
#endif
  uint lx = get_local_id (0), x0 = get_group_id (0) * TILE, y0 = get_group_id (1) * 64;
  uint strip = STRIP (lx), rows = min (height - y0, 64u);
  ulong word = 0, left, all, starts, mine;

  if (x0 + lx < width)
    {
      word = pack_column (in + (size_t) y0 * width + x0 + lx, rows, width);
      bits[(size_t) get_group_id (1) * width + x0 + lx] = word;
    }
  columns[lx] = word;

  {
    size_t group = get_group_id (1) * get_num_groups (0) + get_group_id (0);
    size_t step = get_num_groups (0) * get_num_groups (1) * TILE;
    size_t words = ((size_t) width * height + 31) / 32;

    for (size_t i = group * TILE + lx; i < words; i += step)
      vstore2 ((uint2) (0), i, ranks);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  left = columns[strip * SPAN];
  all = left | columns[strip * SPAN + SPAN - 1];
  starts = all & ~(all << 1);
  mine = PART (lx);
  for (ulong rest = starts & mine; rest; rest &= rest - 1)
    {
      uint row = lowest (rest);

      nodes[SLOT (row, strip)] = NAME (row, strip, left);
#ifdef FILTER
      sizes[SLOT (row, strip)] = 0;
#endif
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (strip > 0)
    {
      ulong there_left = columns[(strip - 1) * SPAN], there_line = columns[strip * SPAN - 1];
      ulong there = there_left | there_line, there_starts = there & ~(there << 1), carry = 0;
      ulong touch = touches (left, there_line, 0, all, there, &carry);

      for (ulong rest = touch & mine; rest; rest &= rest - 1)
        {
          uint row = lowest (rest);
          uint a = node_start (starts, row), b = node_start (there_starts, row);

          tile_unite (nodes, NAME (a, strip, left), NAME (b, strip - 1, there_left));
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);

#ifdef FILTER
  for (ulong rest = starts & mine; rest; rest &= rest - 1)
    {
      uint row = lowest (rest);
      uint root = tile_root (nodes, NAME (row, strip, left));
      uint size = node_size (left, columns[strip * SPAN + SPAN - 1], row, x0 + strip * SPAN, y0,
                             width, height);

      atomic_add (sizes + SLOT_OF (root), size & ~(1u << 31));
      atomic_or (sizes + SLOT_OF (root), size & 1u << 31);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
#endif

  for (ulong rest = starts & mine; rest; rest &= rest - 1)
    {
      uint row = lowest (rest), name = NAME (row, strip, left), root = tile_root (nodes, name);
      size_t place = (size_t) (y0 + row) * width + x0 + name % TILE;

      parent[place] = (y0 + root / TILE) * width + x0 + root % TILE;
#ifdef FILTER
      area[place] = root == name ? sizes[SLOT_OF (name)] & ~(1u << 31) : 0;
      edge[place] = root == name ? sizes[SLOT_OF (name)] >> 31 : 0;
#endif
    }
}

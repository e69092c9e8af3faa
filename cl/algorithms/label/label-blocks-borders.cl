/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks: unites across the borders above and to the left of each block. Part of the program
 * label-blocks.cl. */
#include "label-blocks.clh"

/* The words of the lines of a band in one row of words; the second column of the last band may be missing. */
inline uint2
get_lines (global const uint *bits, uint band, uint row, uint width)
{
  global const uint *word = bits + (size_t) row * width + band * SPAN;

  return (uint2) (word[0], band * SPAN + SPAN - 1 < width ? word[SPAN - 1] : 0);
}

/* The index of the component of the last node of a band that begins at or before row y, but within the block of that
 * row. */
inline uint
component_at (global const uint *bits, global const ushort *node_roots, uint band, uint y, uint width)
{
  uint2 lines = get_lines (bits, band, y / 32, width);
  uint starts = starts_of (lines.x | lines.y) & up_to (y % 32), block = band / BANDS;
  uint number = y / BLOCK_ROWS * get_num_groups (0) + block, node;

  if (!starts)
    {
      y -= 32;
      lines = get_lines (bits, band, y / 32, width);
      starts = starts_of (lines.x | lines.y);
    }
  node = NODE (y / 32 % 2 * 32 + highest (starts), band % BANDS);
  node = node_roots[(size_t) number * SLOTS + SLOT (node)];
  return index_of (node, block, y / BLOCK_ROWS, width);
}

/* How components meet at the border above a block: 1 if the band meets the one above, 2 if it meets the one to the left
 * of that only through a corner, 3 if the band to the left meets the one above only through a corner; 0 if none does,
 * or if the union of a neighboring band and adjacent pixels of one row connect them already. */
inline int
meets_above (global const uint *bits, uint band, uint row, int corners, uint width)
{
  uint2 here = get_lines (bits, band, row, width) & 1;
  uint2 there = get_lines (bits, band, row - 1, width) >> 31;
  uint2 left = band ? get_lines (bits, band - 1, row, width) & 1 : (uint2) (0);
  uint2 up_left = band ? get_lines (bits, band - 1, row - 1, width) >> 31 : (uint2) (0);

  if (!corners)
    return (here.x | here.y) & (there.x | there.y) & ~(here.x & there.x & left.y & up_left.y);
  if (here.x & up_left.y & ~there.x & ~left.y)
    return 2;
  return left.y & there.x & ~here.x & ~up_left.y ? 3 : 0;
}

/* Whether a band meets the one to the left in a row. */
inline int
meets_left (global const uint *bits, uint band, uint y, uint width)
{
  uint row = y / 32, carry = 0;
  uint2 here = get_lines (bits, band, row, width);
  uint2 there = get_lines (bits, band - 1, row, width);
  uint up = row % 2 ? get_lines (bits, band, row - 1, width).x : 0;
  uint up_there = row % 2 ? get_lines (bits, band - 1, row - 1, width).y : 0;

  return touches (here.x, there.y, up, up_there, here.x | here.y, there.x | there.y, &carry)
         >> y % 32 & 1;
}

/* The two components at the i-th position where a block may meet its neighbors; twice the same if they do not meet. */
inline uint2
meeting (global const uint *bits, global const ushort *node_roots, uint i, uint width, uint height)
{
  uint block = get_group_id (0), y = get_group_id (1) * BLOCK_ROWS;
  uint band = block * BANDS + i % BANDS, band_above = band;
  uint y_above = y - 1;
  int meets = 0;

  if (i < SPAN * BANDS)
    {
      if (y > 0 && band * SPAN < width)
        meets = meets_above (bits, band, y / 32, i >= BANDS, width);
      band -= meets == 3;
      band_above -= meets == 2;
    }
  else if (block > 0 && i < SPAN * BANDS + 64)
    {
      y_above = y += i - SPAN * BANDS;
      band = block * BANDS;
      band_above = band - 1;
      meets = y < height && meets_left (bits, band, y, width);
    }
  if (!meets)
    return (uint2) (0);
  return (uint2) (component_at (bits, node_roots, band, y, width),
                  component_at (bits, node_roots, band_above, y_above, width));
}

kernel __attribute__ ((reqd_work_group_size (BLOCK, 1, 1))) void
label_blocks_borders (global const uint *bits, global const ushort *node_roots,
                      volatile global uint *parent, uint width, uint height)
{
  local uint2 pairs[BLOCK];
  volatile local uint claims[BLOCK];
  uint lx = get_local_id (0);

  for (uint i = lx; i - lx < SPAN * BANDS + 64; i += BLOCK)
    {
      uint2 pair = meeting (bits, node_roots, i, width, height);
      uint hash = (pair.x * 2654435769u ^ pair.y * 2246822519u) >> 20 & (BLOCK - 1);

      barrier (CLK_LOCAL_MEM_FENCE);
      pairs[lx] = pair;
      claims[lx] = BLOCK;
      barrier (CLK_LOCAL_MEM_FENCE);
      if (pair.x != pair.y)
        {
          /* Many positions join the same two components: the first one to claim the hash of the pair unites them. */
          uint owner = atomic_cmpxchg (claims + hash, BLOCK, lx);
          int one;

          if (owner == BLOCK || pairs[owner].x != pair.x || pairs[owner].y != pair.y)
            unite (parent, pair.x, pair.y, &one);
        }
    }
}

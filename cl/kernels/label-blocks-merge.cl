/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by blocks: what joins the tiles (label-blocks.clh tells the layout).
 *
 * label_blocks_borders: unites across the tiles' borders. One work-item a strip of a horizontal
 *   border; eight, for eight rows each, a tile's left border.
 * label_blocks_flatten: points each node to its root, and marks roots in ranks[2 * (name / 32)]. With
 *   FILTER: adds area[] and edge[] of tile components to their roots instead of marking.
 * label_blocks_keep (FILTER): marks the roots that stay.
 *
 * Macros: SPAN, TILE, FILTER if regions may be left out. */
#include "label-blocks.clh"

/* The two words of a strip in a row of tiles; the last strip may lack its second column. */
inline ulong2
strip_words (global const ulong *bits, uint strip, uint tile_row, uint width)
{
  global const ulong *word = bits + (size_t) tile_row * width + strip * SPAN;

  return (ulong2) (word[0], SPAN == 2 && strip * SPAN + 1 < width ? word[1] : 0);
}

/* The name of the node of a strip that covers or precedes a row, as node_start() finds it. */
inline uint
name_at (ulong2 words, uint row, uint strip, uint tile_row, uint width)
{
  ulong all = words.x | words.y;
  uint start = node_start (all & ~(all << 1), row);

  return (tile_row * 64 + start) * width + strip * SPAN + first_column (words.x, start);
}

/* One strip at the border above a row of tiles. What a neighbouring strip's union and adjacent
 * pixels of one row connect already is left out. */
inline void
unite_above (global const ulong *bits, volatile global uint *parent, uint strip, uint tile_row,
             uint width)
{
  ulong2 none = 0, here = strip_words (bits, strip, tile_row, width);
  ulong2 there = strip_words (bits, strip, tile_row - 1, width);
  ulong2 here_left = strip ? strip_words (bits, strip - 1, tile_row, width) : none;
  ulong2 there_left = strip ? strip_words (bits, strip - 1, tile_row - 1, width) : none;
  ulong left = SPAN == 2 ? here_left.y : here_left.x;
  ulong up_left = SPAN == 2 ? there_left.y : there_left.x;
  int c = here.x & 1, u = there.x >> 63, cl = left & 1, ul = up_left >> 63, one;

  if (((here.x | here.y) & 1) && ((there.x | there.y) >> 63) && !(c && u && cl && ul))
    unite (parent, name_at (here, 0, strip, tile_row, width),
           name_at (there, 63, strip, tile_row - 1, width), &one);
#if SPAN == 2
  if (c && ul && !u && !cl)
    unite (parent, name_at (here, 0, strip, tile_row, width),
           name_at (there_left, 63, strip - 1, tile_row - 1, width), &one);
  if (cl && u && !c && !ul)
    unite (parent, name_at (here_left, 0, strip - 1, tile_row, width),
           name_at (there, 63, strip, tile_row - 1, width), &one);
#endif
}

/* Rows first … first + 7 of the border at the left of a tile. */
inline void
unite_left (global const ulong *bits, volatile global uint *parent, uint strip, uint tile_row,
            uint first, uint width)
{
  ulong2 here = strip_words (bits, strip, tile_row, width);
  ulong2 there = strip_words (bits, strip - 1, tile_row, width);
  ulong carry = 0, touch = touches (here.x, SPAN == 2 ? there.y : there.x, 0, here.x | here.y,
                                    there.x | there.y, &carry);

  for (touch &= 255ul << first; touch; touch &= touch - 1)
    {
      uint row = lowest (touch);
      int one;

      unite (parent, name_at (here, row, strip, tile_row, width),
             name_at (there, row, strip - 1, tile_row, width), &one);
    }
}

kernel void
label_blocks_borders (global const ulong *bits, volatile global uint *parent, uint width,
                      uint height)
{
  uint strips = (width + SPAN - 1) / SPAN, tile_rows = (height + 63) / 64;
  uint tiles = (width + TILE - 1) / TILE;
  size_t i = get_global_id (0), above = (size_t) (tile_rows - 1) * strips;

  if (i < above)
    unite_above (bits, parent, i % strips, i / strips + 1, width);
  else if (i - above < (size_t) 8 * tile_rows * (tiles - 1))
    {
      uint part = (i - above) % 8, border = (i - above) / 8;

      unite_left (bits, parent, (border % (tiles - 1) + 1) * (TILE / SPAN), border / (tiles - 1),
                  8 * part, width);
    }
}

kernel __attribute__ ((reqd_work_group_size (TILE, 1, 1))) void
label_blocks_flatten (global const ulong *bits, volatile global uint *parent,
                      volatile global uint *ranks, volatile global uint *area, global uchar *edge,
                      uint width)
{
  uint x = get_global_id (0), strip = STRIP (x), tile_row = get_group_id (1);
  ulong2 words;
  ulong all;

  if (strip * SPAN >= width)
    return;
  words = strip_words (bits, strip, tile_row, width);
  all = words.x | words.y;

  for (ulong rest = all & ~(all << 1) & PART (x); rest; rest &= rest - 1)
    {
      uint name = name_at (words, lowest (rest), strip, tile_row, width);
      uint root = root_of (parent, name);

      parent[name] = root;
#ifdef FILTER
      if (root != name && area[name])
        {
          atomic_add (area + root, area[name]);
          if (edge[name])
            edge[root] = 1;
        }
#else
      if (root == name)
        atomic_or (ranks + 2 * (name / 32), 1u << name % 32);
#endif
    }
}

#ifdef FILTER
kernel __attribute__ ((reqd_work_group_size (TILE, 1, 1))) void
label_blocks_keep (global const ulong *bits, global const uint *parent, volatile global uint *ranks,
                   global const uint *area, global const uchar *edge, uint width, uint min_size,
                   uint max_size, int edges)
{
  uint x = get_global_id (0), strip = STRIP (x), tile_row = get_group_id (1);
  ulong2 words;
  ulong all;

  if (strip * SPAN >= width)
    return;
  words = strip_words (bits, strip, tile_row, width);
  all = words.x | words.y;

  for (ulong rest = all & ~(all << 1) & PART (x); rest; rest &= rest - 1)
    {
      uint name = name_at (words, lowest (rest), strip, tile_row, width);

      if (parent[name] == name && area[name] >= min_size && area[name] <= max_size
          && !(edges && edge[name]))
        atomic_or (ranks + 2 * (name / 32), 1u << name % 32);
    }
}
#endif

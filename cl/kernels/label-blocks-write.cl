/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by blocks: the numbers (label-blocks.clh tells the layout).
 *
 * ranks[2 * i] has a bit for each of the pixels 32 * i …: set if a component begins there.
 * label_blocks_sum: counts them, piece by piece: `piece` words a work-group.
 * label_blocks_scan: writes to ranks[2 * i + 1] how many come before, and to count[0] how many there are.
 * label_blocks_write: turns the parents in `out` into labels.
 *
 * Macros: SPAN, TILE; sum and scan run in work-groups of 256. */
#include "label-blocks.clh"

/* What all work-items before this one in the group hold together, and in `total` what all hold. */
inline uint
scan_group (local uint *sums, uint value, uint *total)
{
  uint lx = get_local_id (0), sum = value;

  sums[lx] = value;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step *= 2)
    {
      uint more = lx >= step ? sums[lx - step] : 0;

      barrier (CLK_LOCAL_MEM_FENCE);
      sum += more;
      sums[lx] = sum;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  *total = sums[255];
  barrier (CLK_LOCAL_MEM_FENCE);
  return sum - value;
}

kernel __attribute__ ((reqd_work_group_size (256, 1, 1))) void
label_blocks_sum (global const uint *ranks, global uint *sums, uint words, uint piece)
{
  local uint shared[256];
  uint begin = get_group_id (0) * piece, end = min (begin + piece, words), sum = 0, total;

  for (uint i = begin + get_local_id (0); i < end; i += 256)
    sum += popcount (ranks[2 * (size_t) i]);
  scan_group (shared, sum, &total);
  if (get_local_id (0) == 0)
    sums[get_group_id (0)] = total;
}

kernel __attribute__ ((reqd_work_group_size (256, 1, 1))) void
label_blocks_scan (global uint *ranks, global const uint *sums, global uint *count, uint words,
                   uint piece)
{
  local uint shared[256];
  uint begin = get_group_id (0) * piece, end = min (begin + piece, words), sum = 0, before, total;

  for (uint i = get_local_id (0); i < get_group_id (0); i += 256)
    sum += sums[i];
  scan_group (shared, sum, &before);

  for (uint i = begin; i < begin + piece; i += 256)
    {
      uint j = i + get_local_id (0);
      uint found = j < end ? popcount (ranks[2 * (size_t) j]) : 0;
      uint own = scan_group (shared, found, &total);

      if (j < end)
        ranks[2 * (size_t) j + 1] = before + own;
      before += total;
    }
  if (end == words && get_local_id (0) == 0)
    *count = before;
}

kernel __attribute__ ((reqd_work_group_size (TILE, 1, 1))) void
label_blocks_write (global const ulong *bits, global const uint *ranks, global uint *out,
                    uint width, uint height)
{
  local ulong columns[TILE];
  local uint labels[SLOTS];
  uint lx = get_local_id (0), x = get_global_id (0), tile_row = get_group_id (1);
  uint strip = STRIP (lx), rows = min (height - tile_row * 64, 64u), label = 0;
  ulong left, all, word;

  columns[lx] = x < width ? bits[(size_t) tile_row * width + x] : 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  left = columns[strip * SPAN];
  all = left | columns[strip * SPAN + SPAN - 1];
  for (ulong rest = all & ~(all << 1) & PART (lx); rest; rest &= rest - 1)
    {
      uint row = lowest (rest), column = x - lx + strip * SPAN + first_column (left, row);
      uint root = out[(size_t) (tile_row * 64 + row) * width + column];
      uint2 rank = vload2 (root / 32, ranks);
      uint bit = 1u << root % 32;

      labels[SLOT (row, strip)] = rank.x & bit ? rank.y + popcount (rank.x & (bit - 1)) + 1 : 0;
    }
  /* All of the tile's parents are read now, and only this tile reads them. */
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  if (x >= width)
    return;
  strip = lx / SPAN;
  word = columns[lx];
  left = columns[strip * SPAN];
  all = left | columns[strip * SPAN + SPAN - 1];
  all &= ~(all << 1);
  out += (size_t) tile_row * 64 * width + x;
  for (uint row = 0; row < rows; row++)
    {
      if (all >> row & 1)
        label = labels[SLOT (row, strip)];
      out[(size_t) row * width] = word >> row & 1 ? label : 0;
    }
}

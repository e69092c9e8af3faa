/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables by blocks, before the first pass: lists of fragments, by groups with a work-item for each patch. Also
 * clears the first `vectors` of the table, four words each. Part of the program measure-blocks.cl. */
#include "measure-blocks.clh"

inline void
load_labels (uint4 *label, global const uint *labels, uint width, uint height)
{
  uint x = BLOCK_X + PATCH_X (get_local_id (0)), y = BLOCK_Y + PATCH_Y (get_local_id (0)), left = width - x;
  global const uint *in = labels + (size_t) y * width + x;

UNROLL
  for (uint row = 0; row < PATCH_ROWS; row++)
    label[row] = x < width && y + row < height ? LOAD4 (uint4, in + (size_t) row * width, left) : (uint4) (0);
}

inline uint
largest_of (const uint4 *label)
{
  uint4 most = label[0];

UNROLL
  for (uint row = 1; row < PATCH_ROWS; row++)
    most = max (most, label[row]);
  return max (max (most.x, most.y), max (most.z, most.w));
}

/* Removes the pixels of one label from a patch, and returns them as bits. */
inline uint
remove_pixels (uint4 *label, uint own)
{
  uint pixels = 0;

UNROLL
  for (uint row = 0; row < PATCH_ROWS; row++)
    {
      int4 is_own = label[row] == own;

      pixels |= ((is_own.x & 1) | (is_own.y & 2) | (is_own.z & 4) | (is_own.w & 8)) << 4 * row;
      label[row] = is_own ? (uint4) (0) : label[row];
    }
  return pixels;
}

kernel __attribute__ ((reqd_work_group_size (PATCHES, 1, 1))) void
measure_fragments (global const uint *labels, global uint *lists, global uint4 *table, uint vectors, uint width,
                uint height)
{
  volatile local uint count, highest;
  global uint *list = BLOCK_LIST (lists);
  uint lx = get_local_id (0), largest, next;
  uint4 label[PATCH_ROWS];

  load_labels (label, labels, width, height);
  for (uint i = BLOCK_NUMBER * PATCHES + lx; i < vectors; i += get_num_groups (0) * get_num_groups (1) * PATCHES)
    table[i] = 0;
  if (lx == 0)
    count = highest = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  largest = next = largest_of (label);
NO_UNROLL
  while (next)
    {
      uint i = atomic_inc (&count), pixels = remove_pixels (label, next);

      if (i < MAX_FRAGMENTS)
        {
          list[LIST_LABELS + i] = next;
          list[LIST_PIXELS + i] = pixels;
          list[LIST_PATCHES + i] = lx;
        }
      next = largest_of (label);
    }
  if (largest)
    atomic_max (&highest, largest);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (lx == 0)
    {
      list[LIST_COUNT] = count;
      list[LIST_LARGEST] = highest;
    }
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables by blocks, the first pass: pixels, boxes, extremes. Part of the program measure-blocks.cl. */
#include "measure-blocks.clh"
#include "measure-shapes.clh"

/* A slot in local memory: words as in a row of the table, but positions relative to the corner of the block, and their
 * sums in 32 bits. */
#define SLOT_SUM_X 8
#define SLOT_SUM_Y 9
#define SHAPE_WORDS 10
#define SHAPE_WORD(i) (words + (i) * SLOTS + label % SLOTS)

#ifdef VALUES
/* The extremes of a fragment's values, and whether one is NaN. */
inline void
find_extremes (Shape *shape, Fragment fragment, global const IN *values, uint width)
{
  IN4 value[PATCH_ROWS];
  IN low = NO_LOW, high = NO_HIGH;

  load_values (value, values, width, fragment);
UNROLL
  for (uint row = 0; row < PATCH_ROWS; row++)
    {
      IN v[4] = { value[row].x, value[row].y, value[row].z, value[row].w };

UNROLL
      for (uint i = 0; i < 4; i++)
        {
          int own = fragment.pixels >> (4 * row + i) & 1;

          low = own && v[i] < low ? v[i] : low;
          high = own && v[i] > high ? v[i] : high;
#ifdef REAL
          shape->nan |= own && v[i] != v[i];
#endif
        }
    }
  set_extremes (shape, low, high);
}
#endif

/* The shape of a fragment, positions relative to the corner of the block. */
inline Shape
shape_of (Fragment fragment, global const IN *values, uint width)
{
  uint bits = fragment.pixels, columns = bits | bits >> 16, x = PATCH_X (fragment.patch), y = PATCH_Y (fragment.patch);
  Shape shape = { .pixels = popcount (bits), .nan = 0, .low = 0, .high = 0 };

  columns |= columns >> 8;
  columns = (columns | columns >> 4) & 15;
  shape.min_x = x + 31 - clz (columns & -columns);
  shape.max_x = x + 31 - clz (columns);
  shape.min_y = y + (31 - clz (bits & -bits)) / 4;
  shape.max_y = y + (31 - clz (bits)) / 4;
  /* Positions are added up by their binary digits. */
  shape.sum_x = x * shape.pixels + popcount (bits & 0xaaaaaaaau) + 2 * popcount (bits & 0xccccccccu);
  shape.sum_y = y * shape.pixels + popcount (bits & 0xf0f0f0f0u) + 2 * popcount (bits & 0xff00ff00u)
                + 4 * popcount (bits & 0xffff0000u);
#ifdef VALUES
  find_extremes (&shape, fragment, values, width);
#endif
  return shape;
}

/* Adds a shape to the table, its positions moved to the image. */
inline void
write_moved_shape (Shape shape, uint label, volatile global uint *table, uint top, uint first)
{
  shape.min_x += BLOCK_X;
  shape.max_x += BLOCK_X;
  shape.min_y += top + BLOCK_Y;
  shape.max_y += top + BLOCK_Y;
  shape.sum_x += (ulong) BLOCK_X * shape.pixels;
  shape.sum_y += (ulong) (top + BLOCK_Y) * shape.pixels;
  write_shape (&shape, table_row (table, label, first));
}

inline void
add_shape (volatile local uint *words, uint label, Shape shape)
{
  atomic_add (SHAPE_WORD (ROW_PIXELS), shape.pixels);
  if (shape.nan)
    atomic_or (SHAPE_WORD (ROW_NAN), 1);
  atomic_max (SHAPE_WORD (ROW_INV_MIN_X), ~shape.min_x);
  atomic_max (SHAPE_WORD (ROW_MAX_X), shape.max_x);
  atomic_max (SHAPE_WORD (ROW_INV_MIN_Y), ~shape.min_y);
  atomic_max (SHAPE_WORD (ROW_MAX_Y), shape.max_y);
#ifdef VALUES
  atomic_max (SHAPE_WORD (ROW_INV_LOW), shape.low);
  atomic_max (SHAPE_WORD (ROW_HIGH), shape.high);
#endif
  atomic_add (SHAPE_WORD (SLOT_SUM_X), (uint) shape.sum_x);
  atomic_add (SHAPE_WORD (SLOT_SUM_Y), (uint) shape.sum_y);
}

inline Shape
block_shape (volatile local const uint *words, uint label)
{
  Shape shape = {
    .pixels = *SHAPE_WORD (ROW_PIXELS),
    .nan = *SHAPE_WORD (ROW_NAN),
    .min_x = ~*SHAPE_WORD (ROW_INV_MIN_X),
    .max_x = *SHAPE_WORD (ROW_MAX_X),
    .min_y = ~*SHAPE_WORD (ROW_INV_MIN_Y),
    .max_y = *SHAPE_WORD (ROW_MAX_Y),
    .low = *SHAPE_WORD (ROW_INV_LOW),
    .high = *SHAPE_WORD (ROW_HIGH),
    .sum_x = *SHAPE_WORD (SLOT_SUM_X),
    .sum_y = *SHAPE_WORD (SLOT_SUM_Y),
  };

  return shape;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
measure_shapes (global const uint *labels, global const IN *values,
                volatile global uint *table, uint width, uint height, uint top, uint first, uint rows,
                global const uint *lists)
{
  volatile local uint owners[SLOTS], words[SHAPE_WORDS * SLOTS];
  global const uint *list = BLOCK_LIST (lists);
  uint lx = get_local_id (0), count = count_fragments (list);

  for (uint i = lx; i < SHAPE_WORDS * SLOTS; i += GROUP)
    words[i] = 0;
  if (lx < SLOTS)
    owners[lx] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  for (uint i = lx; i < count; i += GROUP)
    {
      Fragment fragment = get_fragment (list, i, labels, width, height);

      if (fragment.label - first < rows)
        {
          Shape shape = shape_of (fragment, values, width);

          if (claim (owners, fragment.label, list))
            add_shape (words, fragment.label, shape);
          else
            write_moved_shape (shape, fragment.label, table, top, first);
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (lx < SLOTS && owners[lx])
    write_moved_shape (block_shape (words, owners[lx]), owners[lx], table, top, first);
  if (lx == 0 && list[LIST_LARGEST])
    atomic_max (table, list[LIST_LARGEST]);
}

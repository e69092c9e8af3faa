/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables by blocks, the second pass: sums over values. Part of the program measure-blocks.cl. */
#include "measure-blocks.clh"
#include "measure-sums.clh"

/* A slot in local memory, positions relative to the corner of the block: three sums of three words each, which add up
 * 22, 22 and the remaining bits, and the squares in five words, of 24 bits. No word overflows: a region has at most
 * PATCHES fragments in a block. */
#define SUM_WORDS 14
#define SUM_WORD(i) (words + (i) * SLOTS + label % SLOTS)

/* Sums over a fragment: of q, of q times the column and of q times the row of the patch, for the upper 24 bits of q
 * (x) and the lower ones (y), and the squares as in Part. With 4 columns and 8 rows all stay within
 * their types. */
typedef struct {
  int2 sum, moment_x, moment_y;
  ulong high, cross, low;
} FragmentSums;

/* Adds the square of a value, and returns the two parts of it if the pixel belongs to the fragment, else 0. */
inline int2
add_value_square (FragmentSums *sums, uint own, IN value, uint exponent)
{
  ulong size = own ? size_of (value, exponent) : 0;
  uint high = (uint) (size >> 24), low = (uint) size & 0xffffff;

  sums->high += (ulong) high * high;
  sums->cross += (ulong) high * low;
  sums->low += (ulong) low * low;
  return is_negative (value) ? -(int2) (high, low) : (int2) (high, low);
}

inline FragmentSums
add_up_fragment (Fragment fragment, global const IN *values, uint width, uint exponent)
{
  FragmentSums sums = { .high = 0 };
  IN4 value[PATCH_ROWS];

  load_values (value, values, width, fragment);
UNROLL
  for (uint row = 0; row < PATCH_ROWS; row++)
    {
      uint own = fragment.pixels >> 4 * row;
      int2 a = add_value_square (&sums, own & 1, value[row].x, exponent);
      int2 b = add_value_square (&sums, own & 2, value[row].y, exponent);
      int2 c = add_value_square (&sums, own & 4, value[row].z, exponent);
      int2 d = add_value_square (&sums, own & 8, value[row].w, exponent);
      int2 sum = a + b + c + d;

      sums.sum += sum;
      sums.moment_x += b + 2 * c + 3 * d;
      sums.moment_y += sum * (int) row;
    }
  return sums;
}

inline long
join_parts (int2 parts)
{
  return (long) parts.x * (1 << 24) + parts.y;
}

/* Adds sums to the table, their positions moved to the image; `sum` fits 64 bits. */
inline void
write_moved_sums (Sums sums, uint label, volatile global uint *table, uint top, uint first)
{
  long sum = (long) sums.sum.x;

  sums.moment_x = plus (sums.moment_x, product (BLOCK_X, sum));
  sums.moment_y = plus (sums.moment_y, product (top + BLOCK_Y, sum));
  write_sums (&sums, table_row (table, label, first));
}

inline void
add_words (volatile local uint *words, long value)
{
  atomic_add (words, (uint) value & 0x3fffff);
  atomic_add (words + SLOTS, (uint) (value >> 22) & 0x3fffff);
  atomic_add (words + 2 * SLOTS, (uint) (value >> 44));
}

inline void
add_fragment (Fragment fragment, global const uint *list, global const IN *values, volatile local uint *owners,
            volatile local uint *words, volatile global uint *table, uint width, uint top, uint first)
{
  uint label = fragment.label;
  FragmentSums parts = add_up_fragment (fragment, values, width, exponent_of (table_row (table, label, first)));
  long sum = join_parts (parts.sum);
  long moment_x = join_parts (parts.moment_x) + PATCH_X (fragment.patch) * sum;
  long moment_y = join_parts (parts.moment_y) + PATCH_Y (fragment.patch) * sum;
  ulong2 squares = compose (parts.high, parts.cross, parts.low);
  Sums sums = { extend (sum), squares, extend (moment_x), extend (moment_y) };

  if (!claim (owners, label, list))
    {
      write_moved_sums (sums, label, table, top, first);
      return;
    }
  add_words (SUM_WORD (0), sum);
  add_words (SUM_WORD (3), moment_x);
  add_words (SUM_WORD (6), moment_y);
  atomic_add (SUM_WORD (9), (uint) squares.x & 0xffffff);
  atomic_add (SUM_WORD (10), (uint) (squares.x >> 24) & 0xffffff);
  atomic_add (SUM_WORD (11), (uint) (squares.x >> 48) | ((uint) squares.y & 0xff) << 16);
  atomic_add (SUM_WORD (12), (uint) (squares.y >> 8) & 0xffffff);
  atomic_add (SUM_WORD (13), (uint) (squares.y >> 32));
}

/* The number that add_words() has added up. */
inline ulong2
joined (volatile local const uint *words)
{
  long low = (long) words[0] + ((long) words[SLOTS] << 22);

  return plus (extend (low), product ((int) words[2 * SLOTS], 1l << 44));
}

inline Sums
block_sums (volatile local const uint *words, uint label)
{
  ulong low = *SUM_WORD (9) + ((ulong) *SUM_WORD (10) << 24);
  ulong high = *SUM_WORD (11) + ((ulong) *SUM_WORD (12) << 24);
  ulong2 squares = plus (compose (high, 0, low), (ulong2) (0, (ulong) *SUM_WORD (13) << 32));
  Sums sums = { joined (SUM_WORD (0)), squares, joined (SUM_WORD (3)), joined (SUM_WORD (6)) };

  return sums;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
measure_sums (global const uint *labels, global const IN *values,
              volatile global uint *table, uint width, uint height, uint top, uint first, uint rows,
              global const uint *lists)
{
  volatile local uint owners[SLOTS], words[SUM_WORDS * SLOTS];
  global const uint *list = BLOCK_LIST (lists);
  uint lx = get_local_id (0), count = count_fragments (list);

  for (uint i = lx; i < SUM_WORDS * SLOTS; i += GROUP)
    words[i] = 0;
  if (lx < SLOTS)
    owners[lx] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  for (uint i = lx; i < count; i += GROUP)
    {
      Fragment fragment = get_fragment (list, i, labels, width, height);

      if (fragment.label - first < rows)
        add_fragment (fragment, list, values, owners, words, table, width, top, first);
    }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (lx < SLOTS && owners[lx])
    write_moved_sums (block_sums (words, owners[lx]), owners[lx], table, top, first);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region tables: sums over labelled regions.
 *
 * The table has a row of ROW 32-bit words for each label, all 0 at first:
 *   0 pixels, 1 whether a value is NaN, 2 ~min x, 3 max x, 4 ~min y, 5 max y, 6 ~(key of the
 *   smallest value), 7 key of the largest one, 8 sum of x, 10 sum of y (64 bits each, low word
 *   first), and with VALUES 12 sum of q, 16 sum of q², 20 sum of xq, 24 sum of yq (128 bits each).
 *   q is a value as an integer, see fixed().
 * Only whole numbers are added and compared, so that no order of work changes a bit.
 *
 * A work-item walks along lines: with COLUMNS one column of at most 64 rows, so that neighbouring
 * work-items read neighbouring pixels; else a stripe of rows. What it finds goes into CACHE rows of
 * its own, in the place label % CACHE, and from there into the table whenever a place is needed
 * for another label.
 *
 * Macros: VALUES if there are values; IN (their type), REAL if that is float, else BIAS (what makes
 * the smallest value 0 in wrapping 32-bit arithmetic); COLUMNS; CACHE; CARRY to do without 64-bit
 * atomics where there are some. */
#ifdef VALUES
#define ROW 28
#else
#define ROW 12
#define IN uint
#define BIAS 0
#endif

#if defined (cl_khr_int64_base_atomics) && !defined (CARRY)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define LONG_ATOMICS
#endif

/* Where a work-item begins and ends, and how far it is to the next pixel of a line. */
#ifdef COLUMNS
#define FIRST_LINE (get_global_id (0))
#define LAST_LINE min ((size_t) FIRST_LINE + 1, (size_t) width)
#define BEGIN ((uint) get_global_id (1) * 64)
#define END min (BEGIN + 64, height)
#define PLACE(line, i) ((size_t) (i) * width + (line))
#define X_OF(line, i) (line)
#define Y_OF(line, i) (i)
#else
#define FIRST_LINE (get_global_id (0) * lines)
#define LAST_LINE min (FIRST_LINE + lines, (size_t) height)
#define BEGIN 0
#define END width
#define PLACE(line, i) ((size_t) (line) * width + (i))
#define X_OF(line, i) (i)
#define Y_OF(line, i) (line)
#endif

inline void
add_64 (volatile global uint *sum, ulong value)
{
#ifdef LONG_ATOMICS
  atom_add ((volatile global ulong *) sum, value);
#else
  uint low = (uint) value, high = (uint) (value >> 32);

  high += atomic_add (sum, low) + low < low;
  if (high)
    atomic_add (sum + 1, high);
#endif
}

/* 128-bit numbers: x the low, y the high half. */
inline ulong2
plus (ulong2 a, ulong2 b)
{
  ulong low = a.x + b.x;

  return (ulong2) (low, a.y + b.y + (low < a.x));
}

inline ulong2
extend (long value)
{
  return (ulong2) ((ulong) value, (ulong) (value >> 63));
}

inline ulong2
product (long a, long b)
{
  return (ulong2) ((ulong) a * (ulong) b, (ulong) mul_hi (a, b));
}

inline void
add_128 (volatile global uint *sum, ulong2 value)
{
#ifdef LONG_ATOMICS
  volatile global ulong *halves = (volatile global ulong *) sum;

  if (value.x)
    value.y += atom_add (halves, value.x) + value.x < value.x;
  if (value.y)
    atom_add (halves + 1, value.y);
#else
  uint words[4] = { (uint) value.x, (uint) (value.x >> 32), (uint) value.y,
                    (uint) (value.y >> 32) };
  uint carry = 0;

  for (uint i = 0; i < 4; i++)
    {
      uint word = words[i] + carry;

      carry = word < carry;
      if (word)
        carry |= atomic_add (sum + i, word) + word < word;
    }
#endif
}

#include "measure-shapes.clh"
#ifdef VALUES
#include "measure-sums.clh"
#endif
#ifdef COLUMNS
#include "measure-columns.clh"
#endif

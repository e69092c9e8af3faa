/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sorts the entries of a sparse matrix by row, so that entries of a row keep their order: a radix sort of DIGITS values
 * at a time, from the lowest bits of the row's number on. Each work-item counts its `part` of consecutive entries by
 * digit, the counts of all work-items are added up digit by digit, and each work-item then moves its entries.
 *
 * Layout: counts[digit][work-item], then the sum of each digit. Macros: GROUP, work-items of a group of
 * azimuthal_sort_scan; SORT_GROUP, those of the other kernels; WEIGHTED, if entries have coefficients. */
#include "lanes.clh"
#include "azimuthal-params.h"

#define DIGIT(row, shift) ((row) >> (shift) & (SORT_DIGITS - 1))

kernel void
azimuthal_sort_count (global const uint *restrict rows, uint n, uint part, uint shift, global uint *restrict counts)
{
  uint item = get_global_id (0), l = get_local_id (0), items = get_global_size (0);
  uint end = (uint) min ((ulong) item * part + part, (ulong) n);
  local uint own[SORT_DIGITS * SORT_GROUP];

  for (uint d = 0; d < SORT_DIGITS; d++)
    own[d * SORT_GROUP + l] = 0;
  for (uint e = (uint) min ((ulong) item * part, (ulong) n); e < end; e++)
    own[DIGIT (rows[e], shift) * SORT_GROUP + l]++;
  for (uint d = 0; d < SORT_DIGITS; d++)
    counts[d * items + item] = own[d * SORT_GROUP + l];
}

/* Replaces each count by the sum of those before it of the same digit, for which there is a group; appends the sums of
 * all digits. */
kernel void
azimuthal_sort_scan (global uint *counts, uint items)
{
  uint digit = get_group_id (0), l = get_local_id (0), before = 0;
  global uint *own = counts + digit * items;
  local uint sums[GROUP], last;

  for (uint first = 0; first < items; first += GROUP)
    {
      uint k = first + l, count = k < items ? own[k] : 0, sum = scan_group (count, sums);

      if (k < items)
        own[k] = before + sum - count;
      if (l == GROUP - 1)
        last = sum;
      barrier (CLK_LOCAL_MEM_FENCE);
      before += last;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  if (l == 0)
    counts[SORT_DIGITS * items + digit] = before;
}

kernel void
azimuthal_sort_move (global const uint *restrict rows, global const uint *restrict pixels,
                     global const float *restrict coefficients, uint n, uint part, uint shift,
                     global const uint *restrict counts, global uint *restrict new_rows,
                     global uint *restrict new_pixels, global float *restrict new_coefficients)
{
  uint item = get_global_id (0), l = get_local_id (0), items = get_global_size (0);
  uint end = (uint) min ((ulong) item * part + part, (ulong) n);
  local uint next[SORT_DIGITS * SORT_GROUP];
  uint before = 0;

  for (uint d = 0; d < SORT_DIGITS; d++)
    {
      next[d * SORT_GROUP + l] = before + counts[d * items + item];
      before += counts[SORT_DIGITS * items + d];
    }
  for (uint e = (uint) min ((ulong) item * part, (ulong) n); e < end; e++)
    {
      uint row = rows[e], place = next[DIGIT (row, shift) * SORT_GROUP + l]++;

      new_rows[place] = row;
      new_pixels[place] = pixels[e];
#ifdef WEIGHTED
      new_coefficients[place] = coefficients[e];
#endif
    }
}

/* `starts`: where the entries of each row begin, and the number of entries at last. */
kernel void
azimuthal_sort_starts (global const uint *restrict rows, uint n, uint n_rows, global uint *restrict starts)
{
  uint row = get_global_id (0), low = 0, high = n;

  if (row > n_rows)
    return;
  while (low < high)
    {
      uint middle = low + (high - low) / 2;

      if (rows[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
  starts[row] = low;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables by strips, the second pass: sums over values. Part of the program measure-strips.cl. */
#include "measure-strips.clh"
#include "measure-sums.clh"

/* Pixels that are added up together. */
#define WINDOW 128
#define MAX_WEIGHT (1 << 15)

/* A region's sums: `part`, whose positions are relative to (x, y), is not yet in `sums`. A part stays within 64 bits as
 * long as its `weight`, pixels times the largest of their positions, is at most MAX_WEIGHT. */
typedef struct {
  uint label, exponent, x, y, weight;
  Part part;
  Sums sums;
} Region;

inline void
fold_part (Region *region)
{
  const Part *part = &region->part;
  Sums *sums = &region->sums;

  sums->sum = plus (sums->sum, extend (part->sum));
  sums->squares = plus (sums->squares, compose (part->high, part->cross, part->low));
  sums->moment_x = plus (plus (sums->moment_x, product (region->x, part->sum)),
                         extend (part->moment_x));
  sums->moment_y = plus (plus (sums->moment_y, product (region->y, part->sum)),
                         extend (part->moment_y));
  region->part = (Part) { 0 };
  region->weight = 0;
}

inline long
sum_of (long4 x)
{
  return x.x + x.y + (x.z + x.w);
}

/* Adds at most WINDOW values to a part; the first one is at (x, y) relative to the origin of the part. */
inline void
add_values (Part *part, global const IN *values, uint count, uint exponent, long x, long y)
{
  long4 sum = 0, moment = 0, position = (long4) (0, 1, 2, 3);
  ulong4 high = 0, cross = 0, low = 0;
  long sums;
  uint i = 0;

  for (; i + 4 <= count; i += 4)
    {
      long4 sign, q;
      ulong4 size = fixed4 (vload4 (0, values + i), exponent, &sign);
      ulong4 upper = size >> 24, lower = size & 0xffffff;

      q = (as_long4 (size) ^ sign) - sign;
      sum += q;
      moment += q * position;
      position += 4;
      high += upper * upper;
      cross += upper * lower;
      low += lower * lower;
    }
  part->high += as_ulong (sum_of (as_long4 (high)));
  part->cross += as_ulong (sum_of (as_long4 (cross)));
  part->low += as_ulong (sum_of (as_long4 (low)));
  sums = sum_of (sum);
  part->moment_x += sum_of (moment);
  for (; i < count; i++)
    {
      long q = fixed (values[i], exponent);

      sums += q;
      part->moment_x += q * (long) i;
      add_square (part, q);
    }
  part->sum += sums;
  part->moment_x += x * sums;
  part->moment_y += y * sums;
}

inline void
add_window (Region *region, global const IN *values, uint count, uint x, uint y)
{
  uint right = abs ((int) (x - region->x)) + count, down = y - region->y;
  uint weight = count * min (max (right, down), 1u << 16);

  if (region->weight + weight > MAX_WEIGHT)
    {
      fold_part (region);
      region->x = x;
      region->y = y;
      weight = count * count;
    }
  region->weight += weight;
  add_values (&region->part, values, count, region->exponent, (long) x - region->x,
              (long) y - region->y);
}

kernel void
measure_sums (global const uint *labels, global const IN *values, volatile global uint *table,
              uint width, uint height, uint top, uint first, uint rows, uint lines)
{
  size_t begin = get_global_id (0) * (size_t) lines, end = min (begin + lines, (size_t) height);
  Runs runs = { .width = width, .highest = 0 };
  Region regions[CACHE];

  for (uint i = 0; i < CACHE; i++)
    regions[i].label = 0;

  for (size_t y = begin; y < end; y++)
    for (begin_row (&runs, labels, values, y); next_run (&runs, first, rows);)
      {
        Region *region = regions + runs.label % CACHE;

        if (region->label != runs.label)
          {
            if (region->label)
              {
                fold_part (region);
                write_sums (&region->sums, table_row (table, region->label, first));
              }
            *region = (Region) { .label = runs.label, .x = runs.begin, .y = top + y };
            region->exponent = exponent_of (table_row (table, runs.label, first));
          }
        for (uint x = runs.begin; x < runs.end; x += WINDOW)
          add_window (region, runs.values + x, min (runs.end - x, (uint) WINDOW), x, top + y);
      }

  for (uint i = 0; i < CACHE; i++)
    if (regions[i].label)
      {
        fold_part (regions + i);
        write_sums (&regions[i].sums, table_row (table, regions[i].label, first));
      }
}

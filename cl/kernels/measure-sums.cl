/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region tables, the second pass (measure.clh tells the layout): sums of values, of their squares, and of
 * values times positions, of the regions with the labels first … first + rows - 1. Wants VALUES. */
#include "measure.clh"

/* What a run of at most RUN pixels adds up to stays within 64 bits. */
#define RUN 128

typedef struct {
  uint label, exponent;
  ulong2 sum, squares, moment, line_moment; /* of q, q², q times position along the line, q times line */
} Region;

/* The largest exponent of a region's finite values, from the extremes that the first pass found. */
inline uint
exponent_of (volatile global const uint *row)
{
#ifdef REAL
  uint low = ~row[6], high = row[7];

  /* Keys of negative values have all bits turned, others the highest. */
  low = low & 1u << 31 ? low : ~low;
  high = high & 1u << 31 ? high : ~high;
  return max (1u, max (low >> 23 & 255, high >> 23 & 255));
#else
  return 0;
#endif
}

/* A value as an integer of at most 48 bits and a sign: integers as they are; floats in units of
 * 2^(exponent - 174), so that the region's largest have all 48 bits; what is smaller than that
 * unit is cut off. NaN and infinities give 0: the host does not use these sums then. */
inline long
fixed (IN value, uint exponent)
{
#ifdef REAL
  uint bits = as_uint (value), e = bits >> 23 & 255, fraction = bits & 0x7fffff;
  uint down = exponent - max (e, 1u);
  ulong q = (ulong) (fraction | (uint) (e > 0) << 23) << 24 >> min (down, 63u);

  q = e == 255 ? 0 : q;
  return bits >> 31 ? -(long) q : (long) q;
#else
  return (long) value;
#endif
}

inline void
write_region (const Region *region, volatile global uint *table, uint first)
{
  volatile global uint *row = table + (size_t) (region->label - first) * ROW;

  add_128 (row + 12, region->sum);
  add_128 (row + 16, region->squares);
  add_128 (row + 20, X_OF (region->line_moment, region->moment));
  add_128 (row + 24, Y_OF (region->line_moment, region->moment));
}

/* The sums of one run, all within 64 bits. */
typedef struct {
  long sum, sums;            /* the sum, and the sum of all sums on the way */
  ulong high, cross, low;    /* of the squares: q = high * 2^24 + low */
} Run;

inline void
add_value (Run *run, long q)
{
  ulong size = abs (q), high = size >> 24, low = size & 0xffffff;

  run->sum += q;
  run->sums += run->sum;
  run->high += high * high;
  run->cross += high * low;
  run->low += low * low;
}

/* Adds the run that ends before `end` to its region. */
inline void
keep_run (Region *region, const Run *run, uint line, uint begin, uint end)
{
  /* The first value is in all of the sums on the way, the last one in one of them. */
  long inner = (long) (end - begin) * run->sum - run->sums;
  ulong2 high = (ulong2) (run->high << 48, run->high >> 16);
  ulong2 cross = (ulong2) (run->cross << 25, run->cross >> 39);

  region->sum = plus (region->sum, extend (run->sum));
  region->squares = plus (plus (region->squares, (ulong2) (run->low, 0)), plus (high, cross));
  region->moment = plus (region->moment, plus (product (begin, run->sum), extend (inner)));
  region->line_moment = plus (region->line_moment, product (line, run->sum));
}

/* The place for a label, emptied first if another one has it. */
inline Region *
find_region (Region *regions, uint label, volatile global uint *table, uint first)
{
  Region *region = regions + label % CACHE;

  if (region->label != label)
    {
      if (region->label)
        write_region (region, table, first);
      region->label = label;
      region->exponent = exponent_of (table + (size_t) (label - first) * ROW);
      region->sum = region->squares = region->moment = region->line_moment = 0;
    }
  return region;
}

kernel void
measure_sums (global const uint *labels, global const IN *values, volatile global uint *table,
              uint width, uint height, uint lines, uint first, uint rows)
{
  Region regions[CACHE];

  for (uint i = 0; i < CACHE; i++)
    regions[i].label = 0;

  for (size_t line = FIRST_LINE; line < LAST_LINE; line++)
    for (uint i = BEGIN, end; i < END; i = end)
      {
        uint label = labels[PLACE (line, i)], limit = min (END, i + RUN);
        Region *region = regions;
        Run run = { 0, 0, 0, 0, 0 };

        end = i + 1;
        if (label - first >= rows)
          continue;
        region = find_region (regions, label, table, first);
        add_value (&run, fixed (values[PLACE (line, i)], region->exponent));
        for (; end < limit && labels[PLACE (line, end)] == label; end++)
          add_value (&run, fixed (values[PLACE (line, end)], region->exponent));
        keep_run (region, &run, line, i, end);
      }

  for (uint i = 0; i < CACHE; i++)
    if (regions[i].label)
      write_region (regions + i, table, first);
}

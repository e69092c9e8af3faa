/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region tables, the first pass (measure.clh tells the layout): pixels, positions, boxes and extremes of
 * the regions with the labels first … first + rows - 1. */
#include "measure.clh"

typedef struct {
  uint label, pixels, nan;
  uint begin, end, line, last_line; /* the box */
  IN low, high;                     /* low > high: none but NaN so far */
  ulong sum, line_sum;              /* of the positions along the lines, and of the lines */
} Region;

/* A number for each value, in the same order. */
inline uint
key (IN value)
{
#ifdef REAL
  uint bits = as_uint (value);

  return bits ^ ((uint) (as_int (value) >> 31) | 1u << 31);
#else
  return (uint) value + BIAS;
#endif
}

inline void
write_region (const Region *region, volatile global uint *table, uint first)
{
  volatile global uint *row = table + (size_t) (region->label - first) * ROW;

  atomic_add (row, region->pixels);
  if (region->nan)
    atomic_or (row + 1, 1);
  atomic_max (row + 2, ~X_OF (region->line, region->begin));
  atomic_max (row + 3, X_OF (region->last_line, region->end));
  atomic_max (row + 4, ~Y_OF (region->line, region->begin));
  atomic_max (row + 5, Y_OF (region->last_line, region->end));
#ifdef VALUES
  if (region->low <= region->high)
    {
      atomic_max (row + 6, ~key (region->low));
      atomic_max (row + 7, key (region->high));
    }
#endif
  add_64 (row + 8, X_OF (region->line_sum, region->sum));
  add_64 (row + 10, Y_OF (region->line_sum, region->sum));
}

inline void
add_run (Region *region, const Region *run)
{
  if (region->pixels == 0)
    {
      *region = *run;
      return;
    }
  region->pixels += run->pixels;
  region->nan |= run->nan;
  region->begin = min (region->begin, run->begin);
  region->end = max (region->end, run->end);
  region->line = min (region->line, run->line);
  region->last_line = max (region->last_line, run->last_line);
  region->low = run->low < region->low ? run->low : region->low;
  region->high = run->high > region->high ? run->high : region->high;
  region->sum += run->sum;
  region->line_sum += run->line_sum;
}

/* Completes the run that ends before `end`, and puts it into its place. */
inline void
keep_run (Region *regions, Region *run, uint end, volatile global uint *table, uint first)
{
  Region *region = regions + run->label % CACHE;

  run->pixels = end - run->begin;
  run->end = end - 1;
  run->last_line = run->line;
  run->sum = (ulong) run->pixels * run->begin + (ulong) run->pixels * (run->pixels - 1) / 2;
  run->line_sum = (ulong) run->pixels * run->line;

  if (region->label != run->label && region->pixels)
    {
      write_region (region, table, first);
      region->pixels = 0;
    }
  add_run (region, run);
}

kernel void
measure_shapes (global const uint *labels, global const IN *values, volatile global uint *table,
                uint width, uint height, uint lines, uint first, uint rows)
{
  Region regions[CACHE], run;

  for (uint i = 0; i < CACHE; i++)
    regions[i].label = regions[i].pixels = 0;

  for (size_t line = FIRST_LINE; line < LAST_LINE; line++)
    {
      run.label = 0;
      run.line = line;
      for (uint i = BEGIN; i < END; i++)
        {
          uint label = labels[PLACE (line, i)];

          if (label != run.label)
            {
              if (run.label - first < rows)
                keep_run (regions, &run, i, table, first);
              run.label = label;
              run.begin = i;
              run.nan = 0;
#ifdef REAL
              run.low = INFINITY;
              run.high = -INFINITY;
#elif defined VALUES
              run.low = run.high = values[PLACE (line, i)];
#else
              run.low = run.high = 0;
#endif
            }
#ifdef VALUES
          if (label)
            {
              IN value = values[PLACE (line, i)];

              run.low = value < run.low ? value : run.low;
              run.high = value > run.high ? value : run.high;
              run.nan |= value != value;
            }
#endif
        }
      if (run.label - first < rows)
        keep_run (regions, &run, END, table, first);
    }

  for (uint i = 0; i < CACHE; i++)
    if (regions[i].pixels)
      write_region (regions + i, table, first);
}

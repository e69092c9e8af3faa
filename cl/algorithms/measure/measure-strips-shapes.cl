/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables by strips, the first pass: pixels, boxes, extremes. Part of the program measure-strips.cl. */
#include "measure-shapes.clh"
#include "measure-strips.clh"

/* The smallest and the largest of a run's values, and whether one is NaN. */
inline void
find_extremes (Shape *shape, global const IN *values, uint count)
{
#ifdef VALUES
  IN low = NO_LOW, high = NO_HIGH;
  uint i = 0;

  if (count >= 8)
    {
      IN8 lows = (IN8) (NO_LOW), highs = (IN8) (NO_HIGH);
#ifdef REAL
      int8 nan = 0;
      int4 nan4;
#endif
      IN4 low4, high4;
      IN2 low2, high2;

      /* The last eight overlap those before. */
      for (; i < count; i += 8)
        {
          IN8 value = vload8 (0, values + min (i, count - 8));

          lows = value < lows ? value : lows;
          highs = value > highs ? value : highs;
#ifdef REAL
          nan |= value != value;
#endif
        }
#ifdef REAL
      nan4 = nan.lo | nan.hi;
      shape->nan = ((nan4.x | nan4.y) | (nan4.z | nan4.w)) != 0;
#endif
      low4 = lows.lo < lows.hi ? lows.lo : lows.hi;
      high4 = highs.lo > highs.hi ? highs.lo : highs.hi;
      low2 = low4.lo < low4.hi ? low4.lo : low4.hi;
      high2 = high4.lo > high4.hi ? high4.lo : high4.hi;
      low = low2.x < low2.y ? low2.x : low2.y;
      high = high2.x > high2.y ? high2.x : high2.y;
    }
  for (; i < count; i++)
    {
      low = values[i] < low ? values[i] : low;
      high = values[i] > high ? values[i] : high;
#ifdef REAL
      shape->nan |= values[i] != values[i];
#endif
    }
  set_extremes (shape, low, high);
#endif
}

inline void
add_run (Shape *shape, const Runs *runs, uint y)
{
  uint count = runs->end - runs->begin;
  Shape run = { .nan = 0, .low = 0, .high = 0 };

  find_extremes (&run, runs->values + runs->begin, count);
  shape->min_x = shape->pixels ? min (shape->min_x, runs->begin) : runs->begin;
  shape->max_x = max (shape->max_x, runs->end - 1);
  shape->min_y = shape->pixels ? shape->min_y : y;
  shape->max_y = y;
  shape->pixels += count;
  shape->nan |= run.nan;
  shape->low = max (shape->low, run.low);
  shape->high = max (shape->high, run.high);
  shape->sum_x += (ulong) count * runs->begin + (ulong) count * (count - 1) / 2;
  shape->sum_y += (ulong) count * y;
}

kernel void
measure_shapes (global const uint *labels, global const IN *values, volatile global uint *table,
                uint width, uint height, uint top, uint first, uint rows, uint lines)
{
  size_t begin = get_global_id (0) * (size_t) lines, end = min (begin + lines, (size_t) height);
  Runs runs = { .width = width, .highest = 0 };
  Shape shapes[CACHE];
  uint owners[CACHE];

  for (uint i = 0; i < CACHE; i++)
    shapes[i].pixels = owners[i] = 0;

  for (size_t y = begin; y < end; y++)
    for (begin_row (&runs, labels, values, y); next_run (&runs, first, rows);)
      {
        uint entry = runs.label % CACHE;

        if (owners[entry] != runs.label)
          {
            if (owners[entry])
              write_shape (shapes + entry, table_row (table, owners[entry], first));
            owners[entry] = runs.label;
            shapes[entry] = (Shape) { 0 };
          }
        add_run (shapes + entry, &runs, top + y);
      }

  for (uint i = 0; i < CACHE; i++)
    if (owners[i])
      write_shape (shapes + i, table_row (table, owners[i], first));
  atomic_max (table, runs.highest);
}

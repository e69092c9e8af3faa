/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last steps of connected components by runs (label-runs.cl tells the layout): numbers in the
 * raster order of first pixels, and the picture of them.
 *
 * label_runs_number: gives each root its number in label[]; the numbers of a stripe follow those of
 *   the stripes above. With FILTER the roots for which keep[] is 0 get the number 0.
 * label_runs_write: takes the numbers to all nodes of the stripe, then writes its rows.
 *
 * Macros: SPAN, and FILTER if regions may be left out. */
#include "label.clh"

#ifdef FILTER
#define KEPT(node) keep[node]
#else
#define KEPT(node) 1
#endif

#if SPAN == 2
/* A component's first pixel lies in the upper row of its topmost strip, if it has any there: numbers
 * those, in the order of the columns. `node` is the strip's first node. */
inline uint
number_upper (global const ulong *bits, global const uint *parent, global uint *label,
              global const uchar *keep, uint words, uint node, uint number)
{
  uint start = node;
  ulong before = 0, carry = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong strip = bits[i] | bits[words + i], starts = strip & ~(strip << 1 | before);

      for (ulong upper = first_events (strip, bits[i], &carry); upper; upper &= upper - 1)
        {
          uint n = node + popcount (starts & (upper ^ (upper - 1))) - 1;

          while (n >= start && parent[n] != n)
            n = parent[n];
          if (n >= start && !label[n] && KEPT (n))
            label[n] = ++number;
        }
      node += popcount (starts);
      before = strip >> 63;
    }
  return number;
}
#endif

kernel void
label_runs_number (global const ulong *bits, global const uint *parent, global uint *label,
                   global const uint *first, global const uint *components,
                   global const uchar *keep, global uint *count, uint words, uint height,
                   uint strips)
{
  uint stripe = get_global_id (0), number = 0;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);

  for (uint i = 0; i < stripe; i++)
    number += components[i];

  for (uint strip = begin; strip < end; strip++)
    {
      uint node = first[strip + stripe], last = first[strip + stripe + 1];
      int roots = 0;

      for (uint n = node; n < last; n++)
        {
          label[n] = 0;
          roots |= parent[n] == n;
        }
#if SPAN == 2
      if (roots)
        number = number_upper (bits + (size_t) strip * SPAN * words, parent, label, keep, words,
                               node, number);
#endif
      if (roots)
        for (uint n = node; n < last; n++)
          if (parent[n] == n && !label[n] && KEPT (n))
            label[n] = ++number;
    }
  if (end == all && begin < all)
    *count = number;
}

/* 64 pixels, the row may end right behind them. `node` is the label of the strip's last node
 * before this word. */
inline void
write_word (global uint *out, ulong bits, ulong starts, global const uint *label)
{
  if (!bits)
    for (uint i = 0; i < 8; i++)
      vstore8 ((uint8) (0), i, out);
  else if (bits == ~0ul)
    for (uint i = 0; i < 8; i++)
      vstore8 ((uint8) (label[popcount (starts)]), i, out);
  else
    for (uint i = 0; i < 64; i++)
      out[i] = bits >> i & 1 ? label[popcount (starts & up_to (i))] : 0;
}

kernel void
label_runs_write (global const ulong *bits, global const uint *parent, global uint *label,
                  global const uint *first, global uint *out, uint width, uint height, uint strips,
                  uint capacity)
{
  uint stripe = get_global_id (0), words = (width + 63) / 64;
  uint all = (height + SPAN - 1) / SPAN, own = stripe * capacity;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);

  for (uint strip = begin; strip < end; strip++)
    {
      uint node = first[strip + stripe], last = first[strip + stripe + 1];
      uint y = strip * SPAN;

      /* Children come behind their parents, but only those of this stripe have their labels yet. */
      for (uint n = node; n < last; n++)
        {
          uint p = parent[n];

          if (p != n)
            label[n] = label[p >= own ? p : root_of ((volatile global uint *) parent, p)];
        }

      for (uint r = 0; r < SPAN && y + r < height; r++)
        {
          global const ulong *row = bits + (size_t) y * words;
          global uint *target = out + (size_t) (y + r) * width;
          global const uint *current = label + node - 1;
          ulong before = 0;

          for (uint i = 0; i < words; i++)
            {
              ulong here = row[i] | row[(SPAN - 1) * (size_t) words + i];
              ulong starts = here & ~(here << 1 | before), line = row[r * (size_t) words + i];

              if (width - i * 64 >= 64)
                write_word (target + i * 64, line, starts, current);
              else
                for (uint j = 0; j < width - i * 64; j++)
                  target[i * 64 + j] = line >> j & 1 ? current[popcount (starts & up_to (j))] : 0;
              before = here >> 63;
              current += popcount (starts);
            }
        }
    }
}

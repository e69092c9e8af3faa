/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by runs, the last step: copies the labels of roots to all nodes of a strip, then writes its
 * rows. Part of the program label-runs.cl. */
#include "label-runs.clh"

/* Writes up to 64 pixels one by one. label[n] belongs to the n-th node that begins within the word, label[0] to the one
 * before. */
inline void
write_part (global uint *out, uint n, ulong line, ulong starts, global const uint *label)
{
  for (uint i = 0; i < n; i++)
    out[i] = line >> i & 1 ? label[popcount (starts & up_to (i))] : 0;
}

inline void
write_same (global uint *out, uint label)
{
  for (uint i = 0; i < 8; i++)
    vstore8 ((uint8) (label), i, out);
}

/* Writes 64 pixels, and undefined values to up to 7 pixels behind them: runs and gaps in turn, each by whole vectors
 * that the next one overwrites. */
inline void
write_word (global uint *out, ulong line, ulong starts, global const uint *label)
{
  ulong changes = (line ^ line << 1) | 1;

  while (changes)
    {
      uint i = lowest (changes);
      uint value = line >> i & 1 ? label[popcount (starts & up_to (i))] : 0;

      changes &= changes - 1;
      for (uint end = changes ? lowest (changes) : 64; i < end; i += 8)
        vstore8 ((uint8) (value), 0, out + i);
    }
}

kernel void
label_runs_write (global const ulong *bits, global const uint *parent, global uint *label,
                  global const uint *first, global uint *out, uint width, uint height, uint bands,
                  uint capacity)
{
  uint strip = get_global_id (0), words = LABEL_RUNS_WORDS (width);
  uint all = (height + SPAN - 1) / SPAN, own = strip * capacity;
  uint begin = min (strip * bands, all), end = min (begin + bands, all);

  for (uint band = begin; band < end; band++)
    {
      uint node = first[band + strip], last = first[band + strip + 1];
      uint y = band * SPAN;

      /* Children follow their parents, but only nodes of this strip have their labels already. */
      for (uint n = node; n < last; n++)
        {
          uint p = parent[n];

          if (p != n)
            label[n] = label[p >= own ? p : settled_root (parent, p)];
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
              uint rest = width - i * 64;

              if (rest >= 64 && !line)
                write_same (target + i * 64, 0);
              else if (rest >= 64 && line == ~0ul)
                write_same (target + i * 64, current[popcount (starts)]);
              else if (rest >= 64 + 7)
                write_word (target + i * 64, line, starts, current);
              else
                write_part (target + i * 64, min (rest, 64u), line, starts, current);
              before = here >> 63;
              current += popcount (starts);
            }
        }
    }
}

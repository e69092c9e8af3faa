/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by runs, for devices with few, strong work-items: one work-item a stripe of
 * `strips` strips of SPAN rows. Union-find on the nodes of label.clh, numbered in order within a
 * stripe; stripe s owns the numbers from s * capacity on. Smaller numbers win, so that a
 * component's root is its leftmost node in its topmost strip.
 *
 * label_runs_scan: packs the mask (in > 0) into bits, `words` words a row, rows of zeros below the
 *   image up to full strips; lists in first[strip + stripe] the first node of each strip (one more
 *   entry a stripe for its end); unites within the stripe; counts its components.
 *
 * Macros: IN (element type), IN8 (its vector of 8), SPAN. */
#include "label.clh"

inline ulong
pack (global const IN *in)
{
  const int8 places = (int8) (1, 2, 4, 8, 16, 32, 64, 128);
  int8 low = 0, high = 0;
  int4 four;
  int2 two;

  for (uint i = 0; i < 4; i++)
    {
      low |= convert_int8 (vload8 (i, in) > (IN8) (0)) & (places << (int) (8 * i));
      high |= convert_int8 (vload8 (i + 4, in) > (IN8) (0)) & (places << (int) (8 * i));
    }
  /* Halve both at once. */
  four = (int4) (low.s01 | low.s23 | low.s45 | low.s67, high.s01 | high.s23 | high.s45 | high.s67);
  two = four.even | four.odd;
  return (ulong) two.x & 0xffffffff | (ulong) two.y << 32;
}

inline void
pack_row (global const IN *in, global ulong *bits, uint width)
{
  uint x = 0;

  for (; x + 64 <= width; x += 64)
    *bits++ = pack (in + x);
  if (x < width)
    {
      ulong word = 0;

      for (uint i = 0; x + i < width; i++)
        word |= (ulong) (in[x + i] > 0) << i;
      *bits = word;
    }
}

/* A root, halving the path to it; for a stripe's own work-item. */
inline uint
stripe_root (global uint *parent, uint node)
{
  uint next;

  while ((next = parent[node]) != node)
    node = parent[node] = parent[next];
  return node;
}

/* Puts the nodes of a strip into `parent` from `node` on, and unites them with those of the strip
 * above, from `above` on (`up` is of no meaning in a first strip). Returns the end of the nodes. */
inline uint
scan_strip (global const ulong *bits, global const ulong *up, global uint *parent, uint words,
            uint node, uint above, int first, uint *components)
{
  ulong before = 0, before_up = 0, carry = 0;
  ulong2 before_lines = 0;

  for (uint i = 0; i < words; i++)
    {
      ulong strip = bits[i] | bits[(SPAN - 1) * (size_t) words + i];
      ulong starts = strip & ~(strip << 1 | before);
      uint end = node + popcount (starts);

      before = strip >> 63;
      for (uint n = node; n < end; n++)
        parent[n] = n;
      *components += end - node;

      if (!first)
        {
          ulong line = up[(SPAN - 1) * (size_t) words + i], above_strip = up[i] | line;
          ulong above_starts = above_strip & ~(above_strip << 1 | before_up);
          ulong touch = touches (bits[i], line, before_lines, strip, above_strip, &carry);

          before_up = above_strip >> 63;
          before_lines = (ulong2) (bits[i] >> 63, line >> 63);
          for (; touch; touch &= touch - 1)
            {
              ulong to = touch ^ (touch - 1);
              uint a = stripe_root (parent, node + popcount (starts & to) - 1);
              uint b = stripe_root (parent, above + popcount (above_starts & to) - 1);

              *components -= a != b;
              parent[max (a, b)] = min (a, b);
            }
          above += popcount (above_starts);
        }
      node = end;
    }
  return node;
}

kernel void
label_runs_scan (global const IN *in, global ulong *bits, global uint *parent, global uint *first,
                 global uint *components, uint width, uint height, uint strips, uint capacity)
{
  uint stripe = get_global_id (0), words = (width + 63) / 64, found = 0;
  uint all = (height + SPAN - 1) / SPAN;
  uint begin = min (stripe * strips, all), end = min (begin + strips, all);
  uint node = stripe * capacity, above = node;

  for (uint strip = begin; strip < end; strip++)
    {
      global ulong *row = bits + (size_t) strip * SPAN * words;
      uint here = node;

      for (uint i = 0; i < SPAN; i++)
        {
          uint y = strip * SPAN + i;

          if (y < height)
            pack_row (in + (size_t) y * width, row + (size_t) i * words, width);
          else
            for (uint j = 0; j < words; j++)
              row[(size_t) i * words + j] = 0;
        }
      first[strip + stripe] = node;
      node = scan_strip (row, row - (strip > begin ? SPAN * (size_t) words : 0), parent, words, node,
                         above, strip == begin, &found);
      above = here;
    }
  first[end + stripe] = node;
  components[stripe] = found;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along x for CPUs: out[i] = scale * (in[first + i] + ... + in[first + i + count - 1]) + more, at the
 * cost of the logarithm of `count`. Sums of 1, 2, 4, ... neighbours are made one from the other, all of a row's
 * side by side; a box is the sum of one of each that its count has a bit for. Nothing is ever subtracted.
 * Boxes longer than LONGEST are taken in pieces.
 *
 * Layout and border: as in taps.cl; the samples of a row stand CHANNELS values apart. `more` holds one value a
 * line if MORE is defined. Sums are of scaled values, so they stay within the range of the input.
 * Macros: IN (type of a value), CHANNELS, MORE. Dimensions: pieces of OUTPUTS samples, rows. */
#include "box.clh"
#include "load.clh"

/* As algorithms/box-vector.c has them. */
#define OUTPUTS (2048 / CHANNELS)
#define LONGEST (8192 / CHANNELS)

#define WIDTH 16
#define TILE ((OUTPUTS + LONGEST) * CHANNELS + 2 * WIDTH)

static inline void
store16 (float16 v, float *p)
{
  *(loose16_t *) p = v;
}

/* tile[i] = scaled value i of the row from position x on, for the samples begin to end - 1 under the border
 * rule; 0 from `last` on, which serve no output. */
static inline void
load_beyond (global const IN *row, float *tile, int x, int begin, int end, int last, box_t b)
{
  for (int s = begin; s < end; s++)
    {
      int p = x + s, i = p < last ? border_map (p, b.length, b.border) : -1;

      for (int c = 0; c < CHANNELS; c++)
        tile[s * CHANNELS + c] = i < 0 ? 0.0f : b.scale * row[(long) (i - b.source) * CHANNELS + c];
    }
}

/* The same for all n samples. */
static inline void
load_tile (global const IN *row, float *tile, int x, int n, box_t b)
{
  int last = b.first + b.n_result + b.count - 1;
  int begin = clamp (-x, 0, n), end = clamp (min (b.length, last) - x, begin, n), i = begin * CHANNELS;
  global const IN *from = row + (long) (x - b.source) * CHANNELS;

  load_beyond (row, tile, x, 0, begin, last, b);
  for (; i + WIDTH <= end * CHANNELS; i += WIDTH)
    store16 (b.scale * convert_float16 (vload16 (0, from + i)), tile + i);
  for (; i < end * CHANNELS; i++)
    tile[i] = b.scale * from[i];
  load_beyond (row, tile, x, end, n, last, b);
}

/* sums[i] += the sums of `count` samples of the tile from value i on, for n values. Leaves the tile changed. */
static inline void
add_box (float *tile, float *sums, int n, int count)
{
  int offset = 0;

  for (int width = 1; width <= count; width *= 2)
    {
      int shift = width * CHANNELS;

      if (count & width)
        {
          for (int i = 0; i < n; i += WIDTH)
            store16 (load16 (sums + i) + load16 (tile + offset * CHANNELS + i), sums + i);
          offset += width;
        }
      /* What the vectors take beyond the last sum that is needed changes nothing that is. */
      if (2 * width <= count)
        for (int i = offset * CHANNELS; i < n + (count - 2 * width) * CHANNELS; i += WIDTH)
          store16 (load16 (tile + i) + load16 (tile + i + shift), tile + i);
    }
}

kernel void
box_vector_rows (global const IN *restrict in, global float *restrict out, global const float *restrict more,
          box_t b)
{
  int x = (int) get_global_id (0) * OUTPUTS, n = min (OUTPUTS, b.n_result - x), i = 0;
  ulong y = get_global_id (1);
  float tile[TILE], sums[OUTPUTS * CHANNELS + WIDTH];

  if (n <= 0)
    return;
  in += y * b.n_source * CHANNELS;
  out += (y * b.n_result + x) * CHANNELS;
  for (i = 0; i < n * CHANNELS + WIDTH - 1; i++)
    sums[i] = MORE_OF (y * CHANNELS + i % CHANNELS);
  for (int done = 0; done < b.count; done += LONGEST)
    {
      int count = min (LONGEST, b.count - done);

      load_tile (in, tile, b.first + x + done, n + count - 1, b);
      add_box (tile, sums, n * CHANNELS, count);
    }
  for (i = 0; i + WIDTH <= n * CHANNELS; i += WIDTH)
    vstore16 (load16 (sums + i), 0, out + i);
  for (; i < n * CHANNELS; i++)
    out[i] = sums[i];
}

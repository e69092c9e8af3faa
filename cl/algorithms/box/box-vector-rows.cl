/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along x for CPUs, at a cost of the logarithm of `count`. Formula, layout and border: box.clh; the samples
 * of a row are CHANNELS values apart.
 *
 * A work-item computes OUTPUTS samples of a row. Sums of 1, 2, 4, ... neighbors are computed one from the other, for
 * the whole piece; a box is the sum of one of them for each bit of its count. Nothing is ever subtracted. Boxes longer
 * than LONGEST are summed in several parts.
 *
 * Dimensions: pieces of OUTPUTS samples, rows. Macros: IN (type of a value), CHANNELS, OFFSETS. */
#include "box.clh"
#include "load.clh"

#define OUTPUTS (BOX_ROW_VALUES / CHANNELS)
#define LONGEST (8192 / CHANNELS)

#define WIDTH 16
#define TILE ((OUTPUTS + LONGEST) * CHANNELS + 2 * WIDTH)

static inline void
store16 (float16 v, float *p)
{
  *(loose16_t *) p = v;
}

/* tile[i] = scaled value i of the row from position x on, for the samples begin to end - 1 by the border rule; 0 from
 * `last` on, which no output needs. */
static inline void
load_outside (global const IN *row, float *tile, int x, int begin, int end, int last, CapraBox b)
{
  for (int s = begin; s < end; s++)
    {
      int p = x + s, i = p < last ? border_map (p, b.length, b.border) : -1;

      for (int c = 0; c < CHANNELS; c++)
        tile[s * CHANNELS + c] = i < 0 ? 0.0f : b.scale * row[(long) (i - b.source) * CHANNELS + c];
    }
}

/* The same for n samples, those inside the image by vectors. */
static inline void
load_tile (global const IN *row, float *tile, int x, int n, CapraBox b)
{
  int last = b.first + b.n_result + b.count - 1;
  int begin = clamp (-x, 0, n), end = clamp (min (b.length, last) - x, begin, n), i = begin * CHANNELS;
  global const IN *from = row + (long) (x - b.source) * CHANNELS;

  load_outside (row, tile, x, 0, begin, last, b);
  for (; i + WIDTH <= end * CHANNELS; i += WIDTH)
    store16 (b.scale * convert_float16 (vload16 (0, from + i)), tile + i);
  for (; i < end * CHANNELS; i++)
    tile[i] = b.scale * from[i];
  load_outside (row, tile, x, end, n, last, b);
}

/* sums[i] += the sum of `count` samples of the tile from value i on, for n values. Overwrites the tile. */
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
      /* Vectors may extend past the last sum that is needed: those sums are not used. */
      if (2 * width <= count)
        for (int i = offset * CHANNELS; i < n + (count - 2 * width) * CHANNELS; i += WIDTH)
          store16 (load16 (tile + i) + load16 (tile + i + shift), tile + i);
    }
}

kernel void
box_vector_rows (global const IN *restrict in, global float *restrict out, global const float *restrict offsets,
                 CapraBox b)
{
  int x = (int) get_global_id (0) * OUTPUTS, n = min (OUTPUTS, b.n_result - x), i = 0;
  ulong y = get_global_id (1);
  float tile[TILE], sums[OUTPUTS * CHANNELS + WIDTH];

  if (n <= 0)
    return;
  in += y * b.n_source * CHANNELS;
  out += (y * b.n_result + x) * CHANNELS;
  for (i = 0; i < n * CHANNELS + WIDTH - 1; i++)
    sums[i] = OFFSET_OF (y * CHANNELS + i % CHANNELS);
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

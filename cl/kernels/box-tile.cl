/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur along x for CPUs, for boxes of at most LONGEST_BOX / CHANNELS samples; see box.clh. The samples
 * of a row stand CHANNELS values apart.
 *
 * A work-item makes OUTPUTS samples of a row from a tile of inputs. Sums of 8 samples from each position
 * on are summed over runs as box.clh tells, every eighth one: so values side by side stay in vectors. The
 * count % 8 samples that are left of each box are added one by one, four at a time where they can.
 *
 * Macros: IN (type of a value), CHANNELS, MORE. Dimensions: pieces of OUTPUTS samples, rows. */
#include "box.clh"
#include "load.clh"

#define OUTPUTS (512 / CHANNELS / 8 * 8)
#define STEPS (OUTPUTS / 8)
#define LONGEST_BOX 512
#define SLACK 48
/* So few sums of 8 are added for each output. */
#define FEW_EIGHTS 4
#define TILE (OUTPUTS * CHANNELS + LONGEST_BOX + SLACK)
/* Values from one sum of 8 to the next one of its line. */
#define STRIDE (8 * CHANNELS)

/* tile[i] = the scaled value i of the row from sample x on, n in all, and zeros up to `all`. */
static inline void
load_tile (global const IN *row, float *tile, int x, int n, int all, box_t b)
{
  int last = b.first + b.n_result + b.count - 2, end = min (b.length, last + 1), i = 0;

  while (i < n)
    {
      int p = x + i / CHANNELS;

      if (p >= 0 && i + 8 <= n && x + (i + 7) / CHANNELS < end)
        {
          global const IN *from = row + ((long) (x - b.source) * CHANNELS + i);

          vstore8 (b.scale * convert_float8 (vload8 (0, from)), 0, tile + i);
          i += 8;
        }
      else
        {
          int from = p <= last ? border_map (p, b.length, b.border) : -1;

          tile[i] = from < 0 ? 0.0f
                             : b.scale * row[(ulong) (from - b.source) * CHANNELS + i % CHANNELS];
          i++;
        }
    }
  for (; i < all; i++)
    tile[i] = 0.0f;
}

/* The sum of 8 samples from value i on, for 8 values. */
static inline float8
eight (const float *four, int i)
{
  return load8 (four + i) + load8 (four + i + 4 * CHANNELS);
}

/* The sum of fewer than 8 samples from value i on. */
static inline float8
left_over (const float *tile, const float *four, int i, int n)
{
  float8 sum = 0.0f;

  if (n >= 4)
    {
      sum = load8 (four + i);
      i += 4 * CHANNELS;
    }
  for (n &= 3; n > 0; n--, i += CHANNELS)
    sum += load8 (tile + i);
  return sum;
}

/* Stores 8 outputs from value `at` on, as far as they are wanted. */
static inline void
store8 (float8 result, global float *restrict out, int at, int width)
{
  if (at + 8 <= width)
    vstore8 (result, 0, out + at);
  else
    for (int l = 0; l < width - at; l++)
      out[at + l] = ((const float *) &result)[l];
}

/* Outputs from value i of the tile on, m steps: a run of box.clh. Of all outputs, `width` values are
 * wanted. */
static inline void
make_run (const float *tile, const float *four, int i, int m, int eights, int left, float8 total,
          global float *restrict out, int width)
{
  float8 rest = 0.0f, stash[STEPS];
  int j = m;

  while (j < eights)
    {
      float8 sum = 0.0f;

      for (int stop = min (j + STEP, eights); j < stop; j++)
        sum += eight (four, i + j * STRIDE);
      ADD_CHUNK (float8, total, rest, sum)
    }
  for (j = m - 1; j >= 0;)
    {
      float8 sum = 0.0f;

      for (int stop = max (j - STEP, -1); j > stop; j--)
        {
          sum += eight (four, i + j * STRIDE);
          stash[j] = total + sum;
        }
      if (j >= 0)
        ADD_CHUNK (float8, total, rest, sum)
    }

  total = rest = 0.0f;
  for (j = 0; j < m;)
    {
      float8 sum = 0.0f;

      for (int stop = min (j + STEP, m); j < stop; j++)
        {
          int at = i + j * STRIDE, behind = at + eights * STRIDE;
          float8 result = stash[j] + (total + sum) + left_over (tile, four, behind, left);

          store8 (result, out, at, width);
          sum += eight (four, behind);
        }
      if (j < m)
        ADD_CHUNK (float8, total, rest, sum)
    }
}

kernel void
box_tile (global const IN *restrict in, global float *restrict out,
          global const float *restrict blocks, global const float *restrict more, int n_spans, box_t b)
{
  int x = (int) get_global_id (0) * OUTPUTS, outputs = min (OUTPUTS, b.n_result - x);
  int n = (outputs + b.count - 1) * CHANNELS, eights = b.count / 8, run = min (eights, STEPS);
  int width = outputs * CHANNELS, all = (OUTPUTS + b.count) * CHANNELS + SLACK;
  ulong y = get_global_id (1);
  float tile[TILE], four[TILE];

  if (outputs <= 0)
    return;
  in += y * b.n_source * CHANNELS;
  out += (y * b.n_result + x) * CHANNELS;
  load_tile (in, tile, b.first + x, n, all, b);
  for (int i = 0; i < n; i += 8)
    vstore8 (load8 (tile + i) + load8 (tile + i + CHANNELS)
               + (load8 (tile + i + 2 * CHANNELS) + load8 (tile + i + 3 * CHANNELS)),
             0, four + i);
  for (int i = n; i < all; i++)
    four[i] = 0.0f;

  for (int c = 0; c < CHANNELS; c++)
    {
      float start[8];

      for (int l = 0; l < 8; l++)
        start[l] = MORE_OF (y * CHANNELS + (8 * c + l) % CHANNELS);
      if (eights <= FEW_EIGHTS)
        for (int i = 8 * c; i < width; i += STRIDE)
          {
            float8 sum = left_over (tile, four, i + eights * STRIDE, b.count % 8);

            for (int j = 0; j < eights; j++)
              sum += eight (four, i + j * STRIDE);
            store8 (sum + vload8 (0, start), out, i, width);
          }
      else
        for (int j = 0; j < STEPS; j += run)
          make_run (tile, four, 8 * c + j * STRIDE, min (run, STEPS - j), eights, b.count % 8,
                    vload8 (0, start), out, width);
    }
}

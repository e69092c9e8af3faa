/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x for CPUs; formula and border: taps.clh. A work-item computes VALUES neighboring values of a
 * row; rows of n_source samples follow each other.
 *
 * Dimensions: a row's values / VALUES, rows. Macros: those of taps.clh, CHANNELS, VALUES (a multiple of 16). */
#include "taps.clh"
#include "load.clh"

#define VECTORS (VALUES / 16)
/* Weights for whose inputs a tile is loaded at a time. */
#define TILE_TAPS 32
#define TILE (VALUES + (TILE_TAPS - 1) * CHANNELS)

/* The input `shift` samples after value v of the outputs' row, by the border rule. */
static inline float
row_value (global const IN *row, uint v, int shift, CapraTapsAxis a)
{
  int i = border_map (shift + (int) (v / CHANNELS), a.length, a.border);

  return i < 0 ? 0.0f : (float) row[(ulong) (i - a.source) * CHANNELS + v % CHANNELS];
}

/* Loads the inputs of `count` weights, the first of which is for position `begin`, for outputs v to v + valid - 1. */
static inline void
load_tile (global const IN *row, float *tile, uint v, uint valid, int begin, int count, CapraTapsAxis a)
{
  uint more = (uint) (count - 1) * CHANNELS, n = valid + more;
  int first = begin + (int) (v / CHANNELS), last = begin + (int) ((v + n - 1) / CHANNELS);

  if (first >= 0 && last < a.length)
    {
      global const IN *from = row + ((long) (begin - a.source) * CHANNELS + v);

      for (uint u = 0; u < n; u++)
        tile[u] = (float) from[u];
    }
  else
    for (uint u = 0; u < n; u++)
      tile[u] = row_value (row, v + u, begin, a);
  for (uint u = n; u < VALUES + more; u++)
    tile[u] = 0.0f;
}

#define LOAD_PRIVATE(q, p) load16 ((p) + 16 * (q))
#define SUM(LOAD, p, weights, count)                                                               \
  for (int t = 0; t < (count); t++)                                                                \
    {                                                                                              \
      float weight = (weights)[t];                                                                 \
                                                                                                   \
      UNROLL for (int q = 0; q < VECTORS; q++)                                                     \
        sum[q] += weight * LOAD (q, (p) + t * CHANNELS);                                           \
    }

kernel void
taps_vector_rows (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
           CapraTapsAxis a)
{
  uint v = (uint) get_global_id (0) * VALUES, width = (uint) a.n_result * CHANNELS;
  uint valid = min ((uint) VALUES, width - v);
  ulong y = get_global_id (1);
#ifdef REAL
  int begin = a.first + (int) (v / CHANNELS);
  int end = a.first + (int) ((v + VALUES - 1) / CHANNELS) + a.taps;
  bool inside = valid == VALUES && begin >= 0 && end <= a.length;
#endif
  float16 total[VECTORS], rest[VECTORS], sum[VECTORS];
  float tile[TILE];

  if (v >= width)
    return;
  in += y * a.n_source * CHANNELS;
  out += y * width + v;
  for (int q = 0; q < VECTORS; q++)
    total[q] = rest[q] = 0.0f;

  for (int k = 0; k < a.taps; k += TAPS_CHUNK)
    {
      int stop = min (k + TAPS_CHUNK, a.taps);

      UNROLL for (int q = 0; q < VECTORS; q++)
        sum[q] = 0.0f;
#ifdef REAL
      if (inside)
        {
          global const float *p = in + ((long) (a.first + k - a.source) * CHANNELS + v);

          SUM (vload16, p, w + k, stop - k)
        }
      else
#endif
        for (int s = k; s < stop; s += TILE_TAPS)
          {
            int count = min (TILE_TAPS, stop - s);

            load_tile (in, tile, v, valid, a.first + s, count, a);
            SUM (LOAD_PRIVATE, tile, w + s, count)
          }
      for (int q = 0; q < VECTORS; q++)
        ADD_CHUNK (float16, total[q], rest[q], sum[q])
    }

  if (valid == VALUES)
    for (int q = 0; q < VECTORS; q++)
      vstore16 (total[q] + a.offset, q, out);
  else
    {
      for (int q = 0; q < VECTORS; q++)
        vstore16 (total[q] + a.offset, q, tile);
      for (uint u = 0; u < valid; u++)
        out[u] = tile[u];
    }
}

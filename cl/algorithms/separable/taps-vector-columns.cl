/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y or z for CPUs; formula, layout and border: taps.clh. A work-item computes ROWS successive
 * outputs of VEC neighboring lines, and loads each input once for all of them.
 *
 * Dimensions: values within the pitch / VEC, outputs / ROWS, slabs. Macros: those of taps.clh, ROWS. */
#include "taps.clh"

#define VEC 16
#include "vectors.clh"

#define FOR_ROWS UNROLL for (int q = 0; q < ROWS; q++)

/* sum[q] += w[t - q] * input t, where all inputs are inside the image. */
static inline void
sum_inside (global const IN *restrict p, WEIGHTS const float *restrict w, int count, ulong pitch,
            floats_t *sum)
{
  int t = 0;

  UNROLL for (; t < ROWS - 1; t++, p += pitch)
    {
      floats_t v = LOAD (p);

      UNROLL for (int q = 0; q <= t; q++)
        sum[q] += w[t - q] * v;
    }
  for (; t < count; t++, p += pitch)
    {
      floats_t v = LOAD (p);

      FOR_ROWS sum[q] += w[t - q] * v;
    }
  UNROLL for (int s = 1; s < ROWS; s++, p += pitch)
    {
      floats_t v = LOAD (p);

      UNROLL for (int q = s; q < ROWS; q++)
        sum[q] += w[count - 1 + s - q] * v;
    }
}

/* The same for inputs at any position. */
static inline void
sum_anywhere (global const IN *restrict in, WEIGHTS const float *restrict w, int begin, int count,
              int rows, uint lines, ulong pitch, CapraTapsAxis a, floats_t *sum)
{
  for (int t = 0; t < count + rows - 1; t++)
    {
      int i = border_map (begin + t, a.length, a.border);

      if (i >= 0)
        {
          floats_t v = load_some (in + (ulong) (i - a.source) * pitch, lines);

          FOR_ROWS
            if (t >= q && t - q < count)
              sum[q] += w[t - q] * v;
        }
    }
}

kernel void
taps_vector_columns (global const IN *restrict in, global float *restrict out,
              WEIGHTS const float *restrict w, ulong pitch, CapraTapsAxis a)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int y = (int) get_global_id (1) * ROWS, rows = min (ROWS, a.n_result - y);
  uint lines = (uint) min (pitch - c, (ulong) VEC);
  floats_t total[ROWS], rest[ROWS], sum[ROWS];

  if (c >= pitch || rows <= 0)
    return;
  in += slab * a.n_source * pitch + c;
  out += (slab * a.n_result + y) * pitch + c;

  FOR_ROWS total[q] = rest[q] = 0.0f;
  for (int k = 0; k < a.taps; k += TAPS_CHUNK)
    {
      int count = min (TAPS_CHUNK, a.taps - k), begin = a.first + y + k;

      FOR_ROWS sum[q] = 0.0f;
      if (begin >= 0 && begin + count + ROWS - 1 <= a.length && count >= ROWS && rows == ROWS
          && lines == VEC)
        sum_inside (in + (long) (begin - a.source) * (long) pitch, w + k, count, pitch, sum);
      else
        sum_anywhere (in, w + k, begin, count, rows, lines, pitch, a, sum);
      FOR_ROWS ADD_CHUNK (floats_t, total[q], rest[q], sum[q])
    }
  FOR_ROWS
    if (q < rows)
      store_some (total[q] + a.offset, out + (ulong) q * pitch, lines);
}

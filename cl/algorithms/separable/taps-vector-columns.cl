/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y or z for CPUs; see taps.clh. Neighbours lie `pitch` values apart, and slabs of
 * pitch * n_source values follow each other. A work-item makes ROWS outputs below each other, for VEC
 * values side by side: each input is loaded once for all of them.
 *
 * Macros: those of taps.clh, ROWS. */
#include "taps.clh"

#define VEC 16

#define FOR_ROWS UNROLL for (int q = 0; q < ROWS; q++)

/* At most VEC values. */
static inline float16
load_some (global const IN *p, uint lanes)
{
  float values[VEC];

  if (lanes == VEC)
    return LOAD (p);
  for (uint l = 0; l < VEC; l++)
    values[l] = l < lanes ? (float) p[l] : 0.0f;
  return vload16 (0, values);
}

static inline void
store_some (float16 v, global float *p, uint lanes)
{
  float values[VEC];

  if (lanes == VEC)
    {
      vstore16 (v, 0, p);
      return;
    }
  vstore16 (v, 0, values);
  for (uint l = 0; l < lanes; l++)
    p[l] = values[l];
}

/* sum[q] += w[t - q] * input t, for all inputs that stand in the image: no questions asked. */
static inline void
sum_inside (global const IN *restrict p, WEIGHTS const float *restrict w, int count, ulong pitch,
            float16 *sum)
{
  int t = 0;

  UNROLL for (; t < ROWS - 1; t++, p += pitch)
    {
      float16 v = LOAD (p);

      UNROLL for (int q = 0; q <= t; q++)
        sum[q] += w[t - q] * v;
    }
  for (; t < count; t++, p += pitch)
    {
      float16 v = LOAD (p);

      FOR_ROWS sum[q] += w[t - q] * v;
    }
  UNROLL for (int s = 1; s < ROWS; s++, p += pitch)
    {
      float16 v = LOAD (p);

      UNROLL for (int q = s; q < ROWS; q++)
        sum[q] += w[count - 1 + s - q] * v;
    }
}

/* The same wherever the inputs stand. */
static inline void
sum_anywhere (global const IN *restrict in, WEIGHTS const float *restrict w, int begin, int count,
              int rows, uint lanes, ulong pitch, taps_t a, float16 *sum)
{
  for (int t = 0; t < count + rows - 1; t++)
    {
      int i = border_map (begin + t, a.length, a.border);

      if (i >= 0)
        {
          float16 v = load_some (in + (ulong) (i - a.source) * pitch, lanes);

          FOR_ROWS
            if (t >= q && t - q < count)
              sum[q] += w[t - q] * v;
        }
    }
}

/* Dimensions: values within the pitch, outputs, slabs. */
kernel void
taps_vector_columns (global const IN *restrict in, global float *restrict out,
              WEIGHTS const float *restrict w, ulong pitch, taps_t a)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int y = (int) get_global_id (1) * ROWS, rows = min (ROWS, a.n_result - y);
  uint lanes = (uint) min (pitch - c, (ulong) VEC);
  float16 total[ROWS], rest[ROWS], sum[ROWS];

  if (c >= pitch || rows <= 0)
    return;
  in += slab * a.n_source * pitch + c;
  out += (slab * a.n_result + y) * pitch + c;

  FOR_ROWS total[q] = rest[q] = 0.0f;
  for (int k = 0; k < a.taps; k += CHUNK)
    {
      int count = min (CHUNK, a.taps - k), begin = a.first + y + k;

      FOR_ROWS sum[q] = 0.0f;
      if (begin >= 0 && begin + count + ROWS - 1 <= a.length && count >= ROWS && rows == ROWS
          && lanes == VEC)
        sum_inside (in + (long) (begin - a.source) * (long) pitch, w + k, count, pitch, sum);
      else
        sum_anywhere (in, w + k, begin, count, rows, lanes, pitch, a, sum);
      FOR_ROWS ADD_CHUNK (float16, total[q], rest[q], sum[q])
    }
  FOR_ROWS
    if (q < rows)
      store_some (total[q] + a.offset, out + (ulong) q * pitch, lanes);
}

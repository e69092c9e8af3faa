/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* convolve-fft.clh for CPUs: a work-item transforms VEC columns or rows of two tiles at a time, as vectors.
 *
 * Dimensions: CHANNELS x tiles of a row, pairs of tiles of a column, planes. */
#define FFT64_UNROLL
typedef float16 real_t;
#include "convolve-fft.clh"
#include "convolve-fft-vector.clh"

/* VEC columns of outputs, directly from a tile's values from `from` on. */
static inline void
sum_directly (const float *from, constant float *restrict w, CapraDirect d, float16 *values)
{
  for (int y = 0; y < N + 1 - d.height; y++)
    {
      values[y] = 0.0f;
      for (int j = 0; j < d.height; j++)
        {
          float16 part = 0.0f;

          for (int i = 0; i < d.width; i++)
            part += w[j * d.width + i] * load16 (from + (y + j) * N + i);
          values[y] += part;
        }
    }
}

/* Transforms both tiles along x, multiplies them by the spectrum, and transforms them back along x. */
static inline void
transform_rows (float *a, float *b, global const float *restrict spectrum)
{
  float16 re[N], im[N];

  for (int r = 0; r < N; r += VEC, a += VEC * N, b += VEC * N)
    {
      for (int c = 0; c < N; c += VEC)
        {
          transpose16 (a + c, N, (float *) (re + c), VEC);
          transpose16 (b + c, N, (float *) (im + c), VEC);
        }
      fft64 (re, im, 8, 1);
      for (int i = 0; i < N; i++)
        {
          float16 c = vload16 (0, spectrum + i * N + r), s = vload16 (0, spectrum + (N + i) * N + r);
          float16 turned = re[i] * c - im[i] * s;

          im[i] = im[i] * c + re[i] * s;
          re[i] = turned;
        }
      fft64 (im, re, 1, 8);
      for (int c = 0; c < N; c += VEC)
        {
          transpose16 ((float *) (re + c), VEC, a + c, N);
          transpose16 ((float *) (im + c), VEC, b + c, N);
        }
    }
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
convolve_fft_vector (global const IN *restrict in, global float *restrict out,
                    global const float *restrict spectrum, constant float *restrict w, CapraDirect d, int skip_x,
                    int skip_y)
{
  int wide = N + 1 - d.width, high = N + 1 - d.height, c = (int) (get_group_id (0) % CHANNELS);
  int x = (int) (get_group_id (0) / CHANNELS) * wide, y = (int) get_group_id (1) * 2 * high;
  ulong plane = get_global_id (2), pitch = (ulong) (d.n_result_x - skip_x) * CHANNELS;
  int columns = min (wide, d.n_result_x - x), rows = d.n_result_y - y, left = skip_x - x, top = skip_y - y;
  /* A vector may begin in the last column; the values it reads past the end are not used. */
  float a[N * N + VEC], b[N * N + VEC];
  float16 re[N], im[N], all = 0.0f;
  bool direct;

  in += plane * d.n_source_y * d.n_source_x * CHANNELS;
  out += ((long) ((plane + d.plane) * (d.n_result_y - skip_y)) - top) * (long) pitch - (long) left * CHANNELS + c;
  for (int k = 0; k < N; k += VEC)
    {
      load_columns (in, x + k, y, c, d, re);
      load_columns (in, x + k, y + high, c, d, im);
      for (int j = 0; j < N; j++)
        all += fabs (re[j]) + fabs (im[j]);
      fft64 (re, im, 8, 1);
      store_tiles (re, im, a + k, b + k);
    }
  direct = !(dot (all.lo.lo + all.lo.hi + all.hi.lo + all.hi.hi, (float4) (1.0f)) <= LIMIT);
  if (!direct)
    transform_rows (a, b, spectrum);
  for (int k = 0; direct && k < N; k += VEC)
    {
      load_columns (in, x + k, y, c, d, re);
      load_columns (in, x + k, y + high, c, d, im);
      store_tiles (re, im, a + k, b + k);
    }

  for (int k = 0; k < columns; k += VEC)
    {
      if (direct)
        {
          sum_directly (a + k, w, d, re);
          sum_directly (b + k, w, d, im);
        }
      else
        {
          load_tiles (a + k, b + k, re, im);
          fft64 (im, re, 1, 8);
        }
      for (int j = 0; j < min (high, rows); j++)
        {
          if (j >= top)
            store_row (re[j] + d.offset, out + j * pitch + k * CHANNELS, left - k, columns - k);
          if (j + high >= top && j + high < rows)
            store_row (im[j] + d.offset, out + (j + high) * pitch + k * CHANNELS, left - k, columns - k);
        }
    }
}

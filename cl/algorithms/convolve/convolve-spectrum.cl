/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The spectrum of a matrix for convolve-fft.clh:
 *
 *     spectrum[i][j] = sum over y < height, x < width of w[y * width + x] * exp (2 pi i (fy * y + fx * x) / N) / N²
 *
 * where fx and fy are i and j with their octal digits swapped, the order in which fft64() leaves frequencies.
 * Layout: N x N real parts, then N x N imaginary parts. Dimensions: i, j. */
#include "convolve-params.h"

#define N FOURIER_TILE

/* exp (2 pi i k / N) */
static inline float2
turn (int k)
{
  return (float2) (cospi (k % N / 32.0f), sinpi (k % N / 32.0f));
}

static inline float2
times (float2 a, float2 b)
{
  return (float2) (a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

kernel __attribute__ ((reqd_work_group_size (N, 1, 1))) void
convolve_spectrum (global float *restrict spectrum, global const float *restrict w, int width, int height)
{
  int i = (int) get_local_id (0), j = (int) get_group_id (1);
  int fx = i % 8 * 8 + i / 8, fy = j % 8 * 8 + j / 8;
  float2 sum = 0.0f;
  local float weights[N * N];
  local float2 turns[N], columns[N];

  /* Each work-item sums a column of the matrix at the row's frequency. */
  for (int k = i; k < width * height; k += N)
    weights[k] = w[k];
  turns[i] = turn (i);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i < width)
    for (int y = 0; y < height; y++)
      sum += weights[y * width + i] * turns[fy * y % N];
  columns[i] = sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  sum = 0.0f;
  for (int x = 0; x < width; x++)
    sum += times (columns[x], turns[fx * x % N]);
  spectrum[i * N + j] = sum.x / (N * N);
  spectrum[(N + i) * N + j] = sum.y / (N * N);
}

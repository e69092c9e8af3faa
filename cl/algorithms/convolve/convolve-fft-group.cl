/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* convolve-fft.clh for GPUs: each of N work-items transforms a column of the tiles and then a row in registers,
 * multiplies the row by the spectrum, and transforms back.
 *
 * Dimensions: N x CHANNELS x tiles of a row, pairs of tiles of a column, planes. */
#define FFT64_UNROLL UNROLL
typedef float real_t;
#include "convolve-fft.clh"
#include "convolve-fft-group.clh"

/* A row, transformed, times the spectrum, and back. */
static inline void
filter_row (global const float *restrict spectrum, float *re, float *im)
{
  fft64 (re, im, 8, 1);
  UNROLL for (int i = 0; i < N; i++)
    {
      float c = spectrum[i * N], s = spectrum[(N + i) * N], turned = re[i] * c - im[i] * s;

      im[i] = im[i] * c + re[i] * s;
      re[i] = turned;
    }
  fft64 (im, re, 1, 8);
}

kernel __attribute__ ((reqd_work_group_size (N, 1, 1))) void
convolve_fft_group (global const IN *restrict in, global float *restrict out,
              global const float *restrict spectrum, constant float *restrict w, CapraDirect d, int skip_x, int skip_y)
{
  int l = (int) get_local_id (0), wide = N + 1 - d.width, high = N + 1 - d.height;
  int c = (int) (get_group_id (0) % CHANNELS);
  int x = (int) (get_group_id (0) / CHANNELS) * wide, y = (int) get_group_id (1) * 2 * high;
  int at = border_map (d.first_x + x + l, d.length_x, d.border) - d.source_x;
  int columns = d.n_result_x - x, rows = d.n_result_y - y, left = skip_x - x, top = skip_y - y;
  ulong plane = get_global_id (2), pitch = (ulong) (d.n_result_x - skip_x) * CHANNELS;
  float re[N], im[N], sum = 0.0f;
  local float2 tile[N * PITCH];
  local int direct;

  in += plane * d.n_source_y * d.n_source_x * CHANNELS;
  out += ((long) ((plane + d.plane) * (d.n_result_y - skip_y)) - top) * (long) pitch - (long) left * CHANNELS + c;
  at = (uint) at < (uint) d.n_source_x ? at * CHANNELS + c : -1;
  load_column (in, at, d.first_y + y, d, tile + l, re, im);

  if (l == 0)
    direct = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  UNROLL for (int j = 0; j < N; j++) sum += fabs (re[j]) + fabs (im[j]);
  if (!(sum <= LIMIT))
    direct = 1;
  barrier (CLK_LOCAL_MEM_FENCE);

  /* All work-items reach the same barriers, whatever the tile contains. */
  if (!direct)
    fft64 (re, im, 8, 1);
  write_tile (tile + l, PITCH, re, im);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (!direct)
    {
      read_tile (tile + l * PITCH, 1, re, im);
      filter_row (spectrum + l, re, im);
      write_tile (tile + l * PITCH, 1, re, im);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (direct)
    sum_directly (tile, w, out, pitch, left, columns, top, rows, d);
  else if (l >= left && l < min (wide, columns))
    {
      read_tile (tile + l, PITCH, re, im);
      fft64 (im, re, 1, 8);
      UNROLL for (int j = 0; j < N; j++)
        {
          if (j >= top && j < min (high, rows))
            PUT (out[j * pitch + l * CHANNELS], re[j] + d.offset);
          if (j + high >= top && j < min (high, rows - high))
            PUT (out[(j + high) * pitch + l * CHANNELS], im[j] + d.offset);
        }
    }
}

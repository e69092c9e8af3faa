/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution with a small matrix, strides of 1, for GPUs: a work-item makes 4 values side by side in ROWS rows,
 * with the weights as immediate operands; see convolve.clh.
 *
 * Dimensions: work-items along a row, across rows, planes. Macros: those of convolve-quad.clh, ROWS, GROUP_X and
 * GROUP_Y (the group's size). */
#include "convolve-quad.clh"

#define QUADS ((SHIFT + 4 + (WIDTH - 1) * CHANNELS + 3) / 4)

typedef struct {
  float at[WIDTH * HEIGHT];
} weights_t;

/* sum[q] += the matrix' row t - q over a row of values. */
static inline void
add_row (const float *values, int t, const weights_t *w, float (*sum)[4])
{
  UNROLL for (int q = 0; q < ROWS; q++)
    if (t >= q && t - q < HEIGHT)
      UNROLL for (int i = 0; i < WIDTH; i++)
        UNROLL for (int e = 0; e < 4; e++)
          sum[q][e] += w->at[(t - q) * WIDTH + i] * values[SHIFT + i * CHANNELS + e];
}

/* A row's values for the outputs from value v on; beyond the last ones, anything. */
static inline void
load_mapped (global const IN *row, int v, int width, direct_t d, float *values)
{
  UNROLL for (int u = 0; u < 4 + (WIDTH - 1) * CHANNELS; u++)
    values[SHIFT + u] = v + u < width + (WIDTH - 1) * CHANNELS
                          ? value_at (row, d.first_x + (v + u) / CHANNELS, (v + u) % CHANNELS, d) : 0.0f;
}

kernel __attribute__ ((reqd_work_group_size (GROUP_X, GROUP_Y, 1))) void
convolve_small (global const IN *restrict in, global float *restrict out, weights_t w, direct_t d)
{
  int v = (int) get_global_id (0) * 4, y = (int) get_global_id (1) * ROWS;
  int width = d.n_result_x * CHANNELS, pitch = d.n_source_x * CHANNELS;
  int from = (d.first_x - d.source_x) * CHANNELS - SHIFT + v, row = d.first_y + y - d.source_y;
  float sum[ROWS][4], values[4 * QUADS];

  if (v >= width || y >= d.n_result_y)
    return;
  in += get_global_id (2) * d.n_source_y * pitch;
  out += (get_global_id (2) + d.plane) * d.n_result_y * width;
  UNROLL for (int q = 0; q < ROWS; q++)
    UNROLL for (int e = 0; e < 4; e++) sum[q][e] = 0.0f;

  if (from >= 0 && from + 4 * QUADS <= pitch && row >= 0
      && row + HEIGHT + ROWS - 1 <= d.n_source_y)
    {
      global const IN *p = in + (ulong) row * pitch + from;

      UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++, p += pitch)
        {
          UNROLL for (int u = 0; u < QUADS; u++)
            vstore4 (LOAD_QUAD (p + 4 * u), u, values);
          add_row (values, t, &w, sum);
        }
    }
  else
    UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++)
      {
        int i = border_map (d.first_y + y + t, d.length_y, d.border) - d.source_y;

        if ((uint) i < (uint) d.n_source_y)
          {
            load_mapped (in + (ulong) i * pitch, v, width, d, values);
            add_row (values, t, &w, sum);
          }
      }
  UNROLL for (int q = 0; q < ROWS; q++)
    if (y + q < d.n_result_y)
      store_quad (vload4 (0, sum[q]) + d.offset, out + (ulong) (y + q) * width, (uint) v, (uint) width);
}

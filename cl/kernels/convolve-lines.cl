/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution with a column times a row of weights, strides of 1, for GPUs; see convolve.clh. A group sums COLUMNS
 * values of TALL rows along y, from the image into local memory, and sums those along x.
 *
 * Dimensions: GROUP x groups along a row, groups across rows, planes. Macros: those of convolve-quad.clh. */
#include "convolve-quad.clh"

#define GROUP 256
#define COLUMNS 128
#define ROWS 8
#define TALL (GROUP / (COLUMNS / 4) * ROWS)
/* Outputs of a group's row, and their number by fours. */
#define CELLS ((COLUMNS - SHIFT - (WIDTH - 1) * CHANNELS) / 4 * 4)
#define QUADS (CELLS / 4)
#define WINDOW ((SHIFT + 4 + (WIDTH - 1) * CHANNELS + 3) / 4)

typedef struct {
  float y[HEIGHT], x[WIDTH];
} weights_t;

/* The sums along y of four values of ROWS rows, from the row at position y on. */
static inline void
sum_along_y (global const IN *restrict in, int from, int y, direct_t d, const weights_t *w, float4 *sum)
{
  int pitch = d.n_source_x * CHANNELS, row = y - d.source_y, at[4];

  UNROLL for (int q = 0; q < ROWS; q++) sum[q] = 0.0f;
  if (from >= 0 && from + 4 <= pitch && row >= 0 && row + HEIGHT + ROWS - 1 <= d.n_source_y)
    {
      global const IN *p = in + (ulong) row * pitch + from;

      UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++, p += pitch)
        {
          float4 quad = LOAD_QUAD (p);

          UNROLL for (int q = 0; q < ROWS; q++)
            if (t >= q && t - q < HEIGHT)
              sum[q] += w->y[t - q] * quad;
        }
      return;
    }

  UNROLL for (int e = 0; e < 4; e++)
    {
      /* Towards minus infinity, for values before the first one. */
      int v = from + e + d.source_x * CHANNELS, x = v >= 0 ? v / CHANNELS : (v + 1) / CHANNELS - 1;
      int i = border_map (x, d.length_x, d.border) - d.source_x;

      at[e] = (uint) i < (uint) d.n_source_x ? i * CHANNELS + v - x * CHANNELS : -1;
    }
  UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++)
    {
      int i = border_map (y + t, d.length_y, d.border) - d.source_y;

      if ((uint) i < (uint) d.n_source_y)
        {
          global const IN *p = in + (ulong) i * pitch;
          float4 quad = (float4) (at[0] < 0 ? 0.0f : (float) p[at[0]], at[1] < 0 ? 0.0f : (float) p[at[1]],
                                  at[2] < 0 ? 0.0f : (float) p[at[2]], at[3] < 0 ? 0.0f : (float) p[at[3]]);

          UNROLL for (int q = 0; q < ROWS; q++)
            if (t >= q && t - q < HEIGHT)
              sum[q] += w->y[t - q] * quad;
        }
    }
}

static inline float4
sum_along_x (local const float *from, const weights_t *w)
{
  float window[4 * WINDOW], sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

  UNROLL for (int u = 0; u < WINDOW; u++)
    vstore4 (*(local const float4 *) (from + 4 * u), u, window);
  UNROLL for (int i = 0; i < WIDTH; i++)
    UNROLL for (int e = 0; e < 4; e++) sum[e] += w->x[i] * window[SHIFT + i * CHANNELS + e];
  return vload4 (0, sum);
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
convolve_lines (global const IN *restrict in, global float *restrict out, weights_t w, direct_t d)
{
  int l = (int) get_local_id (0), v = (int) get_group_id (0) * CELLS, y = (int) get_group_id (1) * TALL;
  int column = l % (COLUMNS / 4) * 4, row = l / (COLUMNS / 4) * ROWS, width = d.n_result_x * CHANNELS;
  local float tile[TALL * COLUMNS] __attribute__ ((aligned (16)));
  float4 sum[ROWS];

  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  out += (get_global_id (2) + d.plane) * d.n_result_y * width;
  sum_along_y (in, (d.first_x - d.source_x) * CHANNELS - SHIFT + v + column, d.first_y + y + row, d, &w, sum);
  UNROLL for (int q = 0; q < ROWS; q++) *(local float4 *) (tile + (row + q) * COLUMNS + column) = sum[q];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int o = l; o < TALL * QUADS; o += GROUP)
    {
      int j = y + o / QUADS, at = v + o % QUADS * 4;

      if (j < d.n_result_y && at < width)
        store_quad (sum_along_x (tile + o / QUADS * COLUMNS + o % QUADS * 4, &w) + d.offset,
                    out + (ulong) j * width, (uint) at, (uint) width);
    }
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a small matrix and strides of 1, for GPUs; formula, layout and border: convolve.clh. A work-item
 * computes a quad of values in ROWS rows; the weights are kernel arguments, which become operands of instructions.
 *
 * Dimensions: quads of a row, rows / ROWS, planes. Macros: those of convolve-quad.clh, ROWS, GROUP_X and
 * GROUP_Y (the group's size). */
#include "convolve-quad.clh"
#include "group-order.clh"

/* Values of a row that a work-item needs, and the quads that hold them. */
#define NEED (4 + (WIDTH - 1) * CHANNELS)
#define QUADS ((SHIFT + NEED + 3) / 4)

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

/* Where all inputs of the work-item are inside the image; they begin at p. */
static inline void
sum_inside (global const IN *p, int pitch, const weights_t *w, float (*sum)[4])
{
  float values[4 * QUADS];

  UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++, p += pitch)
    {
      UNROLL for (int u = 0; u < QUADS; u++)
        vstore4 (LOAD_QUAD (p + 4 * u), u, values);
      add_row (values, t, w, sum);
    }
}

/* At any position: for outputs from value v of row y on. Columns are mapped once for all rows. */
static inline void
sum_mapped (global const IN *in, int v, int y, int width, CapraDirect d, const weights_t *w, float (*sum)[4])
{
  float values[4 * QUADS];
  int at[NEED];

  UNROLL for (int u = 0; u < NEED; u++)
    {
      int x = border_map (d.first_x + (v + u) / CHANNELS, d.length_x, d.border);
      bool needed = x >= 0 && v + u < width + (WIDTH - 1) * CHANNELS;

      at[u] = needed ? (x - d.source_x) * CHANNELS + (v + u) % CHANNELS : -1;
    }
  UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++)
    {
      int i = border_map (d.first_y + y + t, d.length_y, d.border) - d.source_y;

      bool held = (uint) i < (uint) d.n_source_y;
      global const IN *p = in + (ulong) (held ? i : 0) * d.n_source_x * CHANNELS;

      /* A conditional load: unconditional ones, followed by a selection, would take registers from sum_inside(). */
      UNROLL for (int u = 0; u < NEED; u++)
        {
          values[SHIFT + u] = 0.0f;
          if (held && at[u] >= 0)
            values[SHIFT + u] = (float) p[at[u]];
        }
      add_row (values, t, w, sum);
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP_X, GROUP_Y, 1))) void
convolve_small (global const IN *restrict in, global float *restrict out, weights_t w, CapraDirect d)
{
  int2 group = group_position ();
  int v = (group.x * GROUP_X + (int) get_local_id (0)) * 4, y = (group.y * GROUP_Y + (int) get_local_id (1)) * ROWS;
  int width = d.n_result_x * CHANNELS, pitch = d.n_source_x * CHANNELS;
  int from = (d.first_x - d.source_x) * CHANNELS - SHIFT + v, row = d.first_y + y - d.source_y;
  float sum[ROWS][4];

  if (v >= width || y >= d.n_result_y)
    return;
  in += get_global_id (2) * d.n_source_y * pitch;
  out += (get_global_id (2) + d.plane) * d.n_result_y * width;
  UNROLL for (int q = 0; q < ROWS; q++)
    UNROLL for (int e = 0; e < 4; e++) sum[q][e] = 0.0f;

  if (from >= 0 && from + 4 * QUADS <= pitch && row >= 0 && row + HEIGHT + ROWS - 1 <= d.n_source_y)
    sum_inside (in + (ulong) row * pitch + from, pitch, &w, sum);
  else
    sum_mapped (in, v, y, width, d, &w, sum);
  UNROLL for (int q = 0; q < ROWS; q++)
    if (y + q < d.n_result_y)
      store_quad (vload4 (0, sum[q]) + d.offset, out + (ulong) (y + q) * width, (uint) v, (uint) width);
}

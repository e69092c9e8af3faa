/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a column times a row of weights, strides of 1, for GPUs; see convolve.clh. A group sums COLUMNS
 * values of TALL rows along y, from the image into local memory, and sums those along x.
 *
 * Dimensions: GROUP x groups along a row, groups across rows, planes. Macros: those of convolve-quad.clh, GROUP,
 * COLUMNS (a divisor of 4 GROUP), ROWS (that a work-item sums along y), RUN (fours that it sums along x at a time),
 * PADDED (the kernel is built for more weights than the nx and ny in `own`, those of x first; padded.clh). */
#include "convolve-quad.clh"
#include "group-order.clh"
#ifdef PADDED
#include "padded.clh"
#endif

#define TALL (GROUP / (COLUMNS / 4) * ROWS)
/* Outputs of a group's row, and their number by runs. */
#define CELLS ((COLUMNS - SHIFT - (WIDTH - 1) * CHANNELS) / (4 * RUN) * (4 * RUN))
#define RUNS (CELLS / (4 * RUN))
#define WINDOW ((SHIFT + 4 * RUN + (WIDTH - 1) * CHANNELS + 3) / 4)
/* A row in local memory: every RUN-th four lies side by side, so that neighbours find theirs in different banks; those
 * begin so far apart that this also holds for neighbouring fours. */
#define APART (COLUMNS / 4 / RUN + (RUN > 1 ? 8 / RUN : 0))
#define PITCH (APART * RUN * 4)
#define AT(quad) (((quad) % RUN * APART + (quad) / RUN) * 4)

typedef struct {
  float y[HEIGHT], x[WIDTH];
} weights_t;

/* sum[q] += the column's weight t - q times four values. */
static inline void
add_quad (float4 quad, int t, const weights_t *w, float4 *sum)
{
  UNROLL for (int q = 0; q < ROWS; q++)
    if (t >= q && t - q < HEIGHT)
      sum[q] += w->y[t - q] * quad;
}

/* Where all that a group needs lies in the input, from `p` on. */
static inline void
sum_inside (global const IN *p, int pitch, const weights_t *w, float4 *sum)
{
  UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++, p += pitch)
    add_quad (LOAD_QUAD (p), t, w, sum);
}

/* Anywhere, from value `from` of what the input holds of the row at position y on: columns are mapped once. */
static inline void
sum_mapped (global const IN *in, int from, int y, direct_t d, const weights_t *w, float4 *sum)
{
  int at[4];

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
          global const IN *p = in + (ulong) i * d.n_source_x * CHANNELS;

          add_quad ((float4) (at[0] < 0 ? 0.0f : (float) p[at[0]], at[1] < 0 ? 0.0f : (float) p[at[1]],
                              at[2] < 0 ? 0.0f : (float) p[at[2]], at[3] < 0 ? 0.0f : (float) p[at[3]]), t, w, sum);
        }
    }
}

/* The sums along y of a work-item's four of ROWS rows, in a group whose inputs begin at value `left` of row `top`. */
static inline void
sum_along_y (global const IN *in, int left, int quad, int top, int row, direct_t d, const weights_t *w, float4 *sum)
{
  int pitch = d.n_source_x * CHANNELS, from = left + 4 * quad;
  bool inside = left >= 0 && left + COLUMNS <= pitch && top >= 0 && top + TALL + HEIGHT - 1 <= d.n_source_y;

  UNROLL for (int q = 0; q < ROWS; q++) sum[q] = 0.0f;
  if (inside)
    sum_inside (in + (ulong) (top + row) * pitch + from, pitch, w, sum);
  else
    sum_mapped (in, from, top + row + d.source_y, d, w, sum);
}

/* Four times RUN values side by side. */
static inline void
sum_along_x (local const float *from, const weights_t *w, float *sum)
{
  UNROLL for (int e = 0; e < 4 * RUN; e++) sum[e] = 0.0f;
  UNROLL for (int u = 0; u < WINDOW; u++)
    {
      float values[4];

      vstore4 (*(local const float4 *) (from + AT (u)), 0, values);
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int e = 0; e < 4 * RUN; e++)
          {
            int k = 4 * u + c - SHIFT - e;

            if (k >= 0 && k % CHANNELS == 0 && k / CHANNELS < WIDTH)
              sum[e] += w->x[k / CHANNELS] * values[c];
          }
    }
}

#ifdef PADDED
/* Output `value` of row j, from value 0 of the plane's input on. */
static inline float
sum_value_again (global const IN *in, int value, int j, direct_t d, constant float *own, int nx, int ny)
{
  ulong pitch = (ulong) d.n_source_x * CHANNELS;
  line_t x = { d.first_x + (WIDTH - nx) / 2 + value / CHANNELS, nx, d.length_x, d.source_x, d.n_source_x, d.border,
               CHANNELS };
  line_t y = { d.first_y + (HEIGHT - ny) / 2 + j, ny, d.length_y, d.source_y, d.n_source_y, d.border, pitch };

  return sum_again (in + value % CHANNELS, x, own, y, own + nx) + d.offset;
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
convolve_separable (global const IN *restrict in, global float *restrict out, weights_t w, direct_t d
#ifdef PADDED
                , constant float *own, int nx, int ny
#endif
)
{
  int2 place = group_place ();
  int l = (int) get_local_id (0), v = place.x * CELLS, y = place.y * TALL;
  int quad = l % (COLUMNS / 4), row = l / (COLUMNS / 4) * ROWS;
  int width = d.n_result_x * CHANNELS, pitch = d.n_source_x * CHANNELS;
  int left = (d.first_x - d.source_x) * CHANNELS - SHIFT + v, top = d.first_y - d.source_y + y;
  local float tile[TALL * PITCH] __attribute__ ((aligned (16)));
  float4 sum[ROWS];
#ifdef PADDED
  float4 spoilt = 0.0f;
#endif

  in += get_global_id (2) * d.n_source_y * pitch;
  out += (get_global_id (2) + d.plane) * d.n_result_y * width;
  sum_along_y (in, left, quad, top, row, d, &w, sum);
  UNROLL for (int q = 0; q < ROWS; q++) *(local float4 *) (tile + (row + q) * PITCH + AT (quad)) = sum[q];
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int o = l; o < TALL * RUNS; o += GROUP)
    {
      int j = y + o / RUNS, at = v + o % RUNS * 4 * RUN;
      float sums[4 * RUN];

      if (j < d.n_result_y && at < width)
        {
          sum_along_x (tile + o / RUNS * PITCH + o % RUNS * 4, &w, sums);
#ifdef PADDED
          UNROLL for (int q = 0; q < RUN; q++) spoilt += 0.0f * vload4 (q, sums);
#endif
          UNROLL for (int q = 0; q < RUN; q++)
            if (at + 4 * q < width)
              store_quad (vload4 (q, sums) + d.offset, out + (ulong) j * width, (uint) (at + 4 * q), (uint) width);
        }
    }
#ifdef PADDED
  if (dot (spoilt, (float4) (1.0f)) != 0.0f)
    for (int o = l; o < TALL * RUNS; o += GROUP)
      {
        int j = y + o / RUNS, at = v + o % RUNS * 4 * RUN;

        for (int i = at; j < d.n_result_y && i < min (at + 4 * RUN, width); i++)
          if (!IS_FINITE (out[(ulong) j * width + i]))
            out[(ulong) j * width + i] = sum_value_again (in, i, j, d, own, nx, ny);
      }
#endif
}

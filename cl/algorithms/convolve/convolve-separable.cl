/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a separable matrix (a column times a row of weights) and strides of 1, for GPUs; formula, layout and
 * border: convolve.clh. A group sums COLUMNS values of HIGH rows along y, from the image into local memory, and sums
 * these along x.
 *
 * Dimensions: GROUP x groups along a row, groups across rows, planes. Assumption: COLUMNS divides 4 GROUP.
 * Macros: those of convolve-quad.clh, GROUP, COLUMNS, ROWS (that a work-item sums along y), RUN (quads that it sums
 * along x at a time), PADDED (the kernel is built for more weights than there are: `own` holds the nx weights of x
 * and the ny weights of y without padding; see padded.clh). */
#include "convolve-separable.clh"
#include "group-order.clh"
#ifdef PADDED
#include "padded.clh"

/* Output `value` of row j, summed again without padding; `in` is the plane's first value. */
static inline float
sum_value_again (global const IN *in, int value, int j, CapraDirect d, constant float *own, int nx, int ny)
{
  ulong pitch = (ulong) d.n_source_x * CHANNELS;
  line_t x = { d.first_x + (WIDTH - nx) / 2 + value / CHANNELS, nx, d.length_x, d.source_x, d.n_source_x, d.border,
               CHANNELS };
  line_t y = { d.first_y + (HEIGHT - ny) / 2 + j, ny, d.length_y, d.source_y, d.n_source_y, d.border, pitch };

  return sum_again (in, value % CHANNELS, x, own, y, own + nx, 0) + d.offset;
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
convolve_separable (global const IN *restrict in, global float *restrict out, weights_t w, CapraDirect d
#ifdef PADDED
                , constant float *own, int nx, int ny
#endif
)
{
  int2 group = group_position ();
  int l = (int) get_local_id (0), v = group.x * OUTPUTS, y = group.y * HIGH;
  int quad = l % (COLUMNS / 4), row = l / (COLUMNS / 4) * ROWS;
  int width = d.n_result_x * CHANNELS, pitch = d.n_source_x * CHANNELS;
  int left = (d.first_x - d.source_x) * CHANNELS - SHIFT + v, top = d.first_y - d.source_y + y;
  local float tile[HIGH * PITCH] __attribute__ ((aligned (16)));
  float4 sum[ROWS];
#ifdef PADDED
  uint4 largest = 0;
#endif

  in += get_global_id (2) * d.n_source_y * pitch;
  out += (get_global_id (2) + d.plane) * d.n_result_y * width;
  sum_along_y (in, left, quad, top, row, d, &w, sum);
  UNROLL for (int q = 0; q < ROWS; q++) *(local float4 *) (tile + (row + q) * PITCH + AT (quad)) = sum[q];
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int o = l; o < HIGH * RUNS; o += GROUP)
    {
      int j = y + o / RUNS, at = v + o % RUNS * 4 * RUN;
      float sums[4 * RUN];

      if (j < d.n_result_y && at < width)
        {
          sum_along_x (tile + o / RUNS * PITCH + o % RUNS * 4, &w, sums);
#ifdef PADDED
          UNROLL for (int q = 0; q < RUN; q++) largest = max (largest, MAGNITUDE (vload4 (q, sums), uint4));
#endif
          UNROLL for (int q = 0; q < RUN; q++)
            if (at + 4 * q < width)
              store_quad (vload4 (q, sums) + d.offset, out + (ulong) j * width, (uint) (at + 4 * q), (uint) width);
        }
    }
#ifdef PADDED
  if (!is_finite (largest_of (largest)))
    for (int o = l; o < HIGH * RUNS; o += GROUP)
      {
        int j = y + o / RUNS, at = v + o % RUNS * 4 * RUN;

        for (int i = at; j < d.n_result_y && i < min (at + 4 * RUN, width); i++)
          if (!IS_FINITE (out[(ulong) j * width + i]))
            out[(ulong) j * width + i] = sum_value_again (in, i, j, d, own, nx, ny);
      }
#endif
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with `count` small matrices of one size at any stride; formula, layout and border: convolve.clh. A
 * work-item holds the inputs of VEC neighboring values in ROWS rows and sums them with each matrix in turn. The planes
 * of a matrix' results follow those of the previous matrix; the weights of matrix m begin at w + m * WIDTH * HEIGHT.
 *
 * Dimensions: values of a row / VEC, rows / ROWS, planes. Macros: those of convolve.clh, WIDTH, HEIGHT, VEC (1 or 16),
 * ROWS. */
#include "convolve.clh"
#include "load.clh"
#include "vectors.clh"

#if VEC == 16
#define PACK(values) load16 (values)
#else
#define PACK(values) (*(values))
#endif

/* The inputs of VEC outputs from value v on; the last `missing` outputs are past the row's end. */
static inline void
load_values (global const IN *restrict in, int v, int y, int missing, CapraDirect d, floats_t *values)
{
  int x = d.first_x + v / CHANNELS * d.stride_x, end = d.first_x + (v + VEC - 1) / CHANNELS * d.stride_x + WIDTH;
  bool inside = missing == 0 && x >= 0 && end <= d.length_x;

  UNROLL for (int j = 0; j < HEIGHT; j++)
    {
      global const IN *row = row_at (in, y + j, d);
      long first = (long) (d.first_x - d.source_x) * CHANNELS + v; /* with a stride of 1 */

      if (row && inside && d.stride_x == 1)
        UNROLL for (int i = 0; i < WIDTH; i++) values[j * WIDTH + i] = LOAD (row + first + i * CHANNELS);
      else
        UNROLL for (int i = 0; i < WIDTH; i++)
          {
            float lanes[VEC];

            for (int e = 0; e < VEC; e++)
              lanes[e] = row && e < VEC - missing
                           ? value_at (row, d.first_x + (v + e) / CHANNELS * d.stride_x + i, (v + e) % CHANNELS, d)
                           : 0.0f;
            values[j * WIDTH + i] = PACK (lanes);
          }
    }
}

kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
convolve_many (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
               CapraDirect d, int count)
{
  int v = (int) get_global_id (0) * VEC, y = (int) get_global_id (1) * ROWS, row_values = d.n_result_x * CHANNELS;
  int missing = max (v + VEC - row_values, 0);
  ulong step = (ulong) get_global_size (2) * d.n_result_y * row_values;
  floats_t values[ROWS][WIDTH * HEIGHT];

  if (v >= row_values)
    return;
  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  out += (get_global_id (2) * d.n_result_y + y) * row_values + v;
  /* Rows past the end repeat the last one and are not stored. */
  UNROLL for (int q = 0; q < ROWS; q++)
    load_values (in, v, d.first_y + min (y + q, d.n_result_y - 1) * d.stride_y, missing, d, values[q]);
  for (int m = 0; m < count; m++, w += WIDTH * HEIGHT, out += step)
    UNROLL for (int q = 0; q < ROWS; q++)
      {
        floats_t sum = 0.0f;

        UNROLL for (int k = 0; k < WIDTH * HEIGHT; k++) sum += w[k] * values[q][k];
        if (y + q < d.n_result_y)
          store_some (sum + d.offset, out + q * row_values, (uint) (VEC - missing));
      }
}

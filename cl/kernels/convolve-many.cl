/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution with `count` small matrices of one size at any stride: a work-item holds the inputs of ROWS values
 * below each other, and sums them with one matrix after the other; see convolve.clh. The planes of a matrix'
 * results follow those of the matrix before; the weights of matrix m begin at w + m * WIDTH * HEIGHT.
 *
 * Dimensions: values of a row, across rows, planes. Macros: those of convolve.clh, WIDTH, HEIGHT, ROWS. */
#include "convolve.clh"

#define UNROLL _Pragma ("unroll")

/* The inputs of one output. */
static inline void
load_values (global const IN *restrict in, int x, int y, int c, direct_t d, float *values)
{
  bool inside = x >= 0 && x + WIDTH <= d.length_x;

  UNROLL for (int j = 0; j < HEIGHT; j++)
    {
      global const IN *row = row_at (in, y + j, d);

      UNROLL for (int i = 0; i < WIDTH; i++)
        values[j * WIDTH + i] = !row ? 0.0f
                                : inside ? (float) row[(ulong) (x + i - d.source_x) * CHANNELS + c]
                                         : value_at (row, x + i, c, d);
    }
}

kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
convolve_many (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
               direct_t d, int count)
{
  int v = (int) get_global_id (0), y = (int) get_global_id (1) * ROWS, row_values = d.n_result_x * CHANNELS;
  ulong step = (ulong) get_global_size (2) * d.n_result_y * row_values;
  float values[ROWS][WIDTH * HEIGHT];

  if (v >= row_values)
    return;
  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  out += (get_global_id (2) * d.n_result_y + y) * row_values + v;
  /* Rows beyond the last one are as that, and not stored. */
  UNROLL for (int q = 0; q < ROWS; q++)
    load_values (in, d.first_x + v / CHANNELS * d.stride_x,
                 d.first_y + min (y + q, d.n_result_y - 1) * d.stride_y, v % CHANNELS, d, values[q]);
  for (int m = 0; m < count; m++, w += WIDTH * HEIGHT, out += step)
    UNROLL for (int q = 0; q < ROWS; q++)
      {
        float sum = 0.0f;

        UNROLL for (int k = 0; k < WIDTH * HEIGHT; k++) sum += w[k] * values[q][k];
        if (y + q < d.n_result_y)
          out[q * row_values] = sum + d.offset;
      }
}

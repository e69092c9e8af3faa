/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with `count` small matrices of one size at any stride: a work-item holds the inputs of VEC values side
 * by side in ROWS rows, and sums them with one matrix after the other; see convolve.clh. The planes of a matrix'
 * results follow those of the matrix before; the weights of matrix m begin at w + m * WIDTH * HEIGHT.
 *
 * Dimensions: work-items along a row, across rows, planes. Macros: those of convolve.clh, WIDTH, HEIGHT, VEC (1 or,
 * for CPUs, 16), ROWS. */
#include "convolve.clh"
#include "load.clh"

#if VEC == 16
typedef float16 floats_t;
#define PACK(values) load16 (values)
#else
typedef float floats_t;
#define PACK(values) (*(values))
#endif

/* The inputs of VEC outputs from value v on, of which the last `missing` are not wanted. */
static inline void
load_values (global const IN *restrict in, int v, int y, int missing, direct_t d, floats_t *values)
{
  UNROLL for (int j = 0; j < HEIGHT; j++)
    {
      global const IN *row = row_at (in, y + j, d);

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

static inline void
store_values (floats_t values, global float *to, int missing)
{
#if VEC == 16
  float lanes[VEC];

  if (missing == 0)
    {
      vstore16 (values, 0, to);
      return;
    }
  vstore16 (values, 0, lanes);
  for (int e = 0; e < VEC - missing; e++)
    to[e] = lanes[e];
#else
  *to = values;
#endif
}

kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
convolve_many (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
               direct_t d, int count)
{
  int v = (int) get_global_id (0) * VEC, y = (int) get_global_id (1) * ROWS, row_values = d.n_result_x * CHANNELS;
  int missing = max (v + VEC - row_values, 0);
  ulong step = (ulong) get_global_size (2) * d.n_result_y * row_values;
  floats_t values[ROWS][WIDTH * HEIGHT];

  if (v >= row_values)
    return;
  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  out += (get_global_id (2) * d.n_result_y + y) * row_values + v;
  /* Rows beyond the last one are as that, and not stored. */
  UNROLL for (int q = 0; q < ROWS; q++)
    load_values (in, v, d.first_y + min (y + q, d.n_result_y - 1) * d.stride_y, missing, d, values[q]);
  for (int m = 0; m < count; m++, w += WIDTH * HEIGHT, out += step)
    UNROLL for (int q = 0; q < ROWS; q++)
      {
        floats_t sum = 0.0f;

        UNROLL for (int k = 0; k < WIDTH * HEIGHT; k++) sum += w[k] * values[q][k];
        if (y + q < d.n_result_y)
          store_values (sum + d.offset, out + q * row_values, missing);
      }
}

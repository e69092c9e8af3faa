/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a matrix and strides of 1; formula, layout and border: convolve.clh. A work-item computes VEC
 * neighboring values of ROWS successive rows.
 *
 * Dimensions: values of a row / VEC, rows / ROWS, planes. Macros: those of convolve.clh, VEC (1 or 16), ROWS; WIDTH and
 * HEIGHT for small matrices, so that all loops over them are unrolled. */
#include "convolve.clh"
#include "vectors.clh"
#include "load.clh"

/* Weights of a row that are processed at a time. */
#define PART 32
#define TILE (VEC + (PART - 1) * CHANNELS)

/* Whether a chunk ends between the weights numbered `from` and `to`. Depends on the matrix alone, so that every output
 * is summed in the same order. */
#define ENDS_CHUNK(from, to) ((from) / CONVOLVE_CHUNK != (to) / CONVOLVE_CHUNK)

/* sum[q] += row q of the matrix' part at w + (t - q) * width, over the values that FETCH returns. */
#define ADD_ROW(FETCH)                                                                             \
  if (t >= ROWS - 1 && t < d.height)                                                               \
    for (int i = 0; i < n; i++)                                                                    \
      {                                                                                            \
        floats_t value = FETCH;                                                                    \
                                                                                                   \
        UNROLL for (int q = 0; q < ROWS; q++)                                                      \
          sum[q] += w[(t - q) * d.width + k + i] * value;                                            \
      }                                                                                            \
  else                                                                                             \
    UNROLL for (int q = 0; q < ROWS; q++)                                                          \
      if (t >= q && t - q < d.height)                                                              \
        for (int i = 0; i < n; i++)                                                                \
          sum[q] += w[(t - q) * d.width + k + i] * FETCH;

#ifdef WIDTH
/* The ROWS sums of a small matrix, where all inputs are inside the image. */
static inline void
sum_small (global const IN *restrict in, WEIGHTS const float *restrict w, CapraDirect d, floats_t *sum)
{
  ulong pitch = (ulong) d.n_source_x * CHANNELS;

  UNROLL for (int t = 0; t < HEIGHT + ROWS - 1; t++, in += pitch)
    UNROLL for (int i = 0; i < WIDTH; i++)
      {
        floats_t value = LOAD (in + i * CHANNELS);

        UNROLL for (int q = 0; q < ROWS; q++)
          if (t >= q && t - q < HEIGHT)
            sum[q] += w[(t - q) * WIDTH + i] * value;
      }
}
#endif

kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
convolve (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
          CapraDirect d)
{
  uint v = (uint) get_global_id (0) * VEC, row_values = (uint) d.n_result_x * CHANNELS;
  int y = (int) get_global_id (1) * ROWS, rows = min (ROWS, d.n_result_y - y);
  int begin = d.first_x + (int) (v / CHANNELS);
  int end = d.first_x + (int) ((v + VEC - 1) / CHANNELS) + d.width;
  bool whole = v + VEC <= row_values, inside = whole && begin >= 0 && end <= d.length_x;
  floats_t total[ROWS], rest[ROWS], sum[ROWS];

  if (v >= row_values || rows <= 0)
    return;
  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  out += ((get_global_id (2) + d.plane) * d.n_result_y + y) * row_values + v;
  UNROLL for (int q = 0; q < ROWS; q++)
    total[q] = rest[q] = sum[q] = 0.0f;

#ifdef WIDTH
  if (inside && rows == ROWS && d.first_y + y >= 0
      && d.first_y + y + HEIGHT + ROWS - 1 <= d.length_y)
    {
      sum_small (in + ((long) (d.first_y + y - d.source_y) * d.n_source_x + d.first_x - d.source_x)
                        * CHANNELS + v, w, d, sum);
      UNROLL for (int q = 0; q < ROWS; q++)
        STORE (sum[q] + d.offset, out + (ulong) q * row_values);
      return;
    }
#endif
  for (int t = 0; t < d.height + rows - 1; t++)
    {
      global const IN *row = row_at (in, d.first_y + y + t, d);

      for (int k = 0; row && k < d.width; k += PART)
        {
          int n = min (PART, d.width - k);

#ifndef WIDTH
          if (inside)
            {
              global const IN *p = row + ((long) (d.first_x + k - d.source_x) * CHANNELS + v);

              ADD_ROW (LOAD (p + i * CHANNELS))
            }
          else
#endif
            {
#if VEC == 16
              float tile[TILE];
              uint filled = min ((uint) VEC, row_values - v) + (uint) (n - 1) * CHANNELS;

              for (uint u = 0; u < TILE; u++)
                tile[u] = u < filled ? value_at (row, d.first_x + k + (int) ((v + u) / CHANNELS),
                                                 (v + u) % CHANNELS, d) : 0.0f;
              ADD_ROW (load16 (tile + i * CHANNELS))
#else
              ADD_ROW (value_at (row, begin + k + i, v % CHANNELS, d))
#endif
            }
#ifndef WIDTH
          UNROLL for (int q = 0; q < ROWS; q++)
            if (t >= q && t - q < d.height && ENDS_CHUNK ((t - q) * d.width + k, (t - q) * d.width + k + n))
              {
                ADD_CHUNK (floats_t, total[q], rest[q], sum[q])
                sum[q] = 0.0f;
              }
#endif
        }
    }

  UNROLL for (int q = 0; q < ROWS; q++)
    if (q < rows)
      {
        floats_t result = total[q] + (sum[q] - rest[q]) + d.offset;
        global float *to = out + (ulong) q * row_values;

#if VEC == 16
        float values[VEC];

        if (whole)
          vstore16 (result, 0, to);
        else
          {
            vstore16 (result, 0, values);
            for (uint u = 0; v + u < row_values; u++)
              to[u] = values[u];
          }
#else
        *to = result;
#endif
      }
}

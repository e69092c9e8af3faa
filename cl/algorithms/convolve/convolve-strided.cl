/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a matrix at any stride; formula, layout, border and macros: convolve.clh. A work-item computes one
 * value.
 *
 * Dimensions: values of a row, rows, planes. */
#include "convolve.clh"

kernel void
convolve_strided (global const IN *restrict in, global float *restrict out,
                  WEIGHTS const float *restrict w, CapraDirect d)
{
  uint v = get_global_id (0), row_values = (uint) d.n_result_x * CHANNELS;
  int y = (int) get_global_id (1), c = v % CHANNELS, pending = 0;
  int x = d.first_x + (int) (v / CHANNELS) * d.stride_x;
  bool inside = x >= 0 && x + d.width <= d.length_x;
  float total = 0.0f, rest = 0.0f, sum = 0.0f;

  if (v >= row_values || y >= d.n_result_y)
    return;
  in += get_global_id (2) * d.n_source_y * d.n_source_x * CHANNELS;
  for (int j = 0; j < d.height; j++)
    {
      global const IN *row = row_at (in, d.first_y + y * d.stride_y + j, d);

      for (int k = 0; row && k < d.width; k += CONVOLVE_CHUNK)
        {
          int stop = min (k + CONVOLVE_CHUNK, d.width);

          if (inside)
            for (int i = k; i < stop; i++)
              sum += w[j * d.width + i] * (float) row[(ulong) (x + i - d.source_x) * CHANNELS + c];
          else
            for (int i = k; i < stop; i++)
              sum += w[j * d.width + i] * value_at (row, x + i, c, d);
          pending += stop - k;
          if (pending >= CONVOLVE_CHUNK)
            {
              ADD_CHUNK (float, total, rest, sum)
              sum = 0.0f;
              pending = 0;
            }
        }
    }
  out[((get_global_id (2) + d.plane) * d.n_result_y + y) * row_values + v] = total + (sum - rest) + d.offset;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a matrix at any stride: a work-item makes one value; see convolve.clh. */
#include "convolve.clh"

/* Dimensions: values of a row, outputs' rows, planes. */
kernel void
convolve_strided (global const IN *restrict in, global float *restrict out,
                  WEIGHTS const float *restrict w, direct_t d)
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

      for (int k = 0; row && k < d.width; k += CHUNK)
        {
          int stop = min (k + CHUNK, d.width);

          if (inside)
            for (int i = k; i < stop; i++)
              sum += w[j * d.width + i] * (float) row[(ulong) (x + i - d.source_x) * CHANNELS + c];
          else
            for (int i = k; i < stop; i++)
              sum += w[j * d.width + i] * value_at (row, x + i, c, d);
          pending += stop - k;
          if (pending >= CHUNK)
            {
              ADD_CHUNK (float, total, rest, sum)
              sum = 0.0f;
              pending = 0;
            }
        }
    }
  out[((get_global_id (2) + d.plane) * d.n_result_y + y) * row_values + v] = total + (sum - rest) + d.offset;
}

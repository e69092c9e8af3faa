/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* As azimuthal-integrate.cl, for frames of which some pixels may have to be left out: each pixel is checked, and all
 * sums are computed for each frame. `variance_step`: the values from one plane of variances to the next. */
#include "azimuthal-pixel.clh"

kernel void
azimuthal_checked (global const IN *restrict frames, ulong first, ulong n_pixels,
                   global const uint *restrict starts, global const uint *restrict pixels,
                   global const float *restrict coefficients, PIXEL_ARGUMENTS, ulong variance_step, uint n_rows,
                   float empty, global float *restrict results)
{
  uint row = get_group_id (0), l = get_local_id (0), end = starts[row + 1];
  real_t signal[BATCH], variance[BATCH], norm[BATCH], squares[BATCH], count[BATCH];
#if GROUP > 1
  local real_t scratch[GROUP];
#else
  local real_t *scratch = 0;
#endif

  frames += first * n_pixels;
  variances += first * variance_step;
  results += first * N_PLANES * n_rows;
UNROLL
  for (uint b = 0; b < BATCH; b++)
    signal[b] = variance[b] = norm[b] = squares[b] = count[b] = REAL (0.0f);

  for (uint e = starts[row] + l; e < end; e += GROUP)
    {
      uint pixel = pixels[e];
      real_t c = REAL (COEFFICIENT (e));
UNROLL
      for (uint b = 0; b < BATCH; b++)
        {
          pixel_t p;

          if (pixel_get (&p, frames[b * n_pixels + pixel], pixel, norms, darks, variances + b * variance_step, low,
                         high))
            {
              real_t w = TIMES (c, p.norm);

              signal[b] = PLUS_PRODUCT (signal[b], c, p.signal);
              variance[b] = PLUS_PRODUCT (variance[b], TIMES (c, c), p.variance);
              norm[b] = PLUS (norm[b], w);
              squares[b] = PLUS_PRODUCT (squares[b], w, w);
              count[b] = PLUS (count[b], c);
            }
        }
    }

  for (uint b = 0; b < BATCH; b++)
    {
      real_t s = sum_group (signal[b], scratch), v = sum_group (variance[b], scratch);
      real_t w = sum_group (norm[b], scratch), w2 = sum_group (squares[b], scratch);
      real_t n = sum_group (count[b], scratch);

      if (l == 0)
        store_row (results + (ulong) b * N_PLANES * n_rows, n_rows, row, s, v, w, w2, n, empty);
    }
}

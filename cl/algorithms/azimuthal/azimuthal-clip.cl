/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sigma clipping in the rows of a sparse matrix, as pyFAI's sigma_clip_ng: values further from the mean of their row
 * than `threshold` standard deviations, or than Chauvenet's criterion allows if that is more, are left out, until
 * nothing changes or for `iterations`. With 0 iterations, the mean and its errors alone.
 * A row clips its own entries: a pixel that is split among rows may be left out in one of them only.
 * With the error models azimuthal and hybrid, the variance of a row is sum ((c norm)² (value - mean)²); hybrid ends
 * with the variances of Poisson.
 * Layout and arguments as in azimuthal-checked.cl, for one frame. */
#define CLIPPED 1
#include "azimuthal-narrow.clh"
#include "azimuthal-sums.clh"

kernel void
azimuthal_clip (global const IN *restrict frames, ulong first, ulong n_pixels, global const uint *restrict starts,
                global const uint *restrict pixels, global const float *restrict coefficients, PIXEL_ARGUMENTS,
                ulong variance_step, float threshold, uint iterations, uint n_rows, float empty,
                global float *restrict results)
{
  uint row = get_group_id (0), start = starts[row], end = starts[row + 1];
  global const IN *frame = frames + first * n_pixels;
  real_t least = REAL (-INFINITY), most = REAL (INFINITY), mean, before = REAL (-1.0f);
  bool azimuthal = ERROR == ERROR_HYBRID ? iterations > 0 : ERROR == ERROR_AZIMUTHAL;
  sums_t s, none = { REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f) };
#if GROUP > 1
  local real_t scratch[GROUP];
#else
  local real_t *scratch = 0;
#endif

  variances += first * variance_step;
  results += first * N_PLANES * n_rows;
  for (uint i = 0;; i++)
    {
      real_t poisson;
      bool same;

      s = sum_row (none, least, most, ROW_VALUES);
      poisson = s.variance;
      same = TO_FLOAT (MINUS (s.count, before)) == 0.0f;
      before = s.count;
      if (!(TO_FLOAT (s.squares) > 0.0f))
        break;
      mean = DIVIDE (s.signal, s.norm);
      if (azimuthal)
        s.variance = sum_deviations (REAL (0.0f), mean, least, most, ROW_VALUES);
      if (i == iterations || same)
        {
          if (ERROR == ERROR_HYBRID)
            s.variance = poisson;
          break;
        }
      narrow (&least, &most, mean, s.variance, s.squares, s.count, threshold);
    }
  if (get_local_id (0) == 0)
    store_row (results, n_rows, row, s.signal, s.variance, s.norm, s.squares, s.count, empty);
}

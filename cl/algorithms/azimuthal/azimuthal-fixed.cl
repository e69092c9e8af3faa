/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sums of each row of a sparse matrix that do not depend on the frame, as pairs of floats. A group a row; macros:
 * GROUP, WEIGHTED, DARK and DOUBLES as for azimuthal-integrate.cl. */
#include "azimuthal-params.h"
#include "azimuthal-row.clh"

/* The sum of all work-items as two floats. */
inline void
store_pair (real_t sum, local real_t *scratch, global float *to)
{
  sum = sum_group (sum, scratch);
  if (get_local_id (0) == 0)
    {
      to[0] = HIGH (sum);
      to[1] = LOW (sum);
    }
}

kernel void
azimuthal_fixed (global const uint *restrict starts, global const uint *restrict pixels,
                 global const float *restrict coefficients, global const float *restrict norms,
                 global const float *restrict darks, global float *fixed)
{
  uint row = get_group_id (0), end = starts[row + 1];
  real_t sums[N_FIXED];
#if GROUP > 1
  local real_t scratch[GROUP];
#else
  local real_t *scratch = 0;
#endif

  for (uint k = 0; k < N_FIXED; k++)
    sums[k] = REAL (0.0f);
  for (uint e = starts[row] + get_local_id (0); e < end; e += GROUP)
    {
      uint pixel = pixels[e];
      real_t c = REAL (COEFFICIENT (e)), w = TIMES (c, REAL (norms[pixel]));

#ifdef DARK
      sums[FIXED_DARK] = PLUS_PRODUCT (sums[FIXED_DARK], c, REAL (darks[pixel]));
#endif
      sums[FIXED_NORM] = PLUS (sums[FIXED_NORM], w);
      sums[FIXED_NORM_SQUARES] = PLUS_PRODUCT (sums[FIXED_NORM_SQUARES], w, w);
      sums[FIXED_COUNT] = PLUS (sums[FIXED_COUNT], c);
    }
  for (uint k = 0; k < N_FIXED; k++)
    store_pair (sums[k], scratch, fixed + (row * N_FIXED + k) * 2);
}

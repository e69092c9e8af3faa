/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Adds the entries of a band of a frame to the sums of each row, in the order in which a matrix of the whole frame has
 * them. Rows of which `ended` is set are complete.
 * Layout: N_SUMS or N_SUMS_CLIPPED planes of n_rows sums; others, and arguments, as in azimuthal-checked.cl, for one
 * frame: `first` and `variance_step` are 0. Macros: those of azimuthal-sums.clh. */
#include "azimuthal-sums.clh"

#define SUM(k) sums[(ulong) (k) * n_rows + row]

#if CLIPPED
#define LEAST SUM (SUM_LEAST)
#define MOST SUM (SUM_MOST)
#else
#define LEAST REAL (-INFINITY)
#define MOST REAL (INFINITY)
#endif

#if GROUP > 1
#define SCRATCH local real_t scratch[GROUP]
#else
#define SCRATCH local real_t *scratch = 0
#endif

kernel void
azimuthal_sums (global const IN *restrict frame, ulong first, ulong n_pixels, global const uint *restrict starts,
                global const uint *restrict pixels, global const float *restrict coefficients, PIXEL_ARGUMENTS,
                ulong variance_step, uint n_rows, global const uint *restrict ended, global real_t *restrict sums)
{
  uint row = get_group_id (0), start = starts[row], end = starts[row + 1];
  sums_t s = { REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f) };
  SCRATCH;

  if (ended[row] || start == end)
    return;
  if (get_local_id (0) == 0)
    s = (sums_t){ SUM (SUM_SIGNAL), SUM (SUM_VARIANCE), SUM (SUM_NORM), SUM (SUM_SQUARES), SUM (SUM_COUNT) };
  s = sum_row (s, LEAST, MOST, ROW_VALUES);
  if (get_local_id (0) == 0)
    {
      SUM (SUM_SIGNAL) = s.signal;
      SUM (SUM_VARIANCE) = s.variance;
      SUM (SUM_NORM) = s.norm;
      SUM (SUM_SQUARES) = s.squares;
      SUM (SUM_COUNT) = s.count;
    }
}

/* The same for the sums of squared deviations, when the others are complete. */
kernel void
azimuthal_deviations (global const IN *restrict frame, ulong first, ulong n_pixels,
                      global const uint *restrict starts, global const uint *restrict pixels,
                      global const float *restrict coefficients, PIXEL_ARGUMENTS, ulong variance_step, uint n_rows,
                      global const uint *restrict ended, global real_t *restrict sums)
{
  uint row = get_group_id (0), start = starts[row], end = starts[row + 1];
  real_t sum = REAL (0.0f);
  SCRATCH;

  if (ended[row] || start == end || !(TO_FLOAT (SUM (SUM_SQUARES)) > 0.0f))
    return;
  if (get_local_id (0) == 0)
    sum = SUM (SUM_DEVIATIONS);
  sum = sum_deviations (sum, DIVIDE (SUM (SUM_SIGNAL), SUM (SUM_NORM)), LEAST, MOST, ROW_VALUES);
  if (get_local_id (0) == 0)
    SUM (SUM_DEVIATIONS) = sum;
}

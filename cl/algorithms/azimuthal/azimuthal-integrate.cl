/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The product of a sparse matrix with BATCH frames: for each row (bin), with c the coefficient of an entry,
 *   intensity = sum (c signal) / sum (c norm)
 *   std = sqrt (sum (c² variance) / sum ((c norm)²)), sem = sqrt (sum (c² variance)) / sum (c norm), count = sum (c)
 * Each group computes one row of all frames, so that the matrix is read once for BATCH frames.
 * Layout: planes of n_pixels values; the row r of the matrix has the entries from starts[r] on; results have N_PLANES
 * planes of n_rows values for each frame. `first`: the first frame.
 * Macros: BATCH; CHAINS, independent sums of a work-item; WEIGHTED unless all coefficients are 1; and those of
 * azimuthal-pixel.clh. */
#include "azimuthal-pixel.clh"

#define HAS_VARIANCE (ERROR != ERROR_NONE)

/* Frames whose pixels are all valid: the sums that do not depend on them are given, as pairs of floats. */
#define ADD(e, k)                                                                                  \
  {                                                                                                \
    uint pixel = pixels[e];                                                                        \
    real_t c = REAL (COEFFICIENT (e)), cc = TIMES (c, c);                                          \
UNROLL_FRAMES                                                                                      \
    for (uint b = 0; b < BATCH; b++)                                                               \
      {                                                                                            \
        IN value = frames[b * n_pixels + pixel];                                                   \
        signal[b][k] = PLUS_PRODUCT (signal[b][k], c, RAW (value));                                \
        if (HAS_VARIANCE)                                                                          \
          variance[b][k] = PLUS_PRODUCT (variance[b][k], cc, value > 1 ? RAW (value) : REAL (1.0f)); \
      }                                                                                            \
  }
#define UNROLL_FRAMES _Pragma ("unroll")

kernel void
azimuthal_integrate (global const IN *restrict frames, ulong first, ulong n_pixels,
                     global const uint *restrict starts, global const uint *restrict pixels,
                     global const float *restrict coefficients, global const float *restrict fixed, uint n_rows,
                     float empty, global float *restrict results)
{
  uint row = get_group_id (0), l = get_local_id (0);
  uint e = starts[row] + l, end = starts[row + 1];
  real_t signal[BATCH][CHAINS], variance[BATCH][CHAINS];
#if GROUP > 1
  local real_t scratch[GROUP];
#else
  local real_t *scratch = 0;
#endif

  frames += first * n_pixels;
  results += first * N_PLANES * n_rows;
  fixed += row * (2 * N_FIXED);
UNROLL
  for (uint b = 0; b < BATCH; b++)
    for (uint k = 0; k < CHAINS; k++)
      signal[b][k] = variance[b][k] = REAL (0.0f);

  for (; e + (CHAINS - 1) * GROUP < end; e += CHAINS * GROUP)
    {
UNROLL
      for (uint k = 0; k < CHAINS; k++)
        ADD (e + k * GROUP, k)
    }
  for (; e < end; e += GROUP)
    ADD (e, 0)

  for (uint b = 0; b < BATCH; b++)
    {
      real_t s = signal[b][0], v = variance[b][0];

      for (uint k = 1; k < CHAINS; k++)
        {
          s = PLUS (s, signal[b][k]);
          v = PLUS (v, variance[b][k]);
        }
      s = sum_group (s, scratch);
      if (HAS_VARIANCE)
        v = sum_group (v, scratch);
      if (l == 0)
        store_row (results + (ulong) b * N_PLANES * n_rows, n_rows, row,
                   MINUS (s, PAIR (fixed + 2 * FIXED_DARK)), v, PAIR (fixed + 2 * FIXED_NORM),
                   PAIR (fixed + 2 * FIXED_NORM_SQUARES), PAIR (fixed + 2 * FIXED_COUNT), empty);
    }
}

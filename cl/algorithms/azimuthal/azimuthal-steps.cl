/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sums of rows over the bands of a frame: their beginning, what follows from them, and their results. A work-item a
 * row. Layout as in azimuthal-bands.cl. Macros: CLIPPED; those of azimuthal-store.clh. */
#include "azimuthal-narrow.clh"
#include "azimuthal-store.clh"

#define SUM(k) sums[(ulong) (k) * n_rows + row]

kernel void
azimuthal_begin (uint n_rows, global uint *restrict ended, global real_t *restrict sums)
{
  uint row = get_global_id (0);

  if (row >= n_rows)
    return;
  ended[row] = 0;
  for (uint k = 0; k < (CLIPPED ? N_SUMS_CLIPPED : N_SUMS); k++)
    SUM (k) = REAL (0.0f);
#if CLIPPED
  SUM (SUM_LEAST) = REAL (-INFINITY);
  SUM (SUM_MOST) = REAL (INFINITY);
  SUM (SUM_BEFORE) = REAL (-1.0f);
#endif
}

#if CLIPPED
/* When all sums are complete: ends rows that do not change any more, all if `last`. Narrows the values of the others,
 * of which new sums begin, and sets `running`. */
kernel void
azimuthal_step (uint n_rows, global uint *restrict ended, global real_t *restrict sums, float threshold, uint last,
                volatile global uint *running)
{
  uint row = get_global_id (0);
  bool azimuthal = ERROR >= ERROR_AZIMUTHAL; /* or ERROR_HYBRID */
  real_t least, most;

  if (row >= n_rows || ended[row])
    return;
  if (last || !(TO_FLOAT (SUM (SUM_SQUARES)) > 0.0f) || TO_FLOAT (MINUS (SUM (SUM_COUNT), SUM (SUM_BEFORE))) == 0.0f)
    {
      ended[row] = 1;
      if (ERROR == ERROR_AZIMUTHAL)
        SUM (SUM_VARIANCE) = SUM (SUM_DEVIATIONS);
      return;
    }
  least = SUM (SUM_LEAST);
  most = SUM (SUM_MOST);
  narrow (&least, &most, DIVIDE (SUM (SUM_SIGNAL), SUM (SUM_NORM)), SUM (azimuthal ? SUM_DEVIATIONS : SUM_VARIANCE),
          SUM (SUM_SQUARES), SUM (SUM_COUNT), threshold);
  SUM (SUM_LEAST) = least;
  SUM (SUM_MOST) = most;
  SUM (SUM_BEFORE) = SUM (SUM_COUNT);
  for (uint k = 0; k <= SUM_DEVIATIONS; k++)
    SUM (k) = REAL (0.0f);
  atomic_or (running, 1u);
}
#endif

kernel void
azimuthal_store (uint n_rows, global const real_t *restrict sums, float empty, global float *restrict results)
{
  uint row = get_global_id (0);

  if (row < n_rows)
    store_row (results, n_rows, row, SUM (SUM_SIGNAL), SUM (SUM_VARIANCE), SUM (SUM_NORM), SUM (SUM_SQUARES),
               SUM (SUM_COUNT), empty);
}

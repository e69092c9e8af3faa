/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along x for CPUs, at a cost of the logarithm of `count`: each work-item computes OUTPUTS samples of a row
 * (box-row-piece.clh). Boxes longer than LONGEST are summed in several parts. Formula, layout and border: box.clh.
 *
 * Dimensions: pieces of OUTPUTS samples, rows. Macros: IN (type of a value), CHANNELS, OFFSETS. */
#include "box-row-piece.clh"

#define OUTPUTS (BOX_ROW_VALUES / CHANNELS)
#define LONGEST (8192 / CHANNELS)
#define TILE ((OUTPUTS + LONGEST) * CHANNELS + 2 * WIDTH)

kernel void
box_vector_rows (global const stored_t *restrict in, global float *restrict out, global const float *restrict offsets,
                 CapraBox b)
{
  int x = (int) get_global_id (0) * OUTPUTS, n = min (OUTPUTS, b.n_result - x), i = 0;
  ulong y = get_global_id (1);
  float tile[TILE], sums[OUTPUTS * CHANNELS + WIDTH];

  if (n <= 0)
    return;
  in += y * b.n_source * CHANNELS;
  out += (y * b.n_result + x) * CHANNELS;
  for (i = 0; i < n * CHANNELS + WIDTH - 1; i++)
    sums[i] = OFFSET_OF (y * CHANNELS + i % CHANNELS);
  for (int done = 0; done < b.count; done += LONGEST)
    {
      int count = min (LONGEST, b.count - done);

      load_tile (in, tile, b.first + x + done, n + count - 1, b.scale, b, COLORS_OF_ARGUMENTS);
      add_box (tile, sums, n * CHANNELS, count);
    }
  for (i = 0; i + WIDTH <= n * CHANNELS; i += WIDTH)
    vstore16 (load16 (sums + i), 0, out + i);
  for (; i < n * CHANNELS; i++)
    out[i] = sums[i];
}

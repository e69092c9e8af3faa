/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What box_blocks of box-sums.cl does, along x for CPUs: the samples of a row stand CHANNELS values apart;
 * see box.clh. Spans are multiples of 8 samples.
 *
 * Macros: IN (type of a value), CHANNELS. Dimensions: spans, rows. */
#include "box.clh"

#define STRIDE (8 * CHANNELS)

kernel void
box_spans (global const IN *restrict in, global float *restrict blocks, int n_spans, box_t b)
{
  int k = (int) get_global_id (0), at = b.first + k * b.run;
  ulong y = get_global_id (1);
  float sums[STRIDE];
  float8 sum[CHANNELS];

  if (k >= n_spans)
    return;
  in += y * b.n_source * CHANNELS;
  blocks += (y * n_spans + k) * CHANNELS;

  _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
    sum[j] = 0.0f;
  for (int s = 0; s < b.run; s += 8)
    if (at + s >= 0 && at + s + 8 <= b.length)
      {
        global const IN *from = in + (long) (at + s - b.source) * CHANNELS;

        _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
          sum[j] += b.scale * convert_float8 (vload8 (j, from));
      }
    else
      {
        for (int u = 0; u < STRIDE; u++)
          {
            int i = border_map (at + s + u / CHANNELS, b.length, b.border);

            sums[u] = i < 0 ? 0.0f
                            : b.scale * in[(ulong) (i - b.source) * CHANNELS + u % CHANNELS];
          }
        _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
          sum[j] += vload8 (j, sums);
      }

  _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
    vstore8 (sum[j], j, sums);
  for (int c = 0; c < CHANNELS; c++)
    {
      float total = 0.0f;

      for (int t = c; t < STRIDE; t += CHANNELS)
        total += sums[t];
      blocks[c] = total;
    }
}

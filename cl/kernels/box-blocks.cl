/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of spans of SPAN rows along y or z for GPUs, for boxes so wide that their cores are worth a pass of
 * their own: blocks[k] = scale * (in[first + k * SPAN] + ... + in[first + (k + 1) * SPAN - 1]), for n_spans
 * spans; see box.clh.
 *
 * Macros: IN (type of a value), VEC (columns a work-item, 1 or 2, a divisor of the pitch), SPAN, a multiple of
 * STEP. Dimensions: columns within the pitch / VEC, spans, slabs. */
#include "box-strips.clh"

kernel void
box_span_sums (global const IN *restrict in, global float *restrict blocks, ulong pitch, int n_spans, box_t b)
{
  ulong c = get_global_id (0) * VEC, slab = get_global_id (2);
  int k = (int) get_global_id (1), at = b.first + k * SPAN, end = b.first + b.n_result + b.count - 1;
  floats_t total = 0.0f;

  if (c >= pitch || k >= n_spans)
    return;
  in += slab * b.n_source * pitch + c;
  if (at >= 0 && at + SPAN <= min (b.length, end))
    {
      global const IN *p = in + (ulong) (at - b.source) * pitch;

      for (int s = 0; s < SPAN; s += 2 * STEP)
        {
          floats_t v[2 * STEP], sum = 0.0f;

#pragma unroll
          for (int j = 0; j < 2 * STEP; j++, p += pitch)
            v[j] = LOAD (p);
#pragma unroll
          for (int j = 0; j < 2 * STEP; j++)
            sum += b.scale * v[j];
          total += sum;
        }
    }
  else
    for (int s = 0; s < SPAN; s++)
      total += b.scale * load_row (in, find_row (at + s, end, b), pitch);
  STORE (total, blocks + (slab * n_spans + k) * pitch + c);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sums along any axis that box blurs begin with; see box.clh.
 *
 * Macros: IN (type of a value), VEC (values side by side a work-item takes: 1 or 16). */
#include "box-vector.clh"

/* blocks[k] = scale * (in[first + k * run] + ... + in[first + (k + 1) * run - 1]), for all n_spans
 * spans (dimensions: values within the pitch, spans, slabs). */
kernel void
box_blocks (global const IN *restrict in, global float *restrict blocks, ulong pitch, int n_spans,
            box_t b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int k = (int) get_global_id (1), at = b.first + k * b.run, begin = max (at, b.first + b.skip);
  uint lanes = (uint) min (pitch - c, (ulong) VEC);
  floats_t total = 0.0f, rest = 0.0f;

  if (c >= pitch || k >= n_spans)
    return;
  in += slab * b.n_source * pitch + c;
  ADD_SAMPLES (total, rest, begin, at + b.run)
  store_some (total, blocks + (slab * n_spans + k) * pitch + c, lanes);
}

/* What a box far wider than the axis adds to all outputs of a line: the whole line times `whole` (wrap
 * and mirror), its ends times `low` and `high` (clamp); dimensions: values within the pitch, slabs. */
kernel void
box_more (global const IN *restrict in, global float *restrict more, ulong pitch, float whole,
          float low, float high, box_t b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (1);
  uint lanes = (uint) min (pitch - c, (ulong) VEC);
  floats_t total = 0.0f, rest = 0.0f;

  if (c >= pitch)
    return;
  in += slab * b.n_source * pitch + c;
  b.scale = whole;
  if (whole > 0.0f)
    ADD_SAMPLES (total, rest, 0, b.length)
  b.scale = low;
  if (low > 0.0f)
    total += b.scale * sample (in, 0, lanes, pitch, b);
  b.scale = high;
  if (high > 0.0f)
    total += b.scale * sample (in, b.length - 1, lanes, pitch, b);
  store_some (total, more + slab * pitch + c, lanes);
}

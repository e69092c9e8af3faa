/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sums along any axis that a box blur starts with; layout and border: box.clh.
 *
 * Macros: IN (type of a value), VEC (lines of a work-item, 1 or 16). */
#include "box-vector.clh"

/* blocks[k] = scale * (in[first + k * run] + ... + in[first + (k + 1) * run - 1]) for k < n_blocks.
 *
 * Dimensions: values within the pitch / VEC, blocks, slabs. */
kernel void
box_blocks (global const IN *restrict in, global float *restrict blocks, ulong pitch, int n_blocks,
            CapraBox b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int k = (int) get_global_id (1), at = b.first + k * b.run, begin = max (at, b.first + b.skip);
  uint lines = (uint) min (pitch - c, (ulong) VEC);
  floats_t total = 0.0f, rest = 0.0f;

  if (c >= pitch || k >= n_blocks)
    return;
  in += slab * b.n_source * pitch + c;
  ADD_SAMPLES (total, rest, begin, at + b.run)
  store_some (total, blocks + (slab * n_blocks + k) * pitch + c, lines);
}

/* What a box that is much wider than the axis adds to all outputs of a line: the sum of the line times `whole` (wrap
 * and mirror), its first and last sample times `low` and `high` (clamp).
 *
 * Dimensions: values within the pitch / VEC, slabs. */
kernel void
box_offsets (global const IN *restrict in, global float *restrict offsets, ulong pitch, float whole,
          float low, float high, CapraBox b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (1);
  uint lines = (uint) min (pitch - c, (ulong) VEC);
  floats_t total = 0.0f, rest = 0.0f;

  if (c >= pitch)
    return;
  in += slab * b.n_source * pitch + c;
  b.scale = whole;
  if (whole > 0.0f)
    ADD_SAMPLES (total, rest, 0, b.length)
  b.scale = low;
  if (low > 0.0f)
    total += b.scale * sample (in, 0, lines, pitch, b);
  b.scale = high;
  if (high > 0.0f)
    total += b.scale * sample (in, b.length - 1, lines, pitch, b);
  store_some (total, offsets + slab * pitch + c, lines);
}

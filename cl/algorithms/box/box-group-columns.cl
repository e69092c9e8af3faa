/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along y or z for GPUs; formula, layout and border: box.clh. `parts` work-items, neighbors in y, share a
 * run: each holds PART rows of it in registers, and the PART rows that follow their boxes, and adds up its share of the
 * core's rows. Work-items exchange sums through local memory: `shared` holds three vectors for each of them, `rows_of`
 * 2 PART numbers of rows for each row of the group.
 *
 * Dimensions: columns within the pitch / VEC, `parts` for each run, slabs. Assumptions: a work-group has whole runs;
 * VEC divides the pitch.
 * Macros: IN (type of a value), VEC (1 or 2), PART, OFFSETS, PARTIAL. */
#include "box-columns.clh"

/* The sum of every `parts`-th row of a run's core, from row `part` on; the run begins at position `at`. */
static inline floats_t
core_share (global const IN *in, int at, int part, int parts, int end, ulong pitch, CapraBox b)
{
  int rows = b.count - b.run;
  floats_t total = 0.0f, rest = 0.0f;

  for (int k = part; k < rows;)
    {
      floats_t sum = 0.0f;

      for (int s = 0; s < STEP && k < rows; s++, k += parts)
        sum += b.scale * load_row (in, find_row (at + b.run + k, end, b), pitch);
      ADD_CHUNK (floats_t, total, rest, sum)
    }
  return total;
}

kernel void
box_group_columns (global const IN *restrict in, global float *restrict out, global const float *restrict offsets,
                   ulong pitch, int parts, CapraBox b, local floats_t *shared, local int *rows_of)
{
  int lanes = get_local_size (0), items = get_local_size (1), lane = get_local_id (0);
  int t = get_local_id (1), part = t % parts, end = b.first + b.n_result + b.count - 1;
  int g = ((int) get_group_id (1) * items + t) / parts, at = b.first + g * b.run;
  int begin = g * b.run + part * PART, rows = min (PART, b.n_result - begin);
  ulong c = get_global_id (0) * VEC, slab = get_global_id (2);
  int beyond = c >= pitch;
  floats_t suffix[PART], next[PART], sum = 0.0f, core = 0.0f;

  c = beyond ? 0 : c;
  in += slab * b.n_source * pitch + c;
  for (int k = lane; k < 2 * PART; k += lanes)
    rows_of[2 * PART * t + k] = find_row (b.first + begin + (k < PART ? k : b.count + k - PART), end, b);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (at >= 0 && IS_WANTED (at, b.first + SKIP) && at + b.run + b.count <= min (b.length, end))
    {
      global const IN *p = in + (ulong) (at + part * PART - b.source) * pitch;
      global const IN *q = p + (ulong) b.count * pitch;

      UNROLL for (int k = 0; k < PART; k++, p += pitch)
        suffix[k] = LOAD_ALIGNED (p);
      UNROLL for (int k = 0; k < PART; k++, q += pitch)
        next[k] = LOAD_ALIGNED (q);
    }
  else
    {
      UNROLL for (int k = 0; k < PART; k++)
        suffix[k] = load_row (in, rows_of[2 * PART * t + k], pitch);
      UNROLL for (int k = 0; k < PART; k++)
        next[k] = load_row (in, rows_of[2 * PART * t + PART + k], pitch);
    }
  if (g * b.run < b.n_result)
    core = core_share (in, at, part, parts, end, pitch, b);

  UNROLL for (int k = PART - 1; k >= 0; k--)
    suffix[k] = sum = sum + b.scale * suffix[k];
  shared[t * lanes + lane] = sum;
  sum = 0.0f;
  UNROLL for (int k = 0; k < PART; k++)
    sum += b.scale * next[k];
  shared[(items + t) * lanes + lane] = sum;
  shared[(2 * items + t) * lanes + lane] = core;
  barrier (CLK_LOCAL_MEM_FENCE);

  core = 0.0f;
  for (int k = 0; k < parts; k++)
    {
      int other = (t - part + k) * lanes + lane;

      core += shared[2 * items * lanes + other];
      if (k != part)
        core += shared[k > part ? other : items * lanes + other];
    }
#ifdef OFFSETS
  core += *(global const floats_t *) (offsets + slab * pitch + c);
#endif
  if (beyond || rows <= 0)
    return;
  out += ((long) (slab * (b.n_result - SKIP)) + begin - SKIP) * (long) pitch + (long) c;
  sum = 0.0f;
  UNROLL for (int k = 0; k < PART; k++, out += pitch)
    {
      if (k < rows && IS_WANTED (begin + k, SKIP))
        STORE_ALIGNED (suffix[k] + (core + sum), out);
      sum += b.scale * next[k];
    }
}

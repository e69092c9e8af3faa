/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along x for GPUs; formula and border: box.clh. The samples of a row are CHANNELS values apart.
 *
 * A work-group computes SAMPLES outputs of a row from two segments of SAMPLES samples: the first begins with the box of
 * the first output, the second follows that box. The group loads them with neighboring work-items reading neighboring
 * values, and transposes them in local memory, so that each work-item holds a block of ITEM samples of one channel in
 * registers. It computes suffix sums of its block of the first segment and prefix sums of its block of the second one;
 * the core of a block is the sum of the blocks between, from sums of 1, 4, 16, ... neighbors. With rem = count % ITEM,
 * the last `rem` samples of block j of the second segment belong to block j + 1 of the first segment's grid. In boxes
 * longer than SAMPLES, the samples between the segments are added up separately.
 *
 * Dimensions: work-items of a row's groups, rows.
 * Macros: IN (type of a value), CHANNELS, GROUP (CHANNELS times 32, 64, 128 or 256), OFFSETS, PARTIAL, FAR (positions
 * may be further outside the image than it is long). */
#include "box-scan-rows.clh"

/* The sum of this work-item's share of the samples from SAMPLES to before `to`. */
static inline float
middle_share (row_t r, int at, int block, int to, CapraBox b)
{
  float total = 0.0f, rest = 0.0f;

  for (int k = SAMPLES + block; k < to;)
    {
      float sum = 0.0f;

      for (int s = 0; s < STEP && k < to; s++, k += BLOCKS)
        sum += value_at (r, at + k, b);
      ADD_CHUNK (float, total, rest, sum)
    }
  return total;
}

/* sums[0][i] + ... + sums[0][i + n - 1]; n is the same for the whole group. A few are added one by one, since barriers
 * cost more. Otherwise loads whose value is not used cost less than branches; sums past the last block are read, but no
 * requested output depends on them. */
static inline float
sum_neighbors (local float (*sums)[SUMS], int i, int n)
{
  float total = 0.0f;
  int even = 0, few = n <= FEW ? n : 0;

  UNROLL_BY (4) for (int k = 0; k < few; k++)
    total += sums[0][i + k];
  n -= few;
  for (int d = 1; n > 0; d *= 4, n /= 4, even = !even)
    {
      UNROLL for (int k = 0; k < 3; k++)
        {
          float sum = sums[even][i + k * d];

          total += k < n % 4 ? sum : 0.0f;
        }
      i += n % 4 * d;
      if (n >= 4)
        UNROLL for (int k = 0; k < 2; k++)
          {
            local const float *first = sums[even] + get_local_id (0) + k * GROUP;

            sums[!even][get_local_id (0) + k * GROUP] = (first[0] + first[d]) + (first[2 * d] + first[3 * d]);
          }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  return total;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
box_scan_rows (global const IN *restrict in, global float *restrict out, global const float *restrict offsets,
               CapraBox b)
{
  local float4 fours[2][PLANE * CHANNELS / 4];
  local float sums[2][SUMS], tails[GROUP], lead[ITEM * CHANNELS];
  int l = get_local_id (0), begin = (int) get_group_id (0) * SAMPLES, at = b.first + begin;
  /* x and c: the sample and channel that are loaded and stored; block and plane: those that are added up. */
  int x = l / CHANNELS, c = l % CHANNELS, block = l % BLOCKS, plane = l / BLOCKS;
  int four = (plane * PLANE + block * ITEM) / 4;
  int whole = b.count / ITEM, rem = b.count % ITEM, near = min (whole, BLOCKS), next = at + b.count;
  ulong y = get_global_size (1) - 1 - get_global_id (1);
  row_t r = { in + y * b.n_source * CHANNELS + c, b.first + SKIP, b.first + b.n_result + b.count - 1 };
  row_t own = { in + y * b.n_source * CHANNELS + plane, r.begin, r.end };
  int high = min (b.length, r.end), low = max (SKIP > 0 ? r.begin : 0, 0);
  int low0 = clamp (low - at, 0, SAMPLES), high0 = clamp (high - at, low0, SAMPLES);
  int low1 = clamp (low - next, 0, SAMPLES), high1 = clamp (high - next, low1, SAMPLES);
  local float *line = (local float *) fours[0] + c * PLANE, *result = line + INDEX (x);
  float v[ITEM], w[ITEM], suffix = 0.0f, head = 0.0f, tail = 0.0f, core = 0.0f, share;

  load_inside (r, at, x, low0, high0, b, v);
  load_inside (r, next, x, max (low1, high0 - b.count), high1, b, w);
  if (block < rem)
    lead[plane * ITEM + block] = value_at (own, at + whole * ITEM + block, b);
  share = middle_share (own, at, block, whole * ITEM, b);
  store_inside (x, b, v, line);
  barrier (CLK_LOCAL_MEM_FENCE);
  store_second (x, low0, high0, b, w, line);
  fill_outside (r, at, x, low0, high0, b, line);
  barrier (CLK_LOCAL_MEM_FENCE);
  fill_outside (r, next, x, low1, high1, b, line + PLANE * CHANNELS);
  barrier (CLK_LOCAL_MEM_FENCE);

  UNROLL for (int k = 0; k < ITEM / 4; k++)
    {
      vstore4 (fours[0][four + (k ^ TURN (block))], k, v);
      vstore4 (fours[1][four + (k ^ TURN (block))], k, w);
    }
  UNROLL for (int k = ITEM - 1; k >= 0; k--)
    v[k] = suffix += v[k];
  UNROLL for (int k = 0; k < ITEM; k++)
    {
      v[k] += head + tail;
      head += k < ITEM - rem ? w[k] : 0.0f;
      tail += k < ITEM - rem ? 0.0f : w[k];
    }
  /* A block's sum is part of the cores of all other blocks: each holds it in one of two elements. */
  tails[l] = tail;
  sums[0][l + plane * BLOCKS] = suffix + share;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (block > 0)
    core = tails[l - 1];
  else
    for (int k = 0; k < rem; k++)
      core += lead[plane * ITEM + k];
  if (block + near >= BLOCKS)
    sums[0][l + plane * BLOCKS + near] = head + core + share;
  barrier (CLK_LOCAL_MEM_FENCE);
  core += share + sum_neighbors (sums, l + plane * BLOCKS + 1, near - 1) + OFFSET_OF (y * CHANNELS + plane);
  UNROLL for (int k = 0; k < ITEM / 4; k++)
    fours[0][four + (k ^ TURN (block))] = vload4 (k, v) + core;
  barrier (CLK_LOCAL_MEM_FENCE);

  out += ((long) (y * (b.n_result - SKIP)) + begin - SKIP) * CHANNELS + l;
  UNROLL for (int k = 0; k < ITEM; k++)
    if (k * BLOCKS < b.n_result - begin - x && IS_WANTED (k * BLOCKS, SKIP - begin - x))
      out[k * GROUP] = result[k * BLOCKS];
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along x for GPUs; see box.clh. The samples of a row stand CHANNELS values apart.
 *
 * A group makes SAMPLES outputs of a row. It loads, side by side, the span where their boxes begin and the one
 * that follows these boxes' first, and turns both in local memory, so that each work-item has a run of ITEM samples
 * of one channel in registers: the suffixes of the first, the prefixes of the other. A run's core is made of the
 * sums of the runs between, by sums of 1, 4, 16, ... neighbours. With `rem` = count % ITEM, block j of the
 * second span is cut `rem` samples before its end: what lies behind belongs to block j + 1 of the first span's grid.
 * Of boxes longer than SAMPLES, what lies between the spans is added up apart.
 *
 * Macros: IN (type of a value), CHANNELS, GROUP (work-items: CHANNELS times 32, 64, 128 or 256), PARTIAL (see
 * box.clh), FAR (positions lie further beyond the image than it is long), MORE.
 * Dimensions: work-items of a row's groups, rows. */
#include "box-scan-rows.clh"

/* This work-item's share of the samples from SAMPLES on, before `to`. */
static inline float
middle_share (row_t r, int at, int block, int to, box_t b)
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

/* sums[0][i] + ... + sums[0][i + n - 1]; n is the same for the whole group. Few are added one by one: barriers cost
 * more. Else, what is loaded in vain costs less than branches; neighbours beyond the last block count for nothing that
 * is asked for. */
static inline float
sum_neighbours (local float (*sums)[SUMS], int i, int n)
{
  float total = 0.0f;
  int even = 0, few = n <= FEW ? n : 0;

#pragma unroll 4
  for (int k = 0; k < few; k++)
    total += sums[0][i + k];
  n -= few;
  for (int d = 1; n > 0; d *= 4, n /= 4, even = !even)
    {
#pragma unroll
      for (int k = 0; k < 3; k++)
        {
          float sum = sums[even][i + k * d];

          total += k < n % 4 ? sum : 0.0f;
        }
      i += n % 4 * d;
      if (n >= 4)
#pragma unroll
        for (int k = 0; k < 2; k++)
          {
            local const float *first = sums[even] + get_local_id (0) + k * GROUP;

            sums[!even][get_local_id (0) + k * GROUP] = (first[0] + first[d]) + (first[2 * d] + first[3 * d]);
          }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  return total;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
box_scan_rows (global const IN *restrict in, global float *restrict out, global const float *restrict more,
               box_t b)
{
  local float4 fours[2][PLANE * CHANNELS / 4];
  local float sums[2][SUMS], tails[GROUP], lead[ITEM * CHANNELS];
  int l = get_local_id (0), begin = (int) get_group_id (0) * SAMPLES, at = b.first + begin;
  /* The sample and channel that are loaded and stored, those that are added up. */
  int x = l / CHANNELS, c = l % CHANNELS, block = l % BLOCKS, plane = l / BLOCKS;
  int four = (plane * PLANE + block * ITEM) / 4;
  int whole = b.count / ITEM, rem = b.count % ITEM, near = min (whole, BLOCKS), next = at + b.count;
  ulong y = get_global_size (1) - 1 - get_global_id (1);
  row_t r = { in + y * b.n_source * CHANNELS + c, b.first + SKIP, b.first + b.n_result + b.count - 1 };
  row_t own = { in + y * b.n_source * CHANNELS + plane, r.begin, r.end };
  int high = min (b.length, r.end), low = max (SKIP > 0 ? r.begin : 0, 0);
  int low0 = clamp (low - at, 0, SAMPLES), high0 = clamp (high - at, low0, SAMPLES);
  int low1 = clamp (low - next, 0, SAMPLES), high1 = clamp (high - next, low1, SAMPLES);
  local float *line = (local float *) fours[0] + c * PLANE, *result = line + PLACE (x);
  float v[ITEM], w[ITEM], suffix = 0.0f, head = 0.0f, tail = 0.0f, core = 0.0f, share;

  load_inside (r, at, x, low0, high0, b, v);
  load_inside (r, next, x, max (low1, high0 - b.count), high1, b, w);
  if (block < rem)
    lead[plane * ITEM + block] = value_at (own, at + whole * ITEM + block, b);
  share = middle_share (own, at, block, whole * ITEM, b);
  store_inside (x, b, v, line);
  barrier (CLK_LOCAL_MEM_FENCE);
  store_second (x, low0, high0, b, w, line);
  fill_beyond (r, at, x, low0, high0, b, line);
  barrier (CLK_LOCAL_MEM_FENCE);
  fill_beyond (r, next, x, low1, high1, b, line + PLANE * CHANNELS);
  barrier (CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int k = 0; k < ITEM / 4; k++)
    {
      vstore4 (fours[0][four + (k ^ TURN (block))], k, v);
      vstore4 (fours[1][four + (k ^ TURN (block))], k, w);
    }
#pragma unroll
  for (int k = ITEM - 1; k >= 0; k--)
    v[k] = suffix += v[k];
#pragma unroll
  for (int k = 0; k < ITEM; k++)
    {
      v[k] += head + tail;
      head += k < ITEM - rem ? w[k] : 0.0f;
      tail += k < ITEM - rem ? 0.0f : w[k];
    }
  /* All boxes of the group hold each share but one's own, in one of two places. */
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
  core += share + sum_neighbours (sums, l + plane * BLOCKS + 1, near - 1) + MORE_OF (y * CHANNELS + plane);
#pragma unroll
  for (int k = 0; k < ITEM / 4; k++)
    fours[0][four + (k ^ TURN (block))] = vload4 (k, v) + core;
  barrier (CLK_LOCAL_MEM_FENCE);

  out += ((long) (y * (b.n_result - SKIP)) + begin - SKIP) * CHANNELS + l;
#pragma unroll
  for (int k = 0; k < ITEM; k++)
    if (k * BLOCKS < b.n_result - begin - x && IS_WANTED (k * BLOCKS, SKIP - begin - x))
      out[k * GROUP] = result[k * BLOCKS];
}

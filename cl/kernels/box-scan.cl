/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur along x for GPUs; see box.clh. The samples of a row stand CHANNELS values apart.
 *
 * A group takes `runs` whole runs of a row. It loads their spans and what follows them up to a box further on
 * side by side into local memory; of boxes longer than the runs together, what lies between is left out.
 * Each work-item then has a block of ITEM samples of one channel, whose suffixes and prefixes it adds up; what
 * its run's other blocks, and the core, add to all of them comes from a Hillis-Steele scan over the blocks of each
 * run. A run is a multiple of ITEM; each block of it takes its share of the core.
 *
 * Macros: IN (type of a value), CHANNELS, GROUP (a multiple of ITEM * CHANNELS), MORE. Dimensions: work-items
 * of a row's groups, rows. */
#include "box-scan.clh"

/* This block's share of its run's core: every `step`th value from `from` on, before `to`. */
static inline float
core_share (row_t r, int from, int to, int step, box_t b, local const float *values)
{
  float total = 0.0f, rest = 0.0f;

  /* Those of boxes shorter than the runs together all lie in local memory, and are few. */
  if (r.ahead == b.count * CHANNELS)
    {
      for (; from < to; from += step)
        total += b.scale * values[PLACE (from)];
      return total;
    }
  while (from < to)
    {
      float sum = 0.0f;

      for (int s = 0; s < STEP && from < to; s++, from += step)
        {
          int i = from < r.values ? from : from - b.count * CHANNELS + r.ahead;

          sum += b.scale * (i >= r.ahead || from < r.values ? values[PLACE (i)] : value_at (r, from, b));
        }
      ADD_CHUNK (float, total, rest, sum)
    }
  return total;
}

/* The sum of what the other blocks of the run add to this one: the later ones .x, the earlier ones .y. */
static inline float
scan_run (float2 own, int block, int blocks, local float2 *sums)
{
  int l = get_local_id (0);
  float others = 0.0f;

  sums[l] = own;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < blocks; d <<= 1)
    {
      own.x += block + d < blocks && l + d * CHANNELS < GROUP ? sums[l + d * CHANNELS].x : 0.0f;
      own.y += block - d >= 0 && l >= d * CHANNELS ? sums[l - d * CHANNELS].y : 0.0f;
      barrier (CLK_LOCAL_MEM_FENCE);
      sums[l] = own;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  if (block + 1 < blocks && l + CHANNELS < GROUP)
    others += sums[l + CHANNELS].x;
  if (block > 0)
    others += sums[l - CHANNELS].y;
  return others;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
box_rows_scan (global const IN *restrict in, global float *restrict out,
               global const float *restrict more, int runs, box_t b, local float *values)
{
  local float2 sums[GROUP];
  int l = get_local_id (0), first_run = (int) get_group_id (0) * runs;
  int blocks = b.run / ITEM, c = l % CHANNELS, a = l / CHANNELS, block = a % blocks;
  int core = (a / blocks + 1) * b.run, wanted, gap;
  ulong y = get_global_id (1);
  row_t r = { in + y * b.n_source * CHANNELS, b.first + first_run * b.run, runs * b.run * CHANNELS,
              min (b.count, runs * b.run) * CHANNELS, b.first + b.n_result + b.count - 1 };
  float own[ITEM], next[ITEM], suffix = 0.0f, prefix = 0.0f, share = 0.0f;
  local float *left = values + PLACE (a * ITEM_VALUES) + c, *right;

  wanted = min (r.values, (b.n_result - first_run * b.run) * CHANNELS) - l;
  load_inside (r, 0, r.values, b, own);
  load_inside (r, r.values - r.ahead + b.count * CHANNELS, r.ahead, b, next);
  store_values (r, 0, r.values, b, own, 0, values);
  store_values (r, r.values - r.ahead + b.count * CHANNELS, r.ahead, b, next, r.values, values);
  barrier (CLK_LOCAL_MEM_FENCE);

  if (a * ITEM_VALUES < r.values)
    {
      right = left + PLACE (r.ahead);
      gap = ITEM - r.ahead % ITEM_VALUES / CHANNELS;
#pragma unroll
      for (int k = ITEM - 1; k >= 0; k--)
        own[k] = suffix += b.scale * left[k * CHANNELS];
#pragma unroll
      for (int k = 0; k < ITEM; k++)
        {
          own[k] += prefix;
          prefix += b.scale * right[k * CHANNELS + (k < gap ? 0 : CHANNELS)];
        }
      share = core_share (r, (core + block) * CHANNELS + c, (core + b.count - b.run) * CHANNELS,
                          blocks * CHANNELS, b, values);
    }
  share += scan_run ((float2) (suffix + share, prefix + share), block, blocks, sums)
           + MORE_OF (y * CHANNELS + c);
  if (a * ITEM_VALUES < r.values)
#pragma unroll
    for (int k = 0; k < ITEM; k++)
      left[k * CHANNELS] = own[k] + share;
  barrier (CLK_LOCAL_MEM_FENCE);

  out += (y * b.n_result + (ulong) first_run * b.run) * CHANNELS + l;
  left = values + PLACE (l);
#pragma unroll
  for (int k = 0; k < ITEM; k++)
    if (k * GROUP < wanted)
      out[k * GROUP] = left[k * STRIDE];
}

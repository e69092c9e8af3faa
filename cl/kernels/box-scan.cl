/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur along x for GPUs; see box.clh. The samples of a row stand CHANNELS values apart. A group takes
 * `runs` whole runs, at most SPAN values: it loads their spans and what follows them side by side, and
 * makes suffixes and prefixes with Hillis-Steele scans in local memory.
 *
 * Macros: IN (type of a value), CHANNELS, MORE. */
#include "box.clh"

#define GROUP 256
#define ITEM_VALUES 4
#define SPAN (GROUP * ITEM_VALUES)
/* Cores a group has at most, where runs are shorter than boxes, and work-items each. */
#define CORES 4
#define CORE_ITEMS (GROUP / CORES)

/* As in box-rows.cl. */
static inline float
row_value (global const IN *row, int position, int c, int end, box_t b)
{
  int i = position < end ? border_map (position, b.length, b.border) : -1;

  return i < 0 ? 0.0f : b.scale * row[(ulong) (i - b.source) * CHANNELS + c];
}

/* partial[CORE_ITEMS * n] = core n of the group: run n / CHANNELS, channel n % CHANNELS. */
static inline void
sum_cores (global const IN *row, global const float *blocks, int first_run, int end, box_t b,
           local float *partial)
{
  int l = get_local_id (0), n = l / CORE_ITEMS, part = l % CORE_ITEMS;
  int c = n % CHANNELS, g = first_run + n / CHANNELS, at = b.first + g * b.run;
  float sum = 0.0f;

  for (int k = 1 + part; k <= b.n_blocks && n < CORES / CHANNELS * CHANNELS; k += CORE_ITEMS)
    if (g * b.run < b.n_result)
      sum += blocks[(ulong) (g + k) * CHANNELS + c];
  for (int s = (b.n_blocks + 1) * b.run + part; s < b.count; s += CORE_ITEMS)
    sum += row_value (row, at + s, c, end, b);
  partial[l] = sum;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int s = CORE_ITEMS / 2; s > 0; s >>= 1)
    {
      if (part < s)
        partial[l] += partial[l + s];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

/* Dimensions: work-items of a row's groups, rows. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
box_rows_scan (global const IN *restrict in, global float *restrict out,
               global const float *restrict blocks, global const float *restrict more, int runs,
               int n_spans, box_t b)
{
  local float left[SPAN], right[SPAN], cores[GROUP];
  int l = get_local_id (0), first_run = (int) get_group_id (0) * runs;
  int end = b.first + b.n_result + b.count - 1, at = b.first + first_run * b.run;
  ulong y = get_global_id (1);
  int inner[ITEM_VALUES];

  in += y * b.n_source * CHANNELS;
  out += y * b.n_result * CHANNELS;
  blocks += y * n_spans * CHANNELS;

  for (int q = 0; q < ITEM_VALUES; q++)
    {
      int u = l + q * GROUP, sample = u / CHANNELS, c = u % CHANNELS;

      inner[q] = sample % b.run;
      left[u] = sample < runs * b.run ? row_value (in, at + sample, c, end, b) : 0.0f;
      right[u] = inner[q] > 0 && sample < runs * b.run
                   ? row_value (in, at + sample + b.count - 1, c, end, b) : 0.0f;
    }
  sum_cores (in, blocks, first_run, end, b, cores);

  for (int d = 1; d < b.run; d <<= 1)
    {
      float before[ITEM_VALUES], after[ITEM_VALUES];

      for (int q = 0; q < ITEM_VALUES; q++)
        {
          int u = l + q * GROUP;

          after[q] = inner[q] + d < b.run && u + d * CHANNELS < SPAN ? left[u + d * CHANNELS] : 0.0f;
          before[q] = inner[q] - d >= 0 ? right[u - d * CHANNELS] : 0.0f;
        }
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int q = 0; q < ITEM_VALUES; q++)
        {
          left[l + q * GROUP] += after[q];
          right[l + q * GROUP] += before[q];
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  for (int q = 0; q < ITEM_VALUES; q++)
    {
      int u = l + q * GROUP, sample = u / CHANNELS, i = first_run * b.run + sample;
      int core = (sample / b.run * CHANNELS + u % CHANNELS) * CORE_ITEMS;

      if (sample < runs * b.run && i < b.n_result)
        out[(ulong) i * CHANNELS + u % CHANNELS]
          = left[u] + right[u] + (b.count > b.run ? cores[core] : 0.0f)
            + MORE_OF (y * CHANNELS + u % CHANNELS);
    }
}

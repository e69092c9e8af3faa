/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The bracket of median-bracket.clh from a sample of `count` values, and the state's beginning: one work-group.
 *
 * Each work-item takes OWN values, one from anywhere in each of as many equal parts of the array, the same
 * ones each time. With m of them that count, the bracket's ends have the sample's ranks m / 2 ± MARGIN √m: the
 * rank of a sample's median being spread by √m / 2, a middle rank of all values lies beyond about once in two
 * thousand times. The bins lie between the sample's values next to the ends: many values may equal
 * an end, with none near it.
 * Macros: those of median-bracket.clh and median-ranks.clh. */
#include "median-bracket.clh"
#include "median-ranks.clh"

#define MARGIN 1.75f

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_sample (global const IN *restrict in, ulong count, global uint *restrict words)
{
  local ranks_t ranks;
  local uint number, inner[2];
  uint l = get_local_id (0), keys[OWN], valid = 0, m, margin, low, high;
  IN v[OWN];

#pragma unroll
  for (uint i = 0; i < OWN; i++)
    {
      ulong part = i * GROUP + l, begin = count * part / (OWN * GROUP);
      uint length = (uint) (count * (part + 1) / (OWN * GROUP) - begin);

      v[i] = in[begin + mul_hi (length, (uint) part * 2654435761u)];
    }
  for (uint i = l; i < BINS; i += GROUP)
    words[STATE_WORDS + i] = 0;
  if (l == 0)
    {
      number = 0;
      inner[0] = 0xffffffffu;
      inner[1] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    {
      keys[i] = order_key (v[i]);
      valid |= COUNTS (v[i]) ? 1u << i : 0;
    }
  add_lanes (&number, popcount (valid));
  barrier (CLK_LOCAL_MEM_FENCE);

  m = number;
  margin = (uint) (MARGIN * sqrt ((float) m)) + 1;
  find_keys (&ranks, keys, valid, 32, m / 2 > margin ? m / 2 - margin : 0, min (m / 2 + margin, max (m, 1u) - 1));
  low = ranks.keys[0];
  high = ranks.keys[1];
#pragma unroll
  for (uint i = 0; i < OWN; i++)
    if ((valid >> i & 1) && keys[i] > low && keys[i] < high)
      {
        atomic_min (inner, keys[i]);
        atomic_max (inner + 1, keys[i]);
      }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (l == 0)
    {
      state_t s = { { low, high, inner[0] < inner[1] ? inner[0] : low, 0 } };

      if (inner[0] < inner[1])
        s.bracket.scale = BINS / DISTANCE (value_of (inner[1]), value_of (inner[0]));
      s.failed = m == 0;
      s.least = 0xffffffffu;
      *(global state_t *) words = s;
    }
}

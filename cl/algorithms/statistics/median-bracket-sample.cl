/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the bracket of median-bracket.clh from a sample of `count` values, and the initial state. One work-group.
 *
 * Each work-item takes OWN values, one from a pseudo-random position in each of OWN equal parts of the array; positions
 * are the same on every run. If m sampled values are not NaN, the ends of the bracket have the ranks m / 2 ± MARGIN √m
 * in the sample: the rank of the median in a sample has a standard deviation of √m / 2, so that a middle rank of all
 * values is outside about once in two thousand times. The bins lie between the sampled values next to the ends, since
 * many values may equal an end with none near it. Macros: those of median-bracket.clh and median-ranks.clh. */
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

UNROLL
  for (uint i = 0; i < OWN; i++)
    {
      ulong part = i * GROUP + l, begin = count * part / (OWN * GROUP);
      uint length = (uint) (count * (part + 1) / (OWN * GROUP) - begin);

      v[i] = in[begin + mul_hi (length, (uint) part * 2654435761u)];
    }
  for (uint i = l; i < BRACKET_BINS; i += GROUP)
    words[BRACKET_STATE_WORDS + i] = 0;
  if (l == 0)
    {
      number = 0;
      inner[0] = 0xffffffffu;
      inner[1] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
UNROLL
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
UNROLL
  for (uint i = 0; i < OWN; i++)
    if ((valid >> i & 1) && keys[i] > low && keys[i] < high)
      {
        atomic_min (inner, keys[i]);
        atomic_max (inner + 1, keys[i]);
      }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (l == 0)
    {
      bracket_state_t s = { { low, high, inner[0] < inner[1] ? inner[0] : low, 0 } };

      if (inner[0] < inner[1])
        s.bracket.scale = BRACKET_BINS / DISTANCE (value_of (inner[1]), value_of (inner[0]));
      s.failed = m == 0;
      s.least = 0xffffffffu;
      *(global bracket_state_t *) words = s;
    }
}

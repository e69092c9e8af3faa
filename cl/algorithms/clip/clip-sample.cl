/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the pivot and the bins of a clipping (clip.clh) from a sample of `count` values, and the initial state. One
 * work-group. Each work-item takes OWN values, one from a pseudo-random position in each of OWN equal parts of the
 * array; positions are the same on every run. The pivot is the median of the sample. Distances are divided into bins
 * from 2^-10 of that between the median and the upper quartile on; if that is 0, of the smallest one in the sample.
 * Macros: those of clip.clh and median-ranks.clh. */
#include "clip.clh"
#include "lanes.clh"
#include "median-ranks.clh"

#define BEGIN_BELOW (10u << 23)

/* The start of the bins. @quartile: the distance of the quartile from the pivot; @nearest: the smallest distance in the
 * sample that is not 0; both as bits of a float. */
inline uint
choose_base (uint pivot, uint quartile, uint nearest)
{
  if (quartile == 0)
    quartile = nearest < 0xffffffffu ? nearest : as_uint (fabs ((float) value_of (pivot)) * 0x1p-20f);
  return max (quartile, BEGIN_BELOW) - BEGIN_BELOW;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
clip_sample (global const IN *restrict in, ulong count, global uint *restrict words)
{
  local ranks_t ranks;
  local uint number, nearest;
  uint l = get_local_id (0), keys[OWN], valid = 0, own_nearest = 0xffffffffu, m;
  uint pivot, quartile;

UNROLL
  for (uint i = 0; i < OWN; i++)
    {
      ulong part = i * GROUP + l, begin = count * part / (OWN * GROUP);
      uint length = (uint) (count * (part + 1) / (OWN * GROUP) - begin);
      IN v = in[begin + mul_hi (length, (uint) part * 2654435761u)];

      keys[i] = order_key (v);
      valid |= COUNTS (v) ? 1u << i : 0;
    }
  for (uint i = l; i < CLIP_BINS; i += GROUP)
    words[CLIP_COUNTS + i] = 0;
  if (l == 0)
    {
      number = 0;
      nearest = 0xffffffffu;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  add_lanes (&number, popcount (valid));
  barrier (CLK_LOCAL_MEM_FENCE);
  m = number;
  find_keys (&ranks, keys, valid, 32, m / 2, max (m, 1u) - 1 - m / 4);
  pivot = m ? ranks.keys[0] : order_key (0);
  quartile = m ? ranks.keys[1] : pivot;
UNROLL
  for (uint i = 0; i < OWN; i++)
    {
      uint bits = as_uint (fabs (distance_of (value_of (keys[i]), PIVOT (pivot))));

      if ((valid >> i & 1) && bits > 0)
        own_nearest = min (own_nearest, bits);
    }
  if (own_nearest < 0xffffffffu)
    atomic_min (&nearest, own_nearest);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    {
      clip_state_t s = { .status = CLIP_RUNNING, .low = KEY_FIRST, .high = KEY_LAST, .pivot = pivot };

      s.base = choose_base (pivot, as_uint (fabs (distance_of (value_of (quartile), PIVOT (pivot)))), nearest);
      *(global clip_state_t *) words = s;
    }
}

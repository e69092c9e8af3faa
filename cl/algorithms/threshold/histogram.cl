/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Histogram of finite values in 256 bins between 257 edges (histogram.clh). `counts`: 256 for every `span`
 * groups, so few that no counter overflows; 0 before. `plan`: words with least, pre and scale (position.clh),
 * near, margin, three of other use, and from word 8 on the edges.
 * Macros: those of values.clh, FINITE. */
#define EDGE_SPACE constant
#include "histogram.clh"

#ifdef REAL
#define AS_EDGE(word) (word)
#else
#define AS_EDGE(word) JOIN (as_, EDGE) (word)
#endif
#define READ_PLAN                                                                                  \
  EDGE least = AS_EDGE (plan[0]);                                                                  \
  float pre = plan[1], scale = plan[2], near = plan[3], margin = plan[4];                          \
  constant EDGE *edges = (constant EDGE *) (plan + 8)

#if GROUP == 1
#define COPIES 4 /* equal neighbours must not wait for each other */

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
histogram (global const IN *restrict in, ulong count, ulong chunk, ulong span,
           constant float *plan, global uint *restrict counts)
{
  READ_PLAN;
  uint own[COPIES * (BINS + 1)];

  for (uint i = 0; i < COPIES * (BINS + 1); i++)
    own[i] = 0;

  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = ((global const values_t *) in)[i];
      floats_t x = POSITIONS (v);
      ints_t bins = min (CONVERT_INTS (x), BINS - 1);
      floats_t past = x - CONVERT_FLOATS (bins);
      ints_t unsure = ((past < near) | (past > 1 - near)) & (x > margin) & (x < BINS - margin);
      int bin[VEC];

#ifdef REAL
      bins = COUNTS (v) ? bins : (ints_t) (BINS);
#endif
      VSTORE (bins, 0, bin);
      if (any_lane (unsure))
        {
          for (uint j = 0; j < VEC; j++)
            own[bin_of (in[i * VEC + j], least, pre, scale, edges)]++;
          continue;
        }
      for (uint j = 0; j < VEC; j++)
        own[j % COPIES * (BINS + 1) + bin[j]]++;
    }
  for (ulong i = TAIL_BEGIN; i < count; i++)
    own[bin_of (in[i], least, pre, scale, edges)]++;

  counts += get_group_id (0) / span * BINS;
  for (uint i = 0; i < BINS; i++)
    {
      uint n = 0;

      for (uint j = 0; j < COPIES; j++)
        n += own[j * (BINS + 1) + i];
      if (n)
        atomic_add (counts + i, n);
    }
}
#else
#include "histogram-groups.clh"

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
histogram (global const IN *restrict in, ulong count, ulong chunk, ulong span,
           constant float *plan, global uint *restrict counts)
{
  READ_PLAN;
  bins_t bins = bins_from (least, pre, scale, near, edges);
  local uint own[OWN_WORDS];
  local uint *mine = begin_counts (own);

  count_vectors (in, (ulong) get_group_id (0) * chunk, VECTORS_END, bins, mine);
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    count_value (in[t], bins, mine);
  end_counts (own, counts + get_group_id (0) / span * BINS);
}
#endif

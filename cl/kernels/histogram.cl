/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of finite values in 256 bins between 257 `edges`: bin i holds edges[i] <= v < edges[i + 1], the
 * last one also its upper edge.
 *
 * The bin comes from the position (position.clh); where that is within `near` of an edge, though not
 * within `margin` of an end, the value is compared with the edges of its bin, which moves it by at most
 * one. `counts`: 256 for every `span` groups, so few that no counter overflows; 0 before.
 * `plan`: words with least, pre and scale (position.clh), near, margin, three of other use, and from
 * word 8 on the edges.
 * Macros: those of values.clh, FINITE. */
#include "position.clh"

#define BINS 256

#ifdef REAL
#define AS_EDGE(word) (word)
#else
#define AS_EDGE(word) JOIN (as_, EDGE) (word)
#endif
#define READ_PLAN                                                                                  \
  EDGE least = AS_EDGE (plan[0]);                                                                  \
  float pre = plan[1], scale = plan[2], near = plan[3], margin = plan[4];                          \
  constant EDGE *edges = (constant EDGE *) (plan + 8)

inline uint
next_to (EDGE v, uint bin, constant EDGE *edges)
{
  bin -= bin > 0 && v < edges[bin];
  return bin + (bin < BINS - 1 && v >= edges[bin + 1]);
}

/* Bin of a single value, BINS if it does not count. */
inline uint
bin_of (IN v, EDGE least, float pre, float scale, constant EDGE *edges)
{
  float x = clamp (POSITION (v), 0.0f, (float) (BINS - 1));

  return COUNTS (v) ? next_to (v, (uint) x, edges) : BINS;
}

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
#define COPIES 8 /* one for every 32 work-items */

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
histogram (global const IN *restrict in, ulong count, ulong chunk, ulong span,
           constant float *plan, global uint *restrict counts)
{
  READ_PLAN;
  local uint own[COPIES * (BINS + 1)];
  uint l = get_local_id (0);
  local uint *mine = own + l * COPIES / GROUP * (BINS + 1);
  global const values_t *vectors = (global const values_t *) in;
  ulong i = VECTORS_BEGIN, end = VECTORS_END;

  for (uint j = l; j < COPIES * (BINS + 1); j += GROUP)
    own[j] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

#define TAKE(vector)                                                                               \
  {                                                                                                \
    IN v[VEC];                                                                                     \
                                                                                                   \
    VSTORE (vector, 0, v);                                                                         \
    for (uint j = 0; j < VEC; j++)                                                                 \
      {                                                                                            \
        float x = POSITION (v[j]), t = max (x - 0.5f, 0.0f) + 8388608.0f, past = x - (t - 8388608.0f); \
        uint bin = min (as_uint (t) - 0x4b000000u, BINS - 1u);                                     \
                                                                                                   \
        if (COUNTS (v[j]))                                                                         \
          {                                                                                        \
            if ((past < near || past > 1 - near) && x > margin && x < BINS - margin)               \
              bin = next_to (v[j], bin, edges);                                                    \
            atomic_inc (mine + bin);                                                               \
          }                                                                                        \
      }                                                                                            \
  }

  for (; i + (DEEP - 1) * GROUP < end; i += DEEP * GROUP)
    {
      values_t many[DEEP];

#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        many[k] = vectors[i + k * GROUP];
#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        TAKE (many[k]);
    }
  for (; i < end; i += GROUP)
    TAKE (vectors[i]);
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    atomic_inc (mine + bin_of (in[t], least, pre, scale, edges));
  barrier (CLK_LOCAL_MEM_FENCE);

  counts += get_group_id (0) / span * BINS;
  for (uint b = l; b < BINS; b += GROUP)
    {
      uint n = 0;

      for (uint j = 0; j < COPIES; j++)
        n += own[j * (BINS + 1) + b];
      if (n)
        atomic_add (counts + b, n);
    }
}
#endif

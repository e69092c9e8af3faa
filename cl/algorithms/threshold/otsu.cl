/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: Otsu's threshold of float images without a transfer to the host. otsu_range finds the extremes of each
 * group; otsu_count computes the bins from them, in each group again, and counts; its last group finds the threshold.
 *
 * Groups process every n-th chunk of the image, VECTORS_AHEAD vectors a work-item; otsu_count does so from the end to
 * the start. So it begins with values that are still in the cache, and leaves there those that the mask begins with.
 * `words` are laid out as histogram-params.h says. Every number is computed in double by the same operations as on the
 * host (threshold-histogram.c), so that both count the same. Macros: those of values.clh for floats and groups of 256
 * or more, FINITE, BARRIERS_OUTSIDE_BRANCHES (see below). Requires cl_khr_fp64. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define EDGE_SPACE local
#include "extremes.clh"
#include "histogram.clh"
#include "histogram-group.clh"
#include "last-group.clh"
#include "otsu-search.clh"

/* A quirk (quirks.ini): some compilers break barriers in branches, also in those that all work-items take. */
#ifdef BARRIERS_OUTSIDE_BRANCHES
#define COUNT_ALWAYS 1
#else
#define COUNT_ALWAYS 0
#endif

#define CHUNKS ((count / VEC + chunk - 1) / chunk)

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
otsu_range (global const IN *restrict in, ulong count, ulong chunk, global uint2 *restrict ranges,
            global uint *restrict words)
{
  local uint2 all[GROUP];
  range_t range = range_begin (in);
  ulong tail = get_group_id (0) == 0 ? count / VEC * VEC + get_local_id (0) : count;
  uint2 keys;

  if (get_group_id (0) == 0)
    for (uint b = get_local_id (0); b < HISTOGRAM_BINS; b += GROUP)
      words[OTSU_COUNTS + b] = 0;
  if (get_global_id (0) == 0)
    words[OTSU_TICKET] = 0;
  for (ulong c = get_group_id (0); c < CHUNKS; c += get_num_groups (0))
    range_extend_by (&range, in, c * chunk, min ((c + 1) * chunk, count / VEC));
  keys = range_of_group (range_keys (range, in, tail, count), all);
  if (get_local_id (0) == 0)
    ranges[get_group_id (0)] = keys;
}

inline float
next_above (float value)
{
  uint bits = as_uint (value + 0.0f);

  return as_float (bits >> 31 ? bits - 1 : bits + 1);
}

/* Bins between min and max, as capra_position_scale() and histogram_layout() compute them on the host. */
inline bins_t
make_bins (double min, double max, local float *edges)
{
  int exponent = ilogb (max - min);
  float pre = abs (exponent) > 60 ? ldexp (1.0f, clamp (-exponent, -126, 126)) : 1.0f;
  double near = 1e-4 + fmax (fabs (min), fabs (max)) * FLT_EPSILON / 2 * HISTOGRAM_BINS / (max - min);

  for (uint b = get_local_id (0); b < HISTOGRAM_BINS; b += GROUP)
    edges[b] = (float) (b * ((max - min) / HISTOGRAM_BINS) + min);
  if (get_local_id (0) == 0)
    edges[HISTOGRAM_BINS] = (float) max;
  return bins_from ((float) min, pre, (float) (HISTOGRAM_BINS / ((max - min) * pre)), (float) fmin (near, 1.0), edges);
}

/* Loads the vectors of this work-item in a chunk; NaN, which is not counted, behind the last. */
inline void
load_chunk (global const IN *in, uint chunk, uint vectors, values_t *v)
{
  uint i = chunk * (VECTORS_AHEAD * GROUP) + get_local_id (0);

UNROLL
  for (uint k = 0; k < VECTORS_AHEAD; k++)
    v[k] = i + k * GROUP < vectors ? ((global const values_t *) in)[i + k * GROUP] : (values_t) (NAN);
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
otsu_count (global const IN *restrict in, ulong count, ulong chunk, global const uint2 *restrict ranges,
            global volatile uint *words)
{
  local union {
    uint2 keys[GROUP];
    uint counts[OWN_WORDS];
    search_t search;
  } own;
  local float edges[HISTOGRAM_BINS + 1];
  local uint last;
  local uint *mine;
  uint l = get_local_id (0), state, bin, groups = get_num_groups (0), vectors = (uint) (count / VEC);
  uint rounds = ((uint) CHUNKS + groups - 1) / groups, at = (rounds - 1) * groups + get_group_id (0);
  uint2 keys = (uint2) (0xffffffffu, 0);
  values_t next[VECTORS_AHEAD];
  ulong tail;
  float value;
  bins_t bins;

  /* These loads are in flight while the bins are computed. */
  load_chunk (in, at, vectors, next);
  for (uint i = l; i < groups; i += GROUP)
    keys = (uint2) (min (keys.x, ranges[i].x), max (keys.y, ranges[i].y));
  keys = range_of_group (keys, own.keys);
  state = keys.x > keys.y ? OTSU_NO_VALUE : value_of (keys.x) == value_of (keys.y) ? OTSU_CONSTANT : OTSU_FOUND;

  if (COUNT_ALWAYS || state == OTSU_FOUND)
    {
      rounds = state == OTSU_FOUND ? rounds : 0;
      tail = state == OTSU_FOUND && get_group_id (0) == 0 ? count / VEC * VEC + l : count;
      bins = state == OTSU_FOUND ? make_bins (value_of (keys.x), value_of (keys.y), edges) : make_bins (0, 1, edges);
      barrier (CLK_LOCAL_MEM_FENCE);
      mine = begin_counts (own.counts);
      for (; rounds > 0; rounds--, at -= groups)
        {
UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            count_vector (next[k], bins, mine);
          if (rounds > 1)
            load_chunk (in, at - groups, vectors, next);
        }
      for (ulong t = tail; t < count; t += GROUP)
        count_value (in[t], bins, mine);
      end_counts (own.counts, words + OTSU_COUNTS);
    }
  if (!is_last_group (words + OTSU_TICKET, &last))
    return;
  bin = otsu_search (words + OTSU_COUNTS, edges, &own.search);
  if (l == 0)
    {
      value = (float) (((double) edges[bin] + (double) edges[bin + 1]) / 2);
      value = state == OTSU_FOUND ? value : state == OTSU_CONSTANT ? value_of (keys.x) : NAN;
      words[OTSU_STATE] = state;
      words[OTSU_VALUE] = as_uint (value);
      words[OTSU_ABOVE] = as_uint (next_above (value));
    }
}

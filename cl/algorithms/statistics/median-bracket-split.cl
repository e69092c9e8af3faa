/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the pass over all values of a median by bracket (median-bracket.clh). Counts the values below the bracket,
 * at its ends and between them, the latter by bins, and keeps those between the ends. Groups take rounds of
 * VECTORS_AHEAD vectors a work-item in turn, so that parts of an image that are entirely in the bracket are shared by
 * all. A work-item stores the values it keeps at intervals of the number of all work-items, and writes their number.
 * Few values are in the bracket, but most rounds of 32 work-items have some: a round is first searched without
 * branches, then the values that were found are loaded again from the nearest cache. Macros: those of
 * median-bracket.clh. */
#include "median-bracket.clh"

typedef struct {
  IN low, high, first;
  float scale;
  uint below, nans, at_low, at_high, inside;
} own_t;

/* Processes a value that is in the bracket or NaN. */
inline void
take_value (own_t *own, IN value, local uint *bins, global IN *kept)
{
  if (!COUNTS (value))
    own->nans++;
  else if (value == own->low)
    own->at_low++;
  else if (value == own->high)
    own->at_high++;
  else
    {
      kept[(size_t) own->inside++ * get_global_size (0)] = value;
      atomic_inc (bins + bin_of (value, own->first, own->scale));
    }
}

/* Processes the first `vectors` of @many, which were loaded from @from on, GROUP apart. */
inline void
take_vectors (own_t *own, const values_t *many, global const values_t *from, uint vectors, local uint *bins,
              global IN *kept)
{
  uint matches = 0;

UNROLL
  for (uint k = 0; k < VECTORS_AHEAD; k++)
    {
      IN v[VEC];

      VSTORE (many[k], 0, v);
UNROLL
      for (uint j = 0; j < VEC; j++)
        if (k < vectors)
          {
            own->below += v[j] < own->low;
            matches |= (uint) !(v[j] < own->low || v[j] > own->high) << (k * VEC + j);
          }
    }
NO_UNROLL
  while (matches)
    {
      uint i = 31 - clz (matches);

      matches ^= 1u << i;
      take_value (own, ((global const IN *) (from + i / VEC * GROUP))[i % VEC], bins, kept);
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_split (global const IN *restrict in, ulong count, global uint *words, global IN *restrict kept,
              global uint *restrict numbers)
{
  global bracket_t *bracket = &((global bracket_state_t *) words)->bracket;
  local uint bins[BRACKET_BINS], sums[5];
  own_t own = { value_of (bracket->low), value_of (bracket->high), value_of (bracket->first), bracket->scale };
  global const values_t *vectors = (global const values_t *) in;
  uint l = get_local_id (0), whole = (uint) (count / VEC);

  for (uint i = l; i < BRACKET_BINS; i += GROUP)
    bins[i] = 0;
  if (l < 5)
    sums[l] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  kept += get_global_id (0);

  for (uint i = get_group_id (0) * VECTORS_AHEAD * GROUP + l; i < whole; i += VECTORS_AHEAD * get_global_size (0))
    {
      values_t many[VECTORS_AHEAD];

      if (i + (VECTORS_AHEAD - 1) * GROUP < whole)
        {
UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            many[k] = vectors[i + k * GROUP];
          take_vectors (&own, many, vectors + i, VECTORS_AHEAD, bins, kept);
        }
      else
        for (uint j = i; j < whole; j += GROUP)
          {
            many[0] = vectors[j];
            take_vectors (&own, many, vectors + j, 1, bins, kept);
          }
    }
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    {
      own.below += in[t] < own.low;
      if (!(in[t] < own.low || in[t] > own.high))
        take_value (&own, in[t], bins, kept);
    }

  numbers[get_global_id (0)] = own.inside;
  add_lanes (sums, own.below);
  add_lanes (sums + 1, own.nans);
  add_lanes (sums + 2, own.at_low);
  add_lanes (sums + 3, own.at_high);
  add_lanes (sums + 4, own.inside);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < BRACKET_BINS; i += GROUP)
    if (bins[i])
      atomic_add (words + BRACKET_STATE_WORDS + i, bins[i]);
  if (l < 5 && sums[l])
    atomic_add (&bracket->below + l, sums[l]);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The pass over all values of a median by bracket (median-bracket.clh): counts what lies below it, at its ends,
 * and between them, the latter by bins, and keeps what lies between. Rounds of VECTORS_AHEAD vectors a work-item go
 * around the groups, so that parts of an image that lie in the bracket as a whole hold no group up. Each
 * work-item keeps what it finds in places of its own, as many apart as there are work-items in all, and
 * writes down how many.
 * Few values are in the bracket, but most rounds of 32 work-items have some: first a round is searched,
 * without branches, then what was found is loaded again, from the nearest cache.
 * Macros: those of median-bracket.clh. */
#include "median-bracket.clh"

typedef struct {
  IN low, high, first;
  float scale;
  uint below, nans, at_low, at_high, inside;
} own_t;

/* Takes a value that is in the bracket or no number. */
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

/* Takes the first `vectors` of @many, which came from @from on, GROUP apart. */
inline void
take_vectors (own_t *own, const values_t *many, global const values_t *from, uint vectors, local uint *bins,
              global IN *kept)
{
  uint matches = 0;

#pragma unroll
  for (uint k = 0; k < VECTORS_AHEAD; k++)
    {
      IN v[VEC];

      VSTORE (many[k], 0, v);
#pragma unroll
      for (uint j = 0; j < VEC; j++)
        if (k < vectors)
          {
            own->below += v[j] < own->low;
            matches |= (uint) !(v[j] < own->low || v[j] > own->high) << (k * VEC + j);
          }
    }
#pragma unroll 1
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
  global bracket_t *bracket = &((global state_t *) words)->bracket;
  local uint bins[BINS], sums[5];
  own_t own = { value_of (bracket->low), value_of (bracket->high), value_of (bracket->first), bracket->scale };
  global const values_t *vectors = (global const values_t *) in;
  uint l = get_local_id (0), whole = (uint) (count / VEC);

  for (uint i = l; i < BINS; i += GROUP)
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
#pragma unroll
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
  for (uint i = l; i < BINS; i += GROUP)
    if (bins[i])
      atomic_add (words + STATE_WORDS + i, bins[i]);
  if (l < 5 && sums[l])
    atomic_add (&bracket->below + l, sums[l]);
}

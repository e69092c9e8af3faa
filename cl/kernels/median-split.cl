/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over all values of a median by bracket (median-bracket.clh): each group counts what counts and what
 * lies below the bracket, keeps the keys within it, in its part of `kept` (their number in `numbers`), and
 * counts them by bins. The last group finds the bins where the middle ranks, (n - 1) / 2 and n / 2, fall.
 * Macros: those of median-bracket.clh. */
#include "last-group.clh"
#include "median-list.clh"

/* The bins of both ranks from the counts of all groups. */
inline void
find_bins (global const volatile uint *counts, global volatile state_t *state, local uint2 *sums)
{
  uint l = get_local_id (0), own = 0, valid = state->valid, before = state->below, at;

  for (uint i = 0; i < BINS / GROUP; i++)
    own += counts[l * (BINS / GROUP) + i];
  at = before + scan_group ((uint2) (own, 0), sums).x - own;
  for (uint i = 0; i < 2; i++)
    {
      uint rank = i ? valid / 2 : (max (valid, 1u) - 1) / 2, first = at;

      if (l == 0 && (rank < before || rank >= before + sums[GROUP - 1].x))
        state->failed = 1;
      if (rank >= at && rank < at + own)
        for (uint j = 0; j < BINS / GROUP; j++)
          {
            uint n = counts[l * (BINS / GROUP) + j];

            if (rank >= first && rank < first + n)
              {
                state->bins[i] = l * (BINS / GROUP) + j;
                state->ranks[i] = rank - first;
              }
            first += n;
          }
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_split (global const IN *restrict in, ulong count, ulong chunk, global volatile uint *words,
              global uint *restrict kept, global uint *restrict numbers)
{
  global volatile state_t *state = (global volatile state_t *) words;
  local own_t own;
  local uint2 sums[GROUP];
  local uint last;
  uint l = get_local_id (0);
  bracket_t b = { value_of (state->low), value_of (state->high), state->scale, 0, 0 };
  global const values_t *vectors = (global const values_t *) in;
  ulong begin = (ulong) get_group_id (0) * chunk, end = VECTORS_END;
  values_t many[DEEP];

  if (state->failed)
    return;
  for (uint i = l; i < BINS; i += GROUP)
    own.bins[i] = 0;
  if (l == 0)
    own.number = own.kept = own.below = own.valid = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  kept += begin * VEC;

  for (ulong i = begin + l; i < end; i += DEEP * GROUP)
    if (i + (DEEP - 1) * GROUP < end)
      {
#pragma unroll
        for (uint k = 0; k < DEEP; k++)
          many[k] = vectors[i + k * GROUP];
        take_vectors (&own, many, vectors + i, DEEP, &b, kept);
      }
    else
      for (ulong j = i; j < end; j += GROUP)
        {
          many[0] = vectors[j];
          take_vectors (&own, many, vectors + j, 1, &b, kept);
        }
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    {
      b.valid += COUNTS (in[t]);
      b.below += in[t] < b.low;
      if (in[t] >= b.low && in[t] <= b.high)
        keep_value (&own, &b, in[t], kept);
    }
  keep_list (&own, &b, kept);

  atomic_add (&own.below, b.below);
  atomic_add (&own.valid, b.valid);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < BINS; i += GROUP)
    if (own.bins[i])
      atomic_add (words + STATE_WORDS + i, own.bins[i]);
  if (l == 0)
    {
      atomic_add (&state->below, own.below);
      atomic_add (&state->valid, own.valid);
      numbers[get_group_id (0)] = own.kept;
    }
  if (is_last_group (&state->ticket, &last))
    find_bins (words + STATE_WORDS, state, sums);
}

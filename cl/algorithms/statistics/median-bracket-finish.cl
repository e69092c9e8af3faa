/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the end of a median by bracket (median-bracket.clh). All groups, which are those of median-bracket-split.cl,
 * look up the bins of the middle ranks and go through the values that were kept. If the keys of these bins fit into the
 * list, the last group finds the ranks among them. Otherwise only the extremes of the bins are found, which suffice if
 * a bin holds equal values or the ranks are in different bins. Macros: those of median-bracket.clh and
 * median-ranks.clh, OWN times GROUP being BRACKET_LIST. */
#include "last-group.clh"
#include "median-bracket.clh"
#include "median-ranks.clh"

#define AHEAD 4 /* kept values that a work-item loads at a time */

typedef struct {
  uint ranks[2], bins[2], left[2], sizes[2]; /* the middle ranks, their bins, the ranks within and the sizes of these */
} middle_t;

/* Looks up the bins of the middle ranks; BRACKET_BINS for ranks at the ends of the bracket. */
inline void
find_middle (local middle_t *middle, const bracket_t *b, global const uint *bins, uint count, local uint *sums)
{
  uint l = get_local_id (0), own[BRACKET_BINS / GROUP], sum = 0, before, n = count - b->nans;
  const uint ranks[2] = { (max (n, 1u) - 1) / 2, n / 2 };

UNROLL
  for (uint i = 0; i < BRACKET_BINS / GROUP; i++)
    sum += own[i] = bins[l * (BRACKET_BINS / GROUP) + i];
  if (l < 2)
    {
      middle->ranks[l] = l ? ranks[1] : ranks[0];
      middle->bins[l] = BRACKET_BINS;
      middle->left[l] = middle->sizes[l] = 0;
    }
  before = b->below + b->at_low + scan_group (sum, sums) - sum;
UNROLL
  for (uint e = 0; e < 2; e++)
    {
      uint bin, left;

      if (find_part (own, BRACKET_BINS / GROUP, before, ranks[e], &bin, &left))
        {
          middle->bins[e] = l * (BRACKET_BINS / GROUP) + bin;
          middle->left[e] = left;
          middle->sizes[e] = bins[l * (BRACKET_BINS / GROUP) + bin];
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* The key of a middle rank: `listed` if the list has the keys of the bins, else an extreme of its bin. */
inline void
end_rank (global uint *words, const bracket_t *b, local const middle_t *middle, uint upper, int listing, uint listed)
{
  global volatile bracket_state_t *state = (global volatile bracket_state_t *) words;
  uint rank = middle->ranks[upper], begin = b->below + b->at_low, end = begin + b->inside;
  uint least = state->least, most = state->most;

  if (rank < b->below || rank >= end + b->at_high
      || (!listing && middle->bins[0] == middle->bins[1] && middle->bins[0] < BRACKET_BINS && least != most))
    state->failed = 1;
  else if (rank < begin)
    state->result[upper] = b->low;
  else if (rank >= end)
    state->result[upper] = b->high;
  else
    state->result[upper] = listing ? listed : upper ? least : most;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_finish (uint count, global uint *words, global const IN *restrict kept,
               global const uint *restrict numbers)
{
  global volatile bracket_state_t *state = (global volatile bracket_state_t *) words;
  global volatile uint *list = words + BRACKET_STATE_WORDS + BRACKET_BINS;
  const bracket_t bracket = ((global const bracket_state_t *) words)->bracket;
  local ranks_t ranks;
  local middle_t middle;
  local uint last, least, most;
  uint l = get_local_id (0), number = numbers[get_global_id (0)], apart, members, keys[OWN], valid = 0;
  uint lowest = 0xffffffffu, highest = 0;
  IN first = value_of (bracket.first);
  int listing, ending;

  if (l == 0)
    {
      least = 0xffffffffu;
      most = 0;
    }
  find_middle (&middle, &bracket, words + BRACKET_STATE_WORDS, count, ranks.sums);
  apart = middle.bins[0] != middle.bins[1];
  members = middle.sizes[0] + (apart ? middle.sizes[1] : 0);
  listing = members <= BRACKET_LIST;

  kept += get_global_id (0);
  for (uint i = 0; i < number; i += AHEAD)
    {
      IN v[AHEAD];

UNROLL
      for (uint j = 0; j < AHEAD; j++)
        v[j] = kept[(size_t) min (i + j, number - 1) * get_global_size (0)];
UNROLL
      for (uint j = 0; j < AHEAD; j++)
        {
          uint bin = i + j < number ? bin_of (v[j], first, bracket.scale) : BRACKET_BINS + 1;

          if (listing && (bin == middle.bins[0] || bin == middle.bins[1]))
            WRITE_GLOBAL (list + atomic_inc (&state->listed), order_key (v[j]));
          else if (bin == middle.bins[0] || bin == middle.bins[1])
            {
              if (bin == middle.bins[0])
                atomic_max (&most, order_key (v[j]));
              if (bin == middle.bins[1])
                atomic_min (&least, order_key (v[j]));
            }
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (l == 0 && most > 0)
    atomic_max (&state->most, most);
  if (l == 0 && least < 0xffffffffu)
    atomic_min (&state->least, least);
  ending = is_last_group (&state->ticket, &last) && listing && members > 0;

  /* Barriers must not be in a branch, so the other groups go through this with no keys. */
  if (l == 0)
    {
      least = 0xffffffffu;
      most = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
UNROLL
  for (uint i = 0; i < OWN; i++)
    {
      keys[i] = 0;
      if (ending && i * GROUP + l < members)
        {
          keys[i] = READ_GLOBAL (list + i * GROUP + l);
          valid |= 1u << i;
          lowest = min (lowest, keys[i]);
          highest = max (highest, keys[i]);
        }
    }
  extend_lanes (&least, &most, lowest, highest);
  barrier (CLK_LOCAL_MEM_FENCE);
  lowest = ending ? least : 0;
UNROLL
  for (uint i = 0; i < OWN; i++)
    keys[i] -= lowest;
  find_keys (&ranks, keys, valid, ending ? 32 - clz (most - lowest) : 0, middle.left[0],
             middle.left[1] + (apart ? middle.sizes[0] : 0));
  if (last && l < 2)
    end_rank (words, &bracket, &middle, l, listing, lowest + ranks.keys[l]);
}

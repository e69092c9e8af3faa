/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a median by bracket (median-bracket.clh): of the keys that median-split.cl kept, `chunk` times VEC
 * places a group, those in the bins of the middle ranks. If the ranks fall into two bins, the wanted keys are
 * the most of the first bin and the least of the second. If all keys of one bin are equal, that is the
 * wanted one; else the last group finds it in `list`, where up to LIST keys of the bin are put.
 * Macros: those of median-bracket.clh. */
#include "last-group.clh"
#include "median-bracket.clh"

#define OWN_LIST 256 /* keys a group collects before it asks for places in the list */

typedef struct {
  uint keys[OWN_LIST], number, place, least, most;
} own_t;

/* Puts what the group has collected into the list. */
inline void
flush (local own_t *own, global volatile state_t *state, global volatile uint *list)
{
  uint l = get_local_id (0), n = min (own->number, (uint) OWN_LIST);

  if (l == 0 && own->number > 0)
    own->place = atomic_add (&state->listed, own->number);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < n; i += GROUP)
    if (own->place + i < LIST)
      list[own->place + i] = own->keys[i];
}

/* The keys with the middle ranks among the listed ones. */
inline void
rank_list (global volatile state_t *state, global const volatile uint *list, local uint4 *fours)
{
  local uint *keys = (local uint *) fours;
  uint l = get_local_id (0), n = state->listed, wanted[] = { state->ranks[0], state->ranks[1] };

  for (uint i = l; i < (n + 3) / 4 * 4; i += GROUP)
    keys[i] = i < n ? list[i] : 0xffffffffu;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = l; i < n; i += GROUP)
    {
      uint key = keys[i], rank;
      int4 smaller = 0, equal = 0;

#pragma unroll 4
      for (uint j = 0; j < (n + 3) / 4; j++)
        {
          smaller -= fours[j] < key;
          equal -= fours[j] == key;
        }
      rank = (uint) (smaller.x + smaller.y + smaller.z + smaller.w);
      for (uint j = 0; j < 2; j++)
        if (wanted[j] >= rank
            && wanted[j] < rank + (uint) (equal.x + equal.y + equal.z + equal.w))
          state->result[j] = key;
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
median_finish (ulong chunk, global volatile uint *words, global const uint *restrict kept,
               global const uint *restrict numbers)
{
  global volatile state_t *state = (global volatile state_t *) words;
  global volatile uint *list = words + STATE_WORDS + BINS;
  local own_t own;
  local uint4 fours[LIST / 4];
  local uint last;
  uint l = get_local_id (0), number = numbers[get_group_id (0)], least = 0xffffffffu, most = 0;
  uint first = state->bins[0], second = state->bins[1];
  IN low = value_of (state->low);
  float scale = state->scale;

  if (state->failed)
    return;
  if (l == 0)
    {
      own.number = own.most = 0;
      own.least = 0xffffffffu;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  kept += get_group_id (0) * chunk * VEC;
  for (uint i = l; i < number; i += DEEP * GROUP)
    {
      uint key[DEEP];

#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        key[k] = kept[min (i + k * GROUP, number - 1)];
#pragma unroll
      for (uint k = 0; k < DEEP; k++)
        {
          uint bin = i + k * GROUP < number ? bin_of (value_of (key[k]), low, scale) : BINS;

          most = max (most, bin == first ? key[k] : 0);
          least = min (least, bin == second ? key[k] : 0xffffffffu);
          if (bin == first && bin == second)
            {
              uint at = atomic_inc (&own.number);

              if (at < OWN_LIST)
                own.keys[at] = key[k];
            }
        }
    }
  if (most > 0 || least < 0xffffffffu)
    {
      atomic_max (&own.most, most);
      atomic_min (&own.least, least);
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  flush (&own, state, list);
  if (l == 0)
    {
      /* Keys that had no place make the list too long to be used. */
      if (own.number > OWN_LIST)
        atomic_add (&state->listed, LIST);
      if (own.most > 0)
        atomic_max (&state->most, own.most);
      if (own.least < 0xffffffffu)
        atomic_min (&state->least, own.least);
    }
  if (!is_last_group (&state->ticket, &last))
    return;
  if (first != second || state->least == state->most)
    {
      if (l == 0)
        {
          state->result[0] = state->most;
          state->result[1] = state->least;
        }
    }
  else if (state->listed <= LIST)
    rank_list (state, list, fours);
  else if (l == 0)
    state->failed = 1;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: clipping (clip.clh), the variant `group`. Groups of many work-items take every n-th chunk, `chunk` vectors.
 * Macros: those of clip-group.clh; LAST_GROUP if the last group of a kernel continues with the prediction or the
 * iterations, which saves launches. Not all compilers allow barriers after the other groups have returned. */
#include "clip-iterate.clh"

#define CHUNKS ((count / VEC + chunk - 1) / chunk)
#define TAIL (get_group_id (0) == 0 ? count / VEC * VEC + get_local_id (0) : count)

inline void
count_vector (local uint *own, values_t vector, float pivot, uint base)
{
  IN v[VEC];

  VSTORE (vector, 0, v);
UNROLL
  for (uint j = 0; j < VEC; j++)
    if (COUNTS (v[j]))
      atomic_inc (own + bin_of (v[j], pivot, base));
}

/* Counts the values of each bin. The last group predicts the bins that clip_collect lists. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
clip_count (global const IN *restrict in, ulong count, ulong chunk, global uint *words, double kappa, uint room)
{
  local union {
    uint bins[CLIP_BINS];
    local_t rest;
  } own;
  global const values_t *vectors = (global const values_t *) in;
  float pivot = STATE (words)->pivot;
  uint base = STATE (words)->base;

  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    own.bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (ulong c = get_group_id (0); c < CHUNKS; c += get_num_groups (0))
    {
      ulong i = c * chunk + get_local_id (0), end = min ((c + 1) * chunk, count / VEC);

      for (; i + (VECTORS_AHEAD - 1) * GROUP < end; i += VECTORS_AHEAD * GROUP)
        {
          values_t many[VECTORS_AHEAD];

UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            many[k] = vectors[i + k * GROUP];
UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            count_vector (own.bins, many[k], pivot, base);
        }
      for (; i < end; i += GROUP)
        count_vector (own.bins, vectors[i], pivot, base);
    }
  for (ulong t = TAIL; t < count; t += GROUP)
    if (COUNTS (in[t]))
      atomic_inc (own.bins + bin_of (in[t], pivot, base));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    if (own.bins[i])
      atomic_add (words + CLIP_COUNTS + i, own.bins[i]);
#ifdef LAST_GROUP
  local uint last;
  uint counts[OWN], before;

  if (!is_last_group ((global volatile uint *) &STATE (words)->ticket, &last))
    return;
  before = load_counts (&own.rest, words, counts);
  predict (&own.rest, words, counts, before, kappa, room, 1);
  end_count (words, before, counts);
#endif
}

typedef struct {
  float pivot;
  uint base, core_begin, core_size;
  int sum_bits;
  local uchar *slots;             /* of each bin */
  local uint *least, *most;       /* of each slot */
  global uint *words, *lists;
} collect_t;

inline void
list_value (const collect_t *c, uint slot, uint key)
{
  global volatile clip_slot_t *to = SLOT (c->words, slot);

  if (to->room > 0)
    c->lists[to->begin + atomic_inc (&to->listed)] = key;
  atomic_min (c->least + slot, key);
  atomic_max (c->most + slot, key);
}

inline void
collect_value (const collect_t *c, IN value, double2 *core)
{
  uint bin = bin_of (value, c->pivot, c->base);
  double d = (double) value - c->pivot;

  if (bin - c->core_begin < c->core_size)
    *core = (double2) (core->x + d, fma (d, d, core->y));
  else
    add_to_bin (c->words, bin, d, c->base, c->sum_bits);
  if (c->slots[bin])
    list_value (c, c->slots[bin], order_key (value));
}

inline void
collect_vector (const collect_t *c, values_t vector, double2 *core)
{
  IN v[VEC];

  VSTORE (vector, 0, v);
UNROLL
  for (uint j = 0; j < VEC; j++)
    if (COUNTS (v[j]))
      collect_value (c, v[j], core);
}

/* Lists the values of the bins that have slots, and adds up those of others. The last group iterates. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
clip_collect (global const IN *restrict in, ulong count, ulong chunk, global uint *words, global uint *lists,
              global double *parts, double kappa, double factor, double offset, uint room, int sum_bits)
{
  local union {
    struct {
      uchar slots[CLIP_BINS];
      uint least[CLIP_SLOTS], most[CLIP_SLOTS];
    } tables;
    local_t rest;
  } own;
  global const values_t *vectors = (global const values_t *) in;
  global volatile clip_state_t *state = STATE (words);
  collect_t c = { state->pivot, state->base, state->core_begin, state->core_end - state->core_begin, sum_bits,
                  own.tables.slots, own.tables.least, own.tables.most, words, lists };
  double2 core = 0;
  double4 all;

  /* Barriers are not in a branch: some compilers break that. */
  ulong chunks = state->status == CLIP_RUNNING ? CHUNKS : 0, tail = state->status == CLIP_RUNNING ? TAIL : count;

  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    own.tables.slots[i] = SLOT_OF (words)[i];
  for (uint i = get_local_id (0); i < CLIP_SLOTS; i += GROUP)
    {
      own.tables.least[i] = 0xffffffffu;
      own.tables.most[i] = 0;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (ulong b = get_group_id (0); b < chunks; b += get_num_groups (0))
    {
      ulong i = b * chunk + get_local_id (0), end = min ((b + 1) * chunk, count / VEC);

      for (; i + (VECTORS_AHEAD - 1) * GROUP < end; i += VECTORS_AHEAD * GROUP)
        {
          values_t many[VECTORS_AHEAD];

UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            many[k] = vectors[i + k * GROUP];
UNROLL
          for (uint k = 0; k < VECTORS_AHEAD; k++)
            collect_vector (&c, many[k], &core);
        }
      for (; i < end; i += GROUP)
        collect_vector (&c, vectors[i], &core);
    }
  for (ulong t = tail; t < count; t += GROUP)
    if (COUNTS (in[t]))
      collect_value (&c, in[t], &core);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < CLIP_SLOTS; i += GROUP)
    if (own.tables.least[i] <= own.tables.most[i])
      {
        atomic_min (&SLOT (words, i)->least, own.tables.least[i]);
        atomic_max (&SLOT (words, i)->most, own.tables.most[i]);
      }
  barrier (CLK_LOCAL_MEM_FENCE);
  all = add_group (&own.rest, (double4) (core, 0, 0));
  if (get_local_id (0) == 0)
    {
      parts[2 * get_group_id (0)] = all.x;
      parts[2 * get_group_id (0) + 1] = all.y;
    }
#ifdef LAST_GROUP
  local uint last;

  if (!is_last_group ((global volatile uint *) &state->ticket, &last))
    return;
  iterate (&own.rest, words, lists, parts, get_num_groups (0), room, sum_bits, kappa, factor, offset);
#endif
}

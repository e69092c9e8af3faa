/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: clipping (clip.clh), the variant `group`. Groups of many work-items take every n-th chunk, `chunk` vectors.
 * Macros: those of clip-group.clh; LAST_GROUP if the last group of a kernel continues with the prediction or the
 * iterations, which saves launches. Not all compilers allow barriers after the other groups have returned. */
#include "clip-iterate.clh"

#define CHUNKS ((count / VEC + chunk - 1) / chunk)
#define TAIL (get_group_id (0) == 0 ? count / VEC * VEC + get_local_id (0) : count)

inline void
count_vector (local uint *own, values_t vector, pivot_t pivot, uint base)
{
  IN v[VEC];

  VSTORE (vector, 0, v);
UNROLL
  for (uint j = 0; j < VEC; j++)
    if (COUNTS (v[j]))
      atomic_inc (own + bin_of (distance_of (v[j], pivot), base));
}

/* Counts the values of each bin, and sets the sums of bins to 0. The last group predicts the bins that clip_collect
 * lists. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
clip_count (global const IN *restrict in, ulong count, ulong chunk, global uint *words, double kappa, uint room)
{
  local union {
    uint bins[CLIP_BINS];
    local_t rest;
  } own;
  global const values_t *vectors = (global const values_t *) in;
  pivot_t pivot = PIVOT (STATE (words)->pivot);
  uint base = STATE (words)->base;

  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    own.bins[i] = 0;
  for (uint i = get_global_id (0); i < 4 * CLIP_BINS; i += get_global_size (0))
    words[CLIP_SUMS + i] = 0;
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
      atomic_inc (own.bins + bin_of (distance_of (in[t], pivot), base));
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    if (own.bins[i])
      atomic_add (words + CLIP_COUNTS + i, own.bins[i]);
#ifdef LAST_GROUP
  local uint last;

  if (!is_last_group ((global volatile uint *) &STATE (words)->ticket, &last))
    return;
  predict (&own.rest, words, kappa, room);
#endif
}

/* Keys that a group keeps until it has read all of its values. */
#define KEPT 2048

typedef struct {
  uchar kinds[CLIP_BINS];
  uint least[CLIP_MAX_EQUAL], most[CLIP_MAX_EQUAL];
  uint n_kept, kept[KEPT];
} tables_t;

typedef struct {
  pivot_t pivot;
  uint base;
  float core_first, core_last, middle_first, middle_last;
  int sum_bits;
  local tables_t *tables;
  global uint *words, *lists;
} collect_t;

/* A value that is to be listed or added to a bin. */
inline void
collect_key (const collect_t *c, uint key)
{
  float d = distance_of (value_of (key), c->pivot);
  uint bin = bin_of (d, c->base), kind = c->tables->kinds[bin];

  if (!(d >= c->core_first && d <= c->core_last))
    add_to_bin (c->words, bin, EXACT_DISTANCE (value_of (key), c->pivot), c->base, c->sum_bits);
  if (kind == CLIP_KIND_LIST)
    list_key (c->words, c->lists, bin, key);
  else if (kind >= CLIP_KIND_EQUAL)
    {
      /* Most of them are equal. */
      if (key < c->tables->least[kind - CLIP_KIND_EQUAL])
        atomic_min (c->tables->least + kind - CLIP_KIND_EQUAL, key);
      if (key > c->tables->most[kind - CLIP_KIND_EQUAL])
        atomic_max (c->tables->most + kind - CLIP_KIND_EQUAL, key);
    }
}

inline void
collect_value (const collect_t *c, IN value, double2 *core)
{
  float d = distance_of (value, c->pivot);
  int in_core = d >= c->core_first && d <= c->core_last;

  if (in_core)
    {
      double exact = EXACT_DISTANCE (value, c->pivot);

      *core = (double2) (core->x + exact, fma (exact, exact, core->y));
    }
  if (!in_core || (d >= c->middle_first && d <= c->middle_last))
    {
      uint at = COUNTS (value) ? atomic_inc (&c->tables->n_kept) : 0xffffffffu;

      if (at < KEPT)
        c->tables->kept[at] = order_key (value);
      else if (COUNTS (value))
        collect_key (c, order_key (value));
    }
}

inline void
collect_vector (const collect_t *c, values_t vector, double2 *core)
{
  IN v[VEC];

  VSTORE (vector, 0, v);
UNROLL
  for (uint j = 0; j < VEC; j++)
    collect_value (c, v[j], core);
}

/* Lists the values of the chosen bins, and adds up all. The last group iterates. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
clip_collect (global const IN *restrict in, ulong count, ulong chunk, global uint *words, global uint *lists,
              global double *parts, double kappa, double factor, double offset, int sum_bits)
{
  local union {
    tables_t tables;
    local_t rest;
  } own;
  global const values_t *vectors = (global const values_t *) in;
  global volatile clip_state_t *state = STATE (words);
  collect_t c = { PIVOT (state->pivot), state->base, state->core_first, state->core_last, state->middle_first,
                  state->middle_last, sum_bits, &own.tables, words, lists };
  double2 core = 0;

  /* Barriers are not in a branch: some compilers break that. */
  ulong chunks = state->status == CLIP_RUNNING ? CHUNKS : 0, tail = state->status == CLIP_RUNNING ? TAIL : count;

  for (uint i = get_local_id (0); i < CLIP_BINS / 4; i += GROUP)
    ((local uint *) own.tables.kinds)[i] = words[CLIP_KINDS + i];
  for (uint i = get_local_id (0); i < CLIP_MAX_EQUAL; i += GROUP)
    {
      own.tables.least[i] = 0xffffffffu;
      own.tables.most[i] = 0;
    }
  if (get_local_id (0) == 0)
    own.tables.n_kept = 0;
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
    collect_value (&c, in[t], &core);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < min (own.tables.n_kept, (uint) KEPT); i += GROUP)
    collect_key (&c, own.tables.kept[i]);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id (0); i < CLIP_BINS; i += GROUP)
    {
      uint kind = own.tables.kinds[i];

      if (kind >= CLIP_KIND_EQUAL)
        {
          atomic_min (&BIN (words, i)->least, own.tables.least[kind - CLIP_KIND_EQUAL]);
          atomic_max (&BIN (words, i)->most, own.tables.most[kind - CLIP_KIND_EQUAL]);
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  core = add_group (&own.rest, core);
  if (get_local_id (0) == 0)
    {
      parts[2 * get_group_id (0)] = core.x;
      parts[2 * get_group_id (0) + 1] = core.y;
    }
#ifdef LAST_GROUP
  local uint last;

  if (!is_last_group ((global volatile uint *) &state->ticket, &last))
    return;
  iterate (&own.rest, words, lists, parts, get_num_groups (0), sum_bits, kappa, factor, offset);
#endif
}

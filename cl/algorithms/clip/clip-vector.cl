/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: clipping (clip.clh), the variant `vector`: a group is one work-item, which takes a long chunk in wide
 * vectors. The prediction and the iterations are kernels of one work-item. Macros: those of clip-group.clh. */
#define barrier(flags) /* the functions of clip-iterate.clh are called by a single work-item */
#include "clip-iterate.clh"

#define FLOOR_BITS (23 - CLIP_STEP_BITS)

/* The bins of a vector, as bin_of(). */
inline uints_t
bins_of (values_t vector, float pivot, uint base)
{
  floats_t d = CONVERT_FLOATS (vector) - pivot;
  uints_t bits = AS_UINTS (fabs (d)), beyond = bits - min (bits, (uints_t) (base)), step = beyond >> FLOOR_BITS;
  uints_t far = min (CLIP_NEAR - CLIP_OCTAVES + (beyond >> 23), (uints_t) (CLIP_SIDE - 1));

  step = step < CLIP_NEAR ? step : far;
  return d < 0 ? CLIP_SIDE - 1 - step : CLIP_SIDE + step;
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
clip_count (global const IN *restrict in, ulong count, ulong chunk, global uint *words)
{
  global const values_t *vectors = (global const values_t *) in;
  float pivot = STATE (words)->pivot;
  uint base = STATE (words)->base, own[CLIP_BINS + 1];

  for (uint i = 0; i <= CLIP_BINS; i++)
    own[i] = 0;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = vectors[i];
      uints_t bins = bins_of (v, pivot, base);
      uint bin[VEC];

#ifdef REAL
      bins = COUNTS (v) ? bins : (uints_t) (CLIP_BINS);
#endif
      VSTORE (bins, 0, bin);
      for (uint j = 0; j < VEC; j++)
        own[bin[j]]++;
    }
  for (ulong t = TAIL_BEGIN; t < count; t++)
    own[COUNTS (in[t]) ? bin_of (in[t], pivot, base) : CLIP_BINS]++;
  for (uint i = 0; i < CLIP_BINS; i++)
    if (own[i])
      atomic_add (words + CLIP_COUNTS + i, own[i]);
}

typedef struct {
  float pivot;
  uint base, core_begin, core_size, flagged_begin, flagged_size;
  int sum_bits;
  uint least[CLIP_SLOTS], most[CLIP_SLOTS];
  global uint *words, *lists;
} collect_t;

/* A value that is outside the core or may have a slot; returns its distance if it belongs to the core, else 0. */
inline double
collect_value (collect_t *c, IN value, uint bin)
{
  double d = (double) value - c->pivot;
  uint slot = SLOT_OF (c->words)[bin];

  if (slot)
    {
      global volatile clip_slot_t *to = SLOT (c->words, slot);
      uint key = order_key (value);

      if (to->room > 0)
        c->lists[to->begin + atomic_inc (&to->listed)] = key;
      c->least[slot] = min (c->least[slot], key);
      c->most[slot] = max (c->most[slot], key);
    }
  if (bin - c->core_begin < c->core_size)
    return d;
  add_to_bin (c->words, bin, d, c->base, c->sum_bits);
  return 0;
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
clip_collect (global const IN *restrict in, ulong count, ulong chunk, global uint *words, global uint *lists,
              global double *parts, int sum_bits)
{
  global const values_t *vectors = (global const values_t *) in;
  global volatile clip_state_t *state = STATE (words);
  collect_t c = { state->pivot, state->base, state->core_begin, state->core_end - state->core_begin,
                  state->flagged_begin, state->flagged_end - state->flagged_begin, sum_bits };
  JOIN (double, VEC) sum = 0, squares = 0;
  double sums[VEC], more[VEC];

  if (state->status != CLIP_RUNNING)
    return;
  c.words = words;
  c.lists = lists;
  for (uint i = 0; i < CLIP_SLOTS; i++)
    {
      c.least[i] = 0xffffffffu;
      c.most[i] = 0;
    }
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = vectors[i];
      uints_t bins = bins_of (v, c.pivot, c.base);
      ints_t core = bins - c.core_begin < c.core_size, other = ~core | (bins - c.flagged_begin < c.flagged_size);
      JOIN (double, VEC) d = JOIN (convert_double, VEC) (v) - c.pivot;

#ifdef REAL
      core &= COUNTS (v);
      other &= COUNTS (v);
#endif
      d = JOIN (convert_long, VEC) (core) ? d : 0;
      sum += d;
      squares = fma (d, d, squares);
      if (any_lane (other))
        {
          uint bin[VEC];
          int is_other[VEC];
          IN value[VEC];

          VSTORE (bins, 0, bin);
          VSTORE (other, 0, is_other);
          VSTORE (v, 0, value);
          for (uint j = 0; j < VEC; j++)
            if (is_other[j])
              collect_value (&c, value[j], bin[j]);
        }
    }
  VSTORE (sum, 0, sums);
  VSTORE (squares, 0, more);
  for (ulong t = TAIL_BEGIN; t < count; t++)
    if (COUNTS (in[t]))
      {
        double d = collect_value (&c, in[t], bin_of (in[t], c.pivot, c.base));

        sums[0] += d;
        more[0] += d * d;
      }
  for (uint j = 1; j < VEC; j++)
    {
      sums[0] += sums[j];
      more[0] += more[j];
    }
  parts[2 * get_group_id (0)] = sums[0];
  parts[2 * get_group_id (0) + 1] = more[0];
  for (uint i = 0; i < CLIP_SLOTS; i++)
    if (c.least[i] <= c.most[i])
      {
        atomic_min (&SLOT (words, i)->least, c.least[i]);
        atomic_max (&SLOT (words, i)->most, c.most[i]);
      }
}

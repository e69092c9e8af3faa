/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: clipping (clip.clh), the variant `vector`: a group is one work-item, which takes a long chunk in wide
 * vectors. The prediction and the iterations are kernels of one work-item. Macros: those of clip-group.clh. */
#define barrier(flags) /* the functions of clip-iterate.clh are called by a single work-item */
#include "clip-iterate.clh"

#define FLOOR_BITS (23 - CLIP_STEP_BITS)

/* The distances of a vector, as distance_of(). */
inline floats_t
distances_of (values_t vector, pivot_t pivot)
{
#ifdef REAL
  return vector - pivot;
#else
  uints_t keys = order_keys (vector);
  floats_t d = CONVERT_FLOATS (abs_diff (keys, (uints_t) pivot));

  return keys < pivot ? -d : d;
#endif
}

/* The bins of a vector, as bin_of(). */
inline uints_t
bins_of (floats_t d, uint base)
{
  uints_t bits = AS_UINTS (fabs (d)), beyond = bits - min (bits, (uints_t) (base)), step = beyond >> FLOOR_BITS;
  uints_t far = min (CLIP_NEAR - CLIP_OCTAVES + (beyond >> 23), (uints_t) (CLIP_SIDE - 1));

  step = step < CLIP_NEAR ? step : far;
  return d < 0 ? CLIP_SIDE - 1 - step : CLIP_SIDE + step;
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
clip_count (global const IN *restrict in, ulong count, ulong chunk, global uint *words)
{
  global const values_t *vectors = (global const values_t *) in;
  pivot_t pivot = PIVOT (STATE (words)->pivot);
  uint base = STATE (words)->base, own[CLIP_BINS + 1];

  for (uint i = 0; i <= CLIP_BINS; i++)
    own[i] = 0;
  for (uint i = get_global_id (0); i < 4 * CLIP_BINS; i += get_global_size (0))
    words[CLIP_SUMS + i] = 0;
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = vectors[i];
      uints_t bins = bins_of (distances_of (v, pivot), base);
      uint bin[VEC];

#ifdef REAL
      bins = COUNTS (v) ? bins : (uints_t) (CLIP_BINS);
#endif
      VSTORE (bins, 0, bin);
      for (uint j = 0; j < VEC; j++)
        own[bin[j]]++;
    }
  for (ulong t = TAIL_BEGIN; t < count; t++)
    own[COUNTS (in[t]) ? bin_of (distance_of (in[t], pivot), base) : CLIP_BINS]++;
  for (uint i = 0; i < CLIP_BINS; i++)
    if (own[i])
      atomic_add (words + CLIP_COUNTS + i, own[i]);
}

typedef struct {
  pivot_t pivot;
  uint base;
  float core_first, core_last, middle_first, middle_last;
  int sum_bits;
  uint least[CLIP_MAX_EQUAL], most[CLIP_MAX_EQUAL];
  global uint *words, *lists;
} collect_t;

/* A value that is outside the core or may be listed; returns its distance if it belongs to the core, else 0. */
inline double
collect_value (collect_t *c, IN value)
{
  float d = distance_of (value, c->pivot);
  double exact = EXACT_DISTANCE (value, c->pivot);
  uint bin = bin_of (d, c->base), kind = KINDS (c->words)[bin], key = order_key (value);

  if (kind == CLIP_KIND_LIST)
    list_key (c->words, c->lists, bin, key);
  else if (kind >= CLIP_KIND_EQUAL)
    {
      c->least[kind - CLIP_KIND_EQUAL] = min (c->least[kind - CLIP_KIND_EQUAL], key);
      c->most[kind - CLIP_KIND_EQUAL] = max (c->most[kind - CLIP_KIND_EQUAL], key);
    }
  if (d >= c->core_first && d <= c->core_last)
    return exact;
  add_to_bin (c->words, bin, exact, c->base, c->sum_bits);
  return 0;
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
clip_collect (global const IN *restrict in, ulong count, ulong chunk, global uint *words, global uint *lists,
              global double *parts, int sum_bits)
{
  global const values_t *vectors = (global const values_t *) in;
  global volatile clip_state_t *state = STATE (words);
  collect_t c = { PIVOT (state->pivot), state->base, state->core_first, state->core_last, state->middle_first,
                  state->middle_last, sum_bits };
  JOIN (double, VEC) sum = 0, squares = 0;
  double sums[VEC], more[VEC];

  if (state->status != CLIP_RUNNING)
    return;
  c.words = words;
  c.lists = lists;
  for (uint i = 0; i < CLIP_MAX_EQUAL; i++)
    {
      c.least[i] = 0xffffffffu;
      c.most[i] = 0;
    }
  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = vectors[i];
      floats_t near = distances_of (v, c.pivot);
      ints_t core = near >= c.core_first & near <= c.core_last;
      ints_t other = ~core | (near >= c.middle_first & near <= c.middle_last);
#ifdef REAL
      JOIN (double, VEC) d = JOIN (convert_double, VEC) (v) - c.pivot;

      other &= COUNTS (v);
#else
      JOIN (double, VEC) d = JOIN (convert_double, VEC) (order_keys (v)) - (double) c.pivot;
#endif
      d = JOIN (convert_long, VEC) (core) ? d : 0;
      sum += d;
      squares = fma (d, d, squares);
      if (any_lane (other))
        {
          int is_other[VEC];
          IN value[VEC];

          VSTORE (other, 0, is_other);
          VSTORE (v, 0, value);
          for (uint j = 0; j < VEC; j++)
            if (is_other[j])
              collect_value (&c, value[j]);
        }
    }
  VSTORE (sum, 0, sums);
  VSTORE (squares, 0, more);
  for (ulong t = TAIL_BEGIN; t < count; t++)
    if (COUNTS (in[t]))
      {
        double d = collect_value (&c, in[t]);

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
  for (uint i = 0; i < CLIP_BINS; i++)
    {
      uint kind = KINDS (words)[i];

      if (kind >= CLIP_KIND_EQUAL)
        {
          atomic_min (&BIN (words, i)->least, c.least[kind - CLIP_KIND_EQUAL]);
          atomic_max (&BIN (words, i)->most, c.most[kind - CLIP_KIND_EQUAL]);
        }
    }
}

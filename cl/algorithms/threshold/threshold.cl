/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: out = 1 where low <= in <= high, else 0; with BYTES 255 for 1. A work-item takes VEC neighbors of `count`
 * values. Buffers are aligned to whole vectors. The limits are already rounded to the type of `in`. Macros: IN (type of
 * a value), LIMIT (float, int or uint: the type of the limits), VEC; ALPHA (with IN float and VEC 4) if every second
 * value is an alpha, which is copied; FOUND (with IN float) for threshold_found, which reads `low` from the words of
 * otsu.cl and has no upper limit. */
#include "histogram-params.h"
#include "macros.clh"

typedef JOIN (IN, VEC) values_t;
typedef JOIN (int, VEC) ints_t;
typedef JOIN (float, VEC) floats_t;

/* MASK converts elements that are -1 or 0. */
#ifdef BYTES
#define OUT uchar
#define SET 255
#define MASK(inside) JOIN (convert_uchar, VEC) ((inside) & 255)
typedef JOIN (uchar, VEC) masks_t;
#else
#define OUT float
#define SET 1.0f
#define MASK(inside) JOIN (as_float, VEC) ((inside) & as_int (1.0f))
typedef floats_t masks_t;
#endif

inline void
compare (global const IN *restrict in, global OUT *restrict out, ulong count, IN low, IN high)
{
  size_t i = get_global_id (0);

  if (i < count / VEC)
    {
      values_t v = ((global const values_t *) in)[i];
      ints_t inside = JOIN (convert_int, VEC) ((v >= low) & (v <= high));

#ifdef ALPHA
      inside = select (inside & as_int (1.0f), as_int4 (v), (int4) (0, -1, 0, -1));
      ((global floats_t *) out)[i] = as_float4 (inside);
#else
      ((global masks_t *) out)[i] = MASK (inside);
#endif
    }
  else if (i == count / VEC)
    for (ulong j = i * VEC; j < count; j++)
#ifdef ALPHA
      out[j] = j % 2 == 1 ? in[j] : in[j] >= low && in[j] <= high ? 1.0f : 0.0f;
#else
      out[j] = in[j] >= low && in[j] <= high ? SET : 0;
#endif
}

kernel void
threshold (global const IN *restrict in, global OUT *restrict out, ulong count, LIMIT low_limit,
           LIMIT high_limit)
{
  compare (in, out, count, (IN) low_limit, (IN) high_limit);
}

#ifdef FOUND
kernel void
threshold_found (global const IN *restrict in, global OUT *restrict out, ulong count,
                 global const float *restrict words)
{
  compare (in, out, count, words[OTSU_ABOVE], INFINITY);
}
#endif

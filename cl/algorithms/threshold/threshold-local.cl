/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: out = SET where low <= in <= high, with a `low` for each of the `count` pixels, else 0. `least`, the
 * smallest value of the type, is above `high` if no pixel is to be set. Values of different types are compared exactly:
 * as 64-bit integers, the float rounded toward the side that keeps the result. Macros: IN and LOW (types of `in` and
 * `low`), LIMIT (float, int or uint: the type of the limits), IN_REAL and LOW_REAL (1 for float, 0 for an integer
 * type), OUT (float or uchar), SET (1 or 255); ALPHA (with IN and OUT float) if every second value of `in` is an alpha,
 * which is copied. */

/* All integers of 32 bits are within these limits; clamping floats to them keeps the results of comparisons. */
#define WITHIN(x) clamp (x, -1.0e10f, 1.0e10f)

inline int
from_on (IN value, LOW low)
{
#if IN_REAL && LOW_REAL
  return value >= low;
#elif IN_REAL
  return value == value && convert_long (floor (WITHIN (value))) >= convert_long (low);
#elif LOW_REAL
  return low == low && convert_long (value) >= convert_long (ceil (WITHIN (low)));
#else
  return convert_long (value) >= convert_long (low);
#endif
}

kernel void
threshold_local (global const IN *restrict in, global const LOW *restrict low,
                 global OUT *restrict out, ulong count, LIMIT least, LIMIT high)
{
  size_t i = get_global_id (0), at = i;

  if (i >= count)
    return;
#ifdef ALPHA
  at = 2 * i;
  out[at + 1] = in[at + 1];
#endif
  out[at] = from_on (in[at], low[i]) && in[at] >= (IN) least && in[at] <= (IN) high ? SET : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the extremes that `groups` groups found (extremes.cl, of floats) to the plan of a histogram
 * (histogram.cl tells its layout), and its `spans` times 256 counts cleared. plan[5] becomes 0; 1 if
 * there is no finite value; 2 if all are the same. One work-group of 256.
 *
 * Each number is computed in double by the same operations as on the host (threshold-find.c), so that
 * both count the same. Needs cl_khr_fp64. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define BINS 256
#define EDGES 8 /* where they begin in the plan */

enum { USUAL, NOTHING, CONSTANT };

/* The float that has an order key (values.clh). */
inline float
value_of (uint key)
{
  return as_float (key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

/* The places of values between min and max on a scale from 0 to 256, as capra_placement() finds them,
 * and how near an edge a place is not trusted. */
inline void
place (global float *plan, double min, double max)
{
  int exponent = ilogb (max - min);
  float pre = abs (exponent) > 60 ? ldexp (1.0f, clamp (-exponent, -126, 126)) : 1.0f;
  double near = 1e-4 + fmax (fabs (min), fabs (max)) * FLT_EPSILON / 2 * BINS / (max - min);

  plan[1] = pre;
  plan[2] = (float) (BINS / ((max - min) * pre));
  plan[3] = (float) fmin (near, 1.0);
  plan[4] = near < 0.5 ? (float) near : -1;
}

kernel __attribute__ ((reqd_work_group_size (BINS, 1, 1))) void
otsu_plan (global const uint2 *restrict keys, ulong groups, ulong spans,
           global float *restrict plan, global uint *restrict counts)
{
  local uint2 all[BINS];
  uint l = get_local_id (0), state;
  uint2 own = (uint2) (0xffffffffu, 0);
  double min, max;

  for (ulong i = l; i < groups; i += BINS)
    own = (uint2) (own.x < keys[i].x ? own.x : keys[i].x, own.y > keys[i].y ? own.y : keys[i].y);
  for (ulong i = 0; i < spans; i++)
    counts[i * BINS + l] = 0;
  all[l] = own;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint s = BINS / 2; s; s >>= 1)
    {
      if (l < s)
        all[l] = (uint2) (all[l].x < all[l + s].x ? all[l].x : all[l + s].x,
                          all[l].y > all[l + s].y ? all[l].y : all[l + s].y);
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  own = all[0];
  state = own.x > own.y ? NOTHING : value_of (own.x) == value_of (own.y) ? CONSTANT : USUAL;
  min = state == NOTHING ? 0.0 : (double) value_of (own.x);
  max = state == NOTHING ? 0.0 : (double) value_of (own.y);
  plan[EDGES + l] = (float) (l * ((max - min) / BINS) + min);
  if (l > 0)
    return;
  plan[EDGES + BINS] = (float) max;
  plan[0] = (float) min;
  plan[1] = 1;
  plan[2] = plan[3] = plan[4] = 0;
  plan[5] = as_float (state);
  if (state == USUAL)
    place (plan, min, max);
}

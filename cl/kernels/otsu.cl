/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Otsu's threshold (N. Otsu 1979) of float images, without a word to the host: from a plan (otsu-plan.cl)
 * and the counts made with it (histogram.cl, `spans` times 256) to plan[6], the value, and plan[7], the
 * smallest float above it. One work-group of 256.
 *
 * Each number is computed in double by the same operations in the same order as on the host
 * (threshold-search.c), so that both find the same value. Needs cl_khr_fp64. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define BINS 256
#define EDGES 8 /* where they begin in the plan */

enum { USUAL, NOTHING, CONSTANT };

inline float
next_above (float value)
{
  uint bits = as_uint (value + 0.0f);

  return as_float (bits >> 31 ? bits - 1 : bits + 1);
}

/* The numbers of values up to each bin and their sums, and those from each bin on. */
typedef struct {
  double number[BINS], sum[BINS];
} Sums;

/* sums[i] = the values from the first on, in their order, or (`last` is BINS - 1) from the last on. */
inline void
add_up (local const double *values, local double *sums, uint last)
{
  double sum = 0;

  for (uint i = 0; i < BINS; i += 16)
    {
      double next[16];

#pragma unroll
      for (uint j = 0; j < 16; j++)
        next[j] = values[(i + j) ^ last];
#pragma unroll
      for (uint j = 0; j < 16; j++)
        sums[(i + j) ^ last] = sum += next[j];
    }
}

kernel __attribute__ ((reqd_work_group_size (BINS, 1, 1))) void
otsu_search (global const uint *restrict counts, ulong spans, global float *restrict plan)
{
  local Sums bins, below, above;
  local double variances[BINS];
  local uint places[BINS];
  uint l = get_local_id (0);
  double number = 0, variance = -1;

  for (ulong i = 0; i < spans; i++)
    number += counts[i * BINS + l];
  bins.number[l] = number;
  bins.sum[l] = number * (float) (((double) plan[EDGES + l] + (double) plan[EDGES + l + 1]) / 2);
  barrier (CLK_LOCAL_MEM_FENCE);

  /* Four chains of additions, in waves of their own. */
  if (l == 0)
    add_up (bins.sum, below.sum, 0);
  else if (l == 64)
    add_up (bins.number, below.number, 0);
  else if (l == 128)
    add_up (bins.sum, above.sum, BINS - 1);
  else if (l == 192)
    add_up (bins.number, above.number, BINS - 1);
  barrier (CLK_LOCAL_MEM_FENCE);

  if (l < BINS - 1)
    {
      double apart = below.sum[l] / below.number[l] - above.sum[l + 1] / above.number[l + 1];

      variance = below.number[l] * above.number[l + 1] * (apart * apart);
    }
  variances[l] = variance > -1 ? variance : -1; /* no number where a class is empty */
  places[l] = l;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint s = BINS / 2; s; s >>= 1)
    {
      if (l < s
          && (variances[l + s] > variances[l]
              || (variances[l + s] == variances[l] && places[l + s] < places[l])))
        {
          variances[l] = variances[l + s];
          places[l] = places[l + s];
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }

  if (l == 0)
    {
      uint i = places[0], state = as_uint (plan[5]);
      float middle = (float) (((double) plan[EDGES + i] + (double) plan[EDGES + i + 1]) / 2);
      float value = state == USUAL ? middle : state == CONSTANT ? plan[0] : NAN;

      plan[6] = value;
      plan[7] = next_above (value);
    }
}

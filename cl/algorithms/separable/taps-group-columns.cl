/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y or z for GPUs; formula, layout and border: taps.clh. A work-item computes ROWS successive
 * outputs of VEC neighboring lines from a window of inputs in registers: it loads each input once for ROWS sums, BLOCK
 * at a time.
 *
 * Dimensions: values within the pitch / VEC, outputs / ROWS, slabs.
 * Macros: those of taps.clh, ROWS, GROUP_X and GROUP_Y (the group's size), VEC (1, or 2 if the pitch is even), PLAIN if
 * there are at most TAPS_CHUNK weights, LONG if there are more than TAPS_PART. */
#include "taps-group.clh"
#include "vectors.clh"

#define GROUP (GROUP_X * GROUP_Y)
/* The totals of the chunks are in local memory, which leaves the registers to the window. */
#ifdef PLAIN
#define RESULT(q) sum[q]
#else
#define RESULT(q) total[(q) * GROUP]
#endif

/* Loads the inputs at `count` positions from `at` on. All loads are issued before any value is used. Positions that no
 * output needs get any value. */
#define LOAD_ROWS(to, at, count)                                                                   \
  if (inside)                                                                                      \
    UNROLL for (int q = 0; q < (count); q++, p += pitch) (to)[q] = LOAD_ALIGNED (p);               \
  else                                                                                             \
    {                                                                                              \
      int rows[count];                                                                             \
                                                                                                   \
      UNROLL for (int q = 0; q < (count); q++)                                                     \
        rows[q] = border_map ((at) + q, a.length, a.border) - a.source;                            \
      UNROLL for (int q = 0; q < (count); q++)                                                     \
        {                                                                                          \
          floats_t value = LOAD_ALIGNED (in + (ulong) clamp (rows[q], 0, a.n_source - 1) * pitch); \
                                                                                                   \
          (to)[q] = rows[q] < 0 ? (floats_t) (0.0f) : value;                                       \
        }                                                                                          \
    }

kernel __attribute__ ((reqd_work_group_size (GROUP_X, GROUP_Y, 1))) void
taps_group_columns (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
           ulong pitch, CapraTapsAxis a)
{
  int l = (int) (get_local_id (1) * GROUP_X + get_local_id (0)), y = (int) get_global_id (1) * ROWS;
  ulong c = get_global_id (0) * VEC, slab = get_global_id (2);
  int first = a.first + min (y, a.n_result - 1);
  bool idle = y >= a.n_result;
  bool inside = first >= 0 && first + a.taps + ROWS - 1 <= a.length && y + ROWS <= a.n_result;
  local float weights[TAPS_PART] __attribute__ ((aligned (16)));
  floats_t sum[ROWS], v[ROWS - 1 + BLOCK];
#ifndef PLAIN
  local floats_t totals[ROWS * GROUP];
  local floats_t *total = totals + l;
#endif
#ifdef LONG
  local floats_t rests[ROWS * GROUP];
  local floats_t *rest = rests + l;

  UNROLL for (int q = 0; q < ROWS; q++) rest[q * GROUP] = 0.0f;
#endif
#ifndef PLAIN
  UNROLL for (int q = 0; q < ROWS; q++) total[q * GROUP] = 0.0f;
#endif
  in += slab * a.n_source * pitch + min (c, pitch - VEC);
  out += (slab * a.n_result + y) * pitch + c;

  for (int part = 0; part < a.taps; part += TAPS_PART)
    {
      int count = min (TAPS_PART, a.taps - part), begin = first + part, k = 0;
      global const IN *p = in + (long) (begin - a.source) * (long) pitch;

      barrier (CLK_LOCAL_MEM_FENCE);
      for (int u = l; u < count; u += GROUP_X * GROUP_Y)
        weights[u] = w[part + u];
      LOAD_ROWS (v, begin, ROWS - 1)
      barrier (CLK_LOCAL_MEM_FENCE);
      while (!idle && k < count)
        {
          int stop = min (k + TAPS_CHUNK, count);

          UNROLL for (int q = 0; q < ROWS; q++) sum[q] = 0.0f;
          NO_UNROLL for (; k + BLOCK <= stop; k += BLOCK)
            {
              LOAD_ROWS (v + ROWS - 1, begin + k + ROWS - 1, BLOCK)
              ADD_BLOCK (weights + k, v, ROWS)
              UNROLL for (int q = 0; q < ROWS - 1; q++) v[q] = v[q + BLOCK];
            }
          UNROLL for (int j = 0; j < BLOCK - 1; j++)
            if (k + j < stop)
              {
                LOAD_ROWS (v + ROWS - 1 + j, begin + k + j + ROWS - 1, 1)
                UNROLL for (int q = 0; q < ROWS; q++) sum[q] += weights[k + j] * v[q + j];
              }
#ifndef PLAIN
          UNROLL for (int q = 0; q < ROWS; q++) END_CHUNK (floats_t, total[q * GROUP], rest[q * GROUP], sum[q])
#endif
          k = stop;
        }
    }
  UNROLL for (int q = 0; q < ROWS; q++)
    if (c < pitch && y + q < a.n_result)
      STORE_ALIGNED (RESULT (q) + a.offset, out + (ulong) q * pitch);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Partial weighted sums along y, downsampled by D, for GPUs:
 *
 *     out[j] = sum over t < TAPS * D of w[t] * in[first + j * D + t]
 *
 * A work-item walks down a strip of blocks of D rows, AHEAD rows of which are in flight, so that each sample is read
 * once, at the speed of the memory. It sums the strip's samples only, and stores TAPS - 1 + `blocks` rows of partial
 * sums; gaussian-downsample-x.cl adds those of neighboring strips.
 *
 * Dimensions: WIDE values of a row, strips, planes. Layout: rows of `width` values, planes; results: rows of partial
 * sums, strips, planes. Border: border.clh, by position. A strip has `blocks` blocks, but the first one lacks `missing`
 * blocks, which would be before the first output. Assumption: WIDE divides the width.
 * Macros: IN (type of a value), REAL if that is float, CHANNELS, D, TAPS, WIDE (1, 2 or 4), AHEAD (divides D), MAX_ROWS
 * (of a strip). */
#include "gaussian.clh"
#include "gaussian-downsample.clh"

#define GROUP GAUSSIAN_DOWNSAMPLE_Y_GROUP
#if WIDE == 1
typedef float wide_t;
#define LOAD_WIDE(p) LOAD_ALIGNED_1 (p)
#elif WIDE == 2 && defined REAL && defined cl_nv_pragma_unroll
/* Not kept in the first-level cache, since they are not read again. */
static inline float2
load_once (global const float *p)
{
  float2 v;

  asm volatile ("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p));
  return v;
}
typedef float2 wide_t;
#define LOAD_WIDE(p) load_once (p)
#else
typedef JOIN (float, WIDE) wide_t;
#define LOAD_WIDE(p) LOAD_ALIGNED_VECTOR (WIDE, p)
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_downsample_y (global const IN *restrict in, global float *restrict out, global const float *restrict w,
                       CapraGaussianAxis y, uint width, int blocks, int missing)
{
  local float spread[D * PAD] __attribute__ ((aligned (16)));
  local int indices[MAX_ROWS + AHEAD];
  int l = (int) get_local_id (0), first = (int) get_group_id (1) * blocks - missing, begin = max (first, 0);
  int end = min (first + blocks, y.count + TAPS - 1), rows = (end - begin) * D;
  uint u = (uint) get_global_id (0) * WIDE, strip = (uint) (get_group_id (1) + get_global_id (2) * get_num_groups (1));
  local const int *index = indices;
  wide_t v[AHEAD], sum[TAPS];

  for (int i = l; i < rows + AHEAD; i += GROUP)
    indices[i] = i < rows ? sample_index (y.first + begin * D + i, y) : -1;
  spread_weights (w, spread, l, GROUP);
  barrier (CLK_LOCAL_MEM_FENCE);
  in += get_global_id (2) * (ulong) y.n_source * width + min (u, width - WIDE);
  out += ((ulong) strip * (uint) (blocks + TAPS - 1) + (uint) (begin - first)) * width + u;

#define LOAD_ROW(index) ((index) < 0 ? (wide_t) (0.0f) : LOAD_WIDE (in + (ulong) (uint) (index) * width))
  UNROLL for (int a = 0; a < AHEAD; a++) v[a] = LOAD_ROW (index[a]);
  UNROLL for (int k = 0; k < TAPS; k++) sum[k] = 0.0f;
  for (int j = begin; j < end; j++, out += width)
    {
      for (int p = 0; p < D; p += AHEAD)
        {
          index += AHEAD;
          UNROLL for (int a = 0; a < AHEAD; a++)
            {
              float weights[PAD];

              load_weights (spread + (p + a) * PAD, weights);
              UNROLL for (int k = 0; k < TAPS; k++) sum[k] += weights[k] * v[a];
              v[a] = LOAD_ROW (index[a]);
            }
        }
      if (u < width)
        *(global wide_t *) out = sum[0];
      UNROLL for (int k = 0; k < TAPS - 1; k++) sum[k] = sum[k + 1];
      sum[TAPS - 1] = 0.0f;
    }
  if (u < width)
    UNROLL for (int k = 0; k < TAPS - 1; k++) *(global wide_t *) (out + (ulong) k * width) = sum[k];
}

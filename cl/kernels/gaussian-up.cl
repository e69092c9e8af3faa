/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation of an image by DX and DY with KX and KY weights an output, for GPUs:
 *
 *     out[y][x] = sum over k < KY, m < KX of wy[t % DY][k] * wx[u % DX][m] * in[t / DY + k][u / DX + m]
 *     with t = y + y.phase, u = x + x.phase
 *
 * A work-item makes V columns of outputs (of u, so that phases are the same everywhere) and walks down
 * `blocks` rows of the small image. The KY rows that its outputs need stay in registers, already summed
 * along x; the small image itself stays in caches.
 *
 * Layout: pixels of CHANNELS values, rows, planes (dimension 2). All that is needed stands in the small
 * image. Macros: CHANNELS, DX, DY (1, 2, 4, 8 or 16), KX, KY. */
#define IN float
#include "gaussian.clh"

#define UNROLL _Pragma ("unroll")
/* Pixels of the small image under the weights of PIXELS outputs. */
#define NEAR (KX + (PIXELS > DX ? PIXELS / DX - 1 : 0))

/* Span of algorithms/gaussian-up.c. */
typedef struct {
  int n_small, phase, count;
} up_t;

/* By value, so that they are operands of instructions and take no registers. */
typedef struct {
  float w[DY * KY];
} y_weights_t;

#if CHANNELS == 3
#define LOAD_PIXEL(p) vload3 (0, (p))
#elif CHANNELS == 1
#define LOAD_PIXEL(p) (*(p))
#else /* whole pixels are aligned */
#define LOAD_PIXEL(p) (*(global const JOIN (float, CHANNELS) *) (p))
#endif
#if CHANNELS == 1
#define STORE_PIXEL(v, p) *(p) = (v)
#else
#define STORE_PIXEL(v, p) JOIN (vstore, CHANNELS) ((v), 0, (p))
#endif

/* The pixels of a row that the outputs stand between. */
static inline void
load_near (global const float *row, int first, int n, float *near)
{
  UNROLL for (int m = 0; m < NEAR; m++)
    STORE_PIXEL (LOAD_PIXEL (row + min (first + m, n - 1) * CHANNELS), near + m * CHANNELS);
}

/* They, summed along x. */
static inline vals_t
sum_near (const float *near, const float *w)
{
  float values[V];

  UNROLL for (int e = 0; e < V; e++)
    {
      values[e] = 0.0f;
      UNROLL for (int m = 0; m < KX; m++)
        values[e] += w[e / CHANNELS * KX + m]
                     * near[(e / CHANNELS / DX + m) * CHANNELS + e % CHANNELS];
    }
  return JOIN (vload, V) (0, values);
}

static inline void
store_vals (vals_t v, global float *row, int u, up_t x, int aligned)
{
  float values[4];

  if (aligned && V == 4)
    {
      *(global vals_t *) (row + (long) (u - x.phase) * CHANNELS) = v;
      return;
    }
  JOIN (vstore, V) (v, 0, values);
  UNROLL for (int e = 0; e < V; e++)
    {
      int i = u - x.phase + e / CHANNELS;

      if (i >= 0 && i < x.count)
        row[(ulong) i * CHANNELS + e % CHANNELS] = values[e];
    }
}

/* Dimensions: groups of V values, groups of `blocks` rows of the small image, planes. */
kernel void
gaussian_up (global const float *restrict in, global float *restrict out, constant float *wx,
             y_weights_t wy, up_t x, up_t y, int blocks, int aligned)
{
  int u = (int) get_global_id (0) * PIXELS, first = u / DX;
  int begin = (int) get_global_id (1) * blocks, end = min (begin + blocks, y.n_small - (KY - 1));
  ulong pitch = (ulong) x.n_small * CHANNELS;
  float w[PIXELS * KX];
  float next[NEAR * CHANNELS];
  vals_t near[KY];

  if (u + PIXELS <= x.phase || u >= x.phase + x.count || begin >= end)
    return;
  in += get_global_id (2) * (ulong) y.n_small * pitch;
  out += get_global_id (2) * (ulong) y.count * x.count * CHANNELS;
  UNROLL for (int e = 0; e < PIXELS; e++)
    UNROLL for (int m = 0; m < KX; m++) w[e * KX + m] = wx[(u + e) % DX * KX + m];

  in += begin * pitch;
  load_near (in, first, x.n_small, next);
  UNROLL for (int k = 0; k < KY - 1; k++)
    {
      near[k] = sum_near (next, w);
      in += pitch;
      load_near (in, first, x.n_small, next);
    }
  for (int j = begin; j < end; j++)
    {
      near[KY - 1] = sum_near (next, w);
      if (j + 1 < end) /* on its way while this one is used */
        in += pitch;
      load_near (in, first, x.n_small, next);
      UNROLL for (int p = 0; p < DY; p++)
        {
          int i = j * DY + p - y.phase;
          vals_t v = 0.0f;

          UNROLL for (int k = 0; k < KY; k++) v += wy.w[p * KY + k] * near[k];
          if (i >= 0 && i < y.count)
            store_vals (v, out + (ulong) i * x.count * CHANNELS, u, x, aligned);
        }
      UNROLL for (int k = 0; k < KY - 1; k++) near[k] = near[k + 1];
    }
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass, downsampled by DY and D, for GPUs:
 *
 *     out[j][i] = sum over t < KY * DY, u < TAPS * D of
 *                 wy[t] * wx[u] * in[y.first + j * DY + t][x.first + i * D + u]
 *
 * A group computes OUTPUTS neighboring pixels of `rows` rows, walking down a strip. Each work-item sums the columns of
 * PIXELS pixels: it holds KY incomplete sums, of which DY rows complete one. STEP rows of complete sums go to local
 * memory and are summed along x, while the next samples are loaded. The image is read once, and only the result is
 * written.
 *
 * Dimensions: work-items of a row's groups, strips, planes. Layout: pixels of CHANNELS values, rows, planes.
 * Border: border.clh, by position. Assumptions: weights are symmetric, and the first half of them is passed; `rows` is
 * a multiple of STEP and at most MAX_ROWS.
 * Macros: IN (type of a value), CHANNELS, D and TAPS (of x), DY (2 to 4), KY, ALIGNED (see
 * gaussian-downsample-column.clh). */
#include "gaussian.clh"
#include "gaussian-downsample-strip.clh"

#define GROUP GAUSSIAN_DOWNSAMPLE_STRIP_GROUP
#define STEP GAUSSIAN_DOWNSAMPLE_STRIP_STEP
#define MAX_ROWS GAUSSIAN_DOWNSAMPLE_STRIP_MAX_ROWS
#define PIXELS GAUSSIAN_DOWNSAMPLE_STRIP_PIXELS (CHANNELS)
#if CHANNELS == 1
#define V 2
#else
#define V CHANNELS
#endif
#include "gaussian-downsample-column.clh"

/* Blocks of DY rows that are in flight, and those until a strip's first sum is complete, in whole steps. */
#define AHEAD (DY < 4 ? 4 : 2)
#define BEFORE ((KY - 1 + STEP - 1) / STEP * STEP)
#define OUTPUTS GAUSSIAN_DOWNSAMPLE_STRIP_OUTPUTS (CHANNELS, D, TAPS)
#define SLOTS (OUTPUTS / OUTS)
#define ROW ROW_SIZE (GROUP * V)

typedef struct {
  float w[HALF (KY * DY)];
} y_weights_t;
#define WEIGHT_Y(wy, t) ((wy).w[(t) < HALF (KY * DY) ? (t) : KY * DY - 1 - (t)])

static inline void
load_block (global const IN *in, local const int *indices, ulong pitch, const column_t *c, column_values_t *v)
{
  UNROLL for (int p = 0; p < DY; p++) v[p] = load_column (in + (ulong) (uint) max (indices[p], 0) * pitch, c);
}

static inline void
fix_block (local const int *indices, const column_t *c, column_values_t *v)
{
  UNROLL for (int p = 0; p < DY; p++)
    v[p] = indices[p] < 0 ? (column_values_t) (0.0f) : fix_column (v[p], c);
}

/* Adds a block: the sums move up by one, and the topmost becomes complete. */
static inline void
sum_block (const column_values_t *v, y_weights_t wy, column_values_t *sum)
{
  UNROLL for (int k = 0; k < KY; k++)
    {
      int first = (KY - 1 - k) * DY;

      sum[k] = (k + 1 < KY ? sum[k + 1] : (column_values_t) (0.0f)) + WEIGHT_Y (wy, first) * v[0];
      UNROLL for (int p = 1; p < DY; p++) sum[k] += WEIGHT_Y (wy, first + p) * v[p];
    }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_downsample_strip (global const IN *restrict in, global float *restrict out, x_weights_t wx, y_weights_t wy,
                    CapraGaussianAxis x, CapraGaussianAxis y, int rows)
{
  local float tile[STEP * ROW] __attribute__ ((aligned (16)));
  local int indices[(MAX_ROWS + BEFORE + AHEAD) * DY];
  int l = (int) get_local_id (0), output = (int) get_group_id (0) * OUTPUTS, row = (int) get_group_id (1) * rows;
  int top = y.first + (row + KY - 1 - BEFORE) * DY, last = y.first + (y.count + KY - 1) * DY - 1;
  column_t c = find_column (min (x.first + output * D + l * PIXELS, x.first + (x.count + TAPS) * D), x);
  bool mixed = c.mixed || y.border == BORDER_NONE;
  ulong pitch = (ulong) x.n_source * CHANNELS;
  local const int *at = indices;
  local float *mine = tile + slot_index (l * V);
  column_values_t sum[KY], v[AHEAD * DY];

  for (int i = l; i < (rows + BEFORE + AHEAD) * DY; i += GROUP)
    indices[i] = sample_index (min (top + i, last), y);
  barrier (CLK_LOCAL_MEM_FENCE);
  in += get_global_id (2) * (ulong) y.n_source * pitch;
  out += get_global_id (2) * (ulong) y.count * x.count * CHANNELS;

  UNROLL for (int k = 0; k < KY; k++) sum[k] = 0.0f;
  UNROLL for (int b = 0; b < AHEAD; b++) load_block (in, indices + b * DY, pitch, &c, v + b * DY);
  /* Barriers are outside of branches, which PoCL's compilers miscompile. */
  for (int s = -BEFORE; s < rows; s += STEP)
    {
      int found = s < 0 ? 0 : STEP * SLOTS;

      UNROLL for (int b = 0; b < STEP; b += AHEAD)
        UNROLL for (int q = 0; q < AHEAD; q++, at += DY)
          {
            if (mixed)
              fix_block (at, &c, v + q * DY);
            sum_block (v + q * DY, wy, sum);
            load_block (in, at + AHEAD * DY, pitch, &c, v + q * DY);
            JOIN (vstore, V) (sum[0], 0, mine + (b + q) * ROW);
          }
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int i = l; i < found; i += GROUP)
        {
          int slot = i % SLOTS, r = i / SLOTS, j = row + s + r;
          float sums[OUTS * CHANNELS];

          sum_window (tile + r * ROW + slot * SLOT_PITCH, wx, sums);
          if (j < y.count)
            store_sums (sums, out + (ulong) j * x.count * CHANNELS, (output + slot * OUTS) * CHANNELS,
                        x.count * CHANNELS);
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

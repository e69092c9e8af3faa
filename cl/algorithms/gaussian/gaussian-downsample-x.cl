/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along x, downsampled by D, of rows that may be partial sums, for GPUs:
 *
 *     out[j] = sum over t < TAPS * D of w[t] * in[first + j * D + t]
 *
 * A group adds up the partial sums of its segment of a row in local memory. Each work-item reads the D samples of a
 * block once, and computes the contribution of the block to each of the TAPS outputs that it is part of. Then each
 * output adds up its contributions.
 *
 * Dimensions: work-items of a row's groups, of `outputs` pixels each; rows; planes. Layout: pixels of CHANNELS values,
 * rows, planes; partial sums: gaussian-downsample-y.cl. Border: border.clh, by position.
 * Macros: IN (type of a value), CHANNELS, D, TAPS, GROUP, BLOCKS (the most blocks of a group). */
#include "gaussian.clh"
#include "gaussian-downsample.clh"

#define LOADS 6
#define CHUNK (D * CHANNELS)
#define PITCH (CHUNK | 1) /* odd: neighbors read from different banks */
#define HELD (BLOCKS * PITCH > TAPS * GROUP ? BLOCKS * PITCH : TAPS * GROUP)

/* The index of a channel of a pixel in a row, or -1 for zero. */
static inline int
find_value (int pixel, int channel, CapraGaussianAxis x)
{
  int index = sample_index (pixel, x);

  return index < 0 ? -1 : index * CHANNELS + channel;
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_downsample_x (global const IN *restrict in, global float *restrict out, global const float *restrict w,
                       CapraGaussianAxis x, CapraPartialSums parts, int outputs)
{
  local float spread[D * PAD] __attribute__ ((aligned (16)));
  local float tile[HELD];
  int l = (int) get_local_id (0), output = (int) get_group_id (0) * outputs, row = (int) get_group_id (1);
  int block = row + parts.missing, strip = block / parts.blocks;
  int more = min ((block + parts.taps - 1) / parts.blocks, parts.strips - 1) - strip;
  int total = (outputs + TAPS - 1) * CHUNK, last = (x.count + TAPS - 1) * D - 1, left = x.count - output;
  int start = (x.first + output * D - x.source) * CHANNELS;
  bool inside = start >= 0 && start + total <= x.n_source * CHANNELS;
  ulong width = (ulong) x.n_source * CHANNELS, next = (ulong) (parts.taps - 1) * width;
  ulong high = (ulong) (parts.blocks + parts.taps - 1);
  local const float *from = tile + min (l / CHANNELS, outputs + TAPS - 2) * PITCH + l % CHANNELS;
  float sum[PAD];

  in += (get_global_id (2) * (ulong) parts.strips + strip) * high * width;
  in += (block - strip * parts.blocks + parts.taps - 1) * width;
  out += ((get_global_id (2) * get_num_groups (1) + row) * (ulong) x.count + output) * CHANNELS;
  spread_weights (w, spread, l, GROUP);
  for (int i = l; i < total; i += LOADS * GROUP)
    {
      float v[LOADS], other[LOADS];
      int at[LOADS];

      UNROLL for (int e = 0; e < LOADS; e++)
        {
          int o = min (i + e * GROUP, total - 1);

          at[e] = inside ? start + o : find_value (x.first + min (output * D + o / CHANNELS, last), o % CHANNELS, x);
        }
      UNROLL for (int e = 0; e < LOADS; e++)
        {
          v[e] = (float) in[max (at[e], 0)];
          other[e] = (float) in[(more > 0 ? next : 0) + max (at[e], 0)];
        }
      UNROLL for (int e = 0; e < LOADS; e++) v[e] += more > 0 ? other[e] : 0.0f;
      for (int n = 2; n <= more; n++)
        UNROLL for (int e = 0; e < LOADS; e++) v[e] += (float) in[n * next + max (at[e], 0)];
      UNROLL for (int e = 0; e < LOADS; e++)
        if (i + e * GROUP < total)
          tile[i + e * GROUP + (i + e * GROUP) / CHUNK * (PITCH - CHUNK)] = at[e] < 0 ? 0.0f : v[e];
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < PAD; k++) sum[k] = 0.0f;
  UNROLL_BY (2) for (int p = 0; p < D; p++)
    {
      float weights[PAD], v = from[p * CHANNELS];

      load_weights (spread + p * PAD, weights);
      UNROLL for (int k = 0; k < TAPS; k++) sum[k] += weights[k] * v;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  UNROLL for (int k = 0; k < TAPS; k++) tile[k * GROUP + l] = sum[k];
  barrier (CLK_LOCAL_MEM_FENCE);
  if (l < min (outputs, left) * CHANNELS)
    {
      float all = 0.0f;

      UNROLL for (int k = 0; k < TAPS; k++) all += tile[k * GROUP + l + (TAPS - 1 - k) * CHANNELS];
      out[l] = all;
    }
}

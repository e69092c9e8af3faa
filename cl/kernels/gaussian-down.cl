/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted sums along x, or along y, of every D-th sample, for GPUs:
 *
 *     out[j] = sum over t < TAPS * D of w[t] * in[first + j * D + t]
 *
 * What takes time is waiting for memory. Along x a group of 32 work-items, which no barrier stops, loads a
 * row's segment while it sums the one before from local memory. Along y, where what is left of the image is
 * small, a group loads all that its outputs need at once.
 *
 * Layout: pixels of CHANNELS values, rows, planes. Border: border.clh, by position.
 * Assumptions: `aligned` tells that groups of 4 values from x.first on begin at multiples of 4; a segment's
 * `cells` are a multiple of OUTS. Macros: IN, CHANNELS, D, TAPS, OUTS_Y (outputs of a group along y). */
#include "gaussian.clh"
#include "gaussian-window.clh"

#define GROUP 32
#define LOADS (((GROUP - 1) * CHUNK + 4 * WINDOW + 4 * GROUP - 1) / (4 * GROUP))
typedef JOIN (IN, 4) in4_t;

/* A segment's values, of which the quads [from, to) lie in what the input holds. */
typedef struct {
  int pixel, from, to, total;
} segment_t;

static inline void
load_inside (global const IN *p, segment_t s, int l, int aligned, float4 *v)
{
  UNROLL for (int i = 0; i < LOADS; i++)
    if (l + i * GROUP >= s.from && l + i * GROUP < s.to)
      v[i] = aligned ? convert_float4 (*(global const in4_t *) (p + 4 * GROUP * i))
                     : convert_float4 (vload4 (0, p + 4 * GROUP * i));
}

static inline void
keep_inside (const float4 *v, segment_t s, int l, local float *tile)
{
  UNROLL for (int i = 0; i < LOADS; i++)
    if (l + i * GROUP >= s.from && l + i * GROUP < s.to)
      *(local float4 *) (tile + padded (4 * (l + i * GROUP))) = v[i];
}

/* What the border rule puts in the other places. */
static inline void
load_beyond (global const IN *row, segment_t s, int l, span_t x, local float *tile)
{
  for (int o = l; o < 4 * s.from + s.total - 4 * s.to; o += GROUP)
    {
      int at = o < 4 * s.from ? o : o - 4 * s.from + 4 * s.to;
      int place = span_index (s.pixel + at / CHANNELS, x);

      tile[padded (at)] = place < 0 ? 0.0f : (float) row[(ulong) place * CHANNELS + at % CHANNELS];
    }
}

/* Dimensions: segments of `cells` outputs, groups of `rows` rows. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_down_x (global const IN *restrict in, global float *restrict out, x_weights_t w, span_t x,
                 ulong height, int cells, int rows, int aligned)
{
  local float tile[ROW_SIZE (4 * GROUP * LOADS)] __attribute__ ((aligned (16)));
  int l = (int) get_local_id (0), cell = (int) get_group_id (0) * cells;
  ulong row = get_group_id (1) * (ulong) rows, end = min (row + rows, height);
  ulong pitch = (ulong) x.n_source * CHANNELS;
  segment_t s = { .pixel = x.first + cell * D, .total = (cells + TAPS - 1) * D * CHANNELS };
  global const IN *p = in + row * pitch + ((long) (s.pixel - x.source) * CHANNELS + 4 * l);
  float4 v[LOADS];

  s.from = (clamp ((x.source - s.pixel) * CHANNELS, 0, s.total) + 3) / 4;
  s.to = max (clamp ((x.source + x.n_source - s.pixel) * CHANNELS, 0, s.total) / 4, s.from);
  s.from = min (s.from, s.total / 4);
  s.to = min (s.to, s.total / 4);
  in += row * pitch;
  out += row * x.count * CHANNELS;
  load_inside (p, s, l, aligned, v);
  for (; row < end; row++, in += pitch, out += x.count * CHANNELS)
    {
      keep_inside (v, s, l, tile);
      load_beyond (in, s, l, x, tile);
      barrier (CLK_LOCAL_MEM_FENCE);
      if (row + 1 < end)
        p += pitch;
      load_inside (p, s, l, aligned, v);
      if (l * OUTS < cells)
        {
          float sums[OUTS * CHANNELS];

          sum_window (tile + l * PADDED, w, sums);
          store_sums (sums, out, (cell + l * OUTS) * CHANNELS, x.count * CHANNELS);
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

#define WIDE 32
#define HIGH 8
#define LOADS_Y (((TAPS - 1 + OUTS_Y) * D + HIGH - 1) / HIGH)

/* Dimensions: values of a row by WIDE, groups of OUTS_Y outputs by HIGH work-items, planes. */
kernel __attribute__ ((reqd_work_group_size (WIDE, HIGH, 1))) void
gaussian_down_y (global const IN *restrict in, global float *restrict out, x_weights_t w, span_t y, uint width)
{
  local float tile[LOADS_Y * HIGH][WIDE];
  local int places[LOADS_Y * HIGH];
  int lx = (int) get_local_id (0), ly = (int) get_local_id (1), top = (int) get_group_id (1) * OUTS_Y;
  uint u = (uint) get_global_id (0);
  float v[LOADS_Y];

  for (int i = ly * WIDE + lx; i < LOADS_Y * HIGH; i += WIDE * HIGH)
    places[i] = span_index (y.first + min (top * D + i, (y.count + TAPS - 1) * D - 1), y);
  barrier (CLK_LOCAL_MEM_FENCE);
  in += get_global_id (2) * (ulong) y.n_source * width + min (u, width - 1);
  out += get_global_id (2) * (ulong) y.count * width + u;
  UNROLL for (int n = 0; n < LOADS_Y; n++)
    v[n] = (float) in[(ulong) (uint) max (places[ly + n * HIGH], 0) * width];
  UNROLL for (int n = 0; n < LOADS_Y; n++)
    tile[ly + n * HIGH][lx] = places[ly + n * HIGH] < 0 ? 0.0f : v[n];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int j = ly; j < OUTS_Y && top + j < y.count; j += HIGH)
    {
      float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

      UNROLL for (int t = 0; t < TAPS * D; t++)
        sum[t % 4] += w.w[t < HALF (TAPS * D) ? t : TAPS * D - 1 - t] * tile[j * D + t][lx];
      if (u < width)
        out[(ulong) (top + j) * width] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

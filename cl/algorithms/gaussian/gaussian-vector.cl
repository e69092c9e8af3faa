/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x together, of every DY-th and DX-th sample, for CPUs; the formula is that of
 * gaussian-strip.cl (with SHIFT 0).
 *
 * A work-item makes CELLS outputs side by side and walks down `rows` of them. It keeps KY unfinished rows
 * of sums along y, each as wide as the inputs of its outputs; one is complete after every DY rows, and is
 * summed along x then, with every DX-th value side by side so that vectors fit.
 *
 * Macros: IN (REAL for float), CHANNELS, DX, DY (1, 2, 4 or 8), KX, KY, PADDED (with a DX and DY of 1 alone: pad_x and
 * pad_y of the weights at either end are padding; padded.clh). */
#include "gaussian.clh"
#ifdef PADDED
#include "padded.clh"
#endif

#if CHANNELS == 1
#define CELLS (512 / DX)
#else
#define CELLS (256 / DX)
#endif
#define SPAN ((CELLS + KX - 1 + 7) / 8 * 8 * CHANNELS) /* values of one of DX phases */
#define WIDTH (SPAN * DX)

/* All sums move up by one and get a block of DY rows; row (p) points to row p. */
#define SUM_BLOCK(row)                                                                             \
  for (int u = 0; u < WIDTH; u += 8)                                                               \
    {                                                                                              \
      float8 v[DY];                                                                                \
                                                                                                   \
      UNROLL for (int p = 0; p < DY; p++) v[p] = vload8 (0, row (p) + u);                          \
      UNROLL for (int k = 0; k < KY; k++)                                                          \
        {                                                                                          \
          float8 s = k + 1 < KY ? vload8 (0, sum + (k + 1) % KY * WIDTH + u) : (float8) (0.0f);     \
                                                                                                   \
          UNROLL for (int p = 0; p < DY; p++) s += wy[(KY - 1 - k) * DY + p] * v[p];               \
          vstore8 (s, 0, sum + k * WIDTH + u);                                                     \
        }                                                                                          \
    }

/* Pixels begin to end - 1 of those that stand from `first` on, by the border rule. */
static inline void
load_mapped (global const IN *row, float *to, int first, int begin, int end, span_t x)
{
  for (int i = begin; i < end; i++)
    {
      int at = span_index (first + i, x);

      for (int c = 0; c < CHANNELS; c++)
        to[i * CHANNELS + c] = at < 0 ? 0.0f : (float) row[(ulong) at * CHANNELS + c];
    }
}

/* The values of a row from pixel `first` on. */
static inline void
load_row (global const IN *row, float *to, int first, span_t x)
{
  int pixels = WIDTH / CHANNELS, begin = clamp (x.source - first, 0, pixels);
  int end = clamp (x.source + x.n_source - first, begin, pixels);
  global const IN *from = row + (long) (first - x.source) * CHANNELS;

  load_mapped (row, to, first, 0, begin, x);
  for (int u = begin * CHANNELS; u < end * CHANNELS; u++)
    to[u] = (float) from[u];
  load_mapped (row, to, first, end, pixels, x);
}

/* Every DX-th pixel of a row side by side. */
static inline void
split_phases (const float *row, float *phases)
{
  for (int i = 0; i < SPAN / CHANNELS; i++)
    UNROLL for (int p = 0; p < DX; p++)
      UNROLL for (int c = 0; c < CHANNELS; c++)
        phases[p * SPAN + i * CHANNELS + c] = row[(i * DX + p) * CHANNELS + c];
}

/* Adds 0 to `spoilt`, and NaN where a sum is not finite. */
static inline void
sum_along_x (const float *phases, constant float *wx, global float *to, int valid, float16 *spoilt)
{
  for (int u = 0; u < CELLS * CHANNELS && u < valid; u += 16)
    {
      float16 sum = 0.0f;
      float values[16];

      for (int p = 0; p < DX; p++)
        UNROLL for (int k = 0; k < KX; k++)
          sum += wx[k * DX + p] * vload16 (0, phases + p * SPAN + u + k * CHANNELS);
#ifdef PADDED
      *spoilt += 0.0f * sum;
#endif
      if (u + 16 <= valid)
        vstore16 (sum, 0, to + u);
      else
        {
          vstore16 (sum, 0, values);
          for (int q = 0; u + q < valid; q++)
            to[u + q] = values[q];
        }
    }
}

#ifdef PADDED
/* The outputs from value `first` of row j on that are not finite, of `count`. */
static inline void
sum_row_again (global const IN *in, global float *out, int first, int count, int j, constant float *wx,
               constant float *wy, span_t x, span_t y, int pad_x, int pad_y)
{
  line_t along_x = { 0, KX - 2 * pad_x, x.length, x.source, x.n_source, x.border, CHANNELS };
  line_t along_y = { y.first + pad_y + j, KY - 2 * pad_y, y.length, y.source, y.n_source, y.border,
                     (ulong) x.n_source * CHANNELS };

  for (int u = 0; u < count; u++)
    if (!IS_FINITE (out[u]))
      {
        along_x.first = x.first + pad_x + first + u / CHANNELS;
        out[u] = sum_again (in + u % CHANNELS, along_x, wx + pad_x, along_y, wy + pad_y);
      }
}
#endif

#define ROW_THERE(p) (there + (p) * pitch)
#define ROW_HERE(p) (here + (p) * WIDTH)

/* Dimensions: groups of CELLS outputs, groups of `rows` rows, planes. */
kernel void
gaussian_vector (global const IN *restrict in, global float *restrict out, constant float *wx,
               constant float *wy, span_t x, span_t y, int rows
#ifdef PADDED
               , int pad_x, int pad_y
#endif
)
{
  int cell = (int) get_global_id (0) * CELLS, row = (int) get_global_id (1) * rows;
  int first = x.first + cell * DX, last = min (row + rows, y.count);
  ulong pitch = (ulong) x.n_source * CHANNELS;
  bool inside = first >= x.source && first + WIDTH / CHANNELS <= x.source + x.n_source;
  int valid = (x.count - cell) * CHANNELS;
  float sum[KY * WIDTH], here[DY * WIDTH], phases[WIDTH];
  float16 spoilt = 0.0f;

  if (valid <= 0 || row >= last)
    return;
  in += get_global_id (2) * (ulong) y.n_source * pitch;
  out += (get_global_id (2) * (ulong) y.count * x.count + cell) * CHANNELS;
  for (int u = 0; u < KY * WIDTH; u++)
    sum[u] = 0.0f;

  for (int j = row - (KY - 1); j < last; j++)
    {
      int at = y.first + (j + KY - 1) * DY;

#ifdef REAL
      if (inside && at >= y.source && at + DY <= y.source + y.n_source)
        {
          global const float *there = in + (ulong) (at - y.source) * pitch
                                      + (ulong) (first - x.source) * CHANNELS;

          SUM_BLOCK (ROW_THERE)
        }
      else
#endif
        {
          for (int p = 0; p < DY; p++)
            {
              int i = span_index (at + p, y);

              if (i >= 0)
                load_row (in + (ulong) i * pitch, here + p * WIDTH, first, x);
              else
                for (int u = 0; u < WIDTH; u++)
                  here[p * WIDTH + u] = 0.0f;
            }
          SUM_BLOCK (ROW_HERE)
        }
      if (j >= row)
        {
          split_phases (sum, phases);
          sum_along_x (phases, wx, out + (ulong) j * x.count * CHANNELS, valid, &spoilt);
        }
    }
#ifdef PADDED
  if (dot (spoilt.lo.lo + spoilt.lo.hi + spoilt.hi.lo + spoilt.hi.hi, (float4) (1.0f)) != 0.0f)
    for (int j = row; j < last; j++)
      sum_row_again (in, out + (ulong) j * x.count * CHANNELS, cell, min (CELLS * CHANNELS, valid), j, wx, wy, x, y,
                     pad_x, pad_y);
#endif
}

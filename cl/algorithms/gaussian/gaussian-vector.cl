/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass, downsampled by DX and DY, for CPUs:
 *
 *     out[j][i] = sum over t < KY * DY, u < KX * DX of wy[t] * wx[u] * in[y.first + j * DY + t][x.first + i * DX + u]
 *
 * A work-item computes OUTPUTS neighboring pixels of `rows` rows, walking down a strip. It holds KY incomplete rows of
 * sums along y, as wide as the inputs of its outputs. Every DY rows complete one of them, which is then summed along x,
 * rearranged so that every DX-th value is a neighbor and vectors apply.
 *
 * Dimensions: OUTPUTS pixels of a row, strips, planes. Layout: pixels of CHANNELS values, rows, planes.
 * Border: border.clh, by position.
 * Macros: those of color-rows.clh, CHANNELS, DX, DY (1, 2, 4 or 8), KX, KY, PADDED (only with
 * DX = DY = 1: pad_x and pad_y weights at either end are padding; see padded.clh). */
#include "gaussian-vector.clh"
#ifdef PADDED
#include "padded.clh"

/* Sums the outputs that are not finite again without padding: `count` values of row j from pixel `first` on. */
static inline void
sum_row_again (global const stored_t *in, global float *out, int first, int count, int j, constant float *wx,
               constant float *wy, CapraGaussianAxis x, CapraGaussianAxis y, int pad_x, int pad_y,
               colors_t colors)
{
  line_t along_x = { 0, KX - 2 * pad_x, x.length, x.source, x.n_source, x.border, CHANNELS };
  line_t along_y = { y.first + pad_y + j, KY - 2 * pad_y, y.length, y.source, y.n_source, y.border,
                     (ulong) x.n_source * CHANNELS };

  for (int u = 0; u < count; u++)
    if (!IS_FINITE (out[u]))
      {
        along_x.first = x.first + pad_x + first + u / CHANNELS;
        out[u] = sum_again (in, u % CHANNELS, along_x, wx + pad_x, along_y, wy + pad_y, colors);
      }
}
#endif

#define ROW_THERE(p) (there + (p) * pitch)
#define ROW_HERE(p) (here + (p) * WIDTH)

kernel void
gaussian_vector (global const stored_t *restrict in, global float *restrict out, constant float *wx,
               constant float *wy, CapraGaussianAxis x, CapraGaussianAxis y, int rows COLOR_ARGUMENTS
#ifdef PADDED
               , int pad_x, int pad_y
#endif
)
{
  int output = (int) get_global_id (0) * OUTPUTS, row = (int) get_global_id (1) * rows;
  int first = x.first + output * DX, last = min (row + rows, y.count);
  ulong pitch = (ulong) x.n_source * CHANNELS;
  bool inside = first >= x.source && first + WIDTH / CHANNELS <= x.source + x.n_source;
  int valid = (x.count - output) * CHANNELS;
  float sum[KY * WIDTH], here[DY * WIDTH + SLACK], phases[WIDTH];
  uint16 largest = 0;
  colors_t colors = COLORS_OF_ARGUMENTS;

  if (valid <= 0 || row >= last)
    return;
  in = value_at (in, (long) (get_global_id (2) * (ulong) y.n_source * pitch), colors);
  out += (get_global_id (2) * (ulong) y.count * x.count + output) * CHANNELS;
  for (int u = 0; u < KY * WIDTH; u++)
    sum[u] = 0.0f;

  for (int j = row - (KY - 1); j < last; j++)
    {
      int at = y.first + (j + KY - 1) * DY;

      if (IS_FLOAT (colors) && inside && at >= y.source && at + DY <= y.source + y.n_source)
        {
          global const float *there = (global const float *) in + (ulong) (at - y.source) * pitch
                                      + (ulong) (first - x.source) * CHANNELS;

          SUM_BLOCK (ROW_THERE)
        }
      else
        {
          for (int p = 0; p < DY; p++)
            {
              int i = sample_index (at + p, y);

              if (i >= 0)
                load_row (value_at (in, (long) ((ulong) i * pitch), colors), here + p * WIDTH, first, x, colors);
              else
                for (int u = 0; u < WIDTH; u++)
                  here[p * WIDTH + u] = 0.0f;
            }
          SUM_BLOCK (ROW_HERE)
        }
      if (j >= row)
        {
          split_phases (sum, phases);
          sum_along_x (phases, wx, out + (ulong) j * x.count * CHANNELS, valid, &largest);
        }
    }
#ifdef PADDED
  if (!is_finite (largest_of (max (max (largest.lo.lo, largest.lo.hi), max (largest.hi.lo, largest.hi.hi)))))
    for (int j = row; j < last; j++)
      sum_row_again (in, out + (ulong) j * x.count * CHANNELS, output, min (OUTPUTS * CHANNELS, valid), j, wx, wy, x, y,
                     pad_x, pad_y, colors);
#endif
}

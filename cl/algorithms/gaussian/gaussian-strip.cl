/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass, for GPUs:
 *
 *     out[j][i] = sum over t < KY, u < KX of wy[t] * wx[u] * in[y.first + j + t][x.first + SHIFT + i + u]
 *
 * A group computes OUTPUTS neighboring pixels of `rows` rows, walking down a strip. Each work-item sums V columns: it
 * holds KY incomplete sums, and each row completes one. STEP rows of complete sums go to local memory and are summed
 * along x, while the next rows are loaded. The image is read once, and only the result is written.
 *
 * Dimensions: work-items of a row's groups, strips, planes. Layout: pixels of CHANNELS values, rows, planes.
 * Border: border.clh, by position. Assumptions: weights are symmetric, and the first half of them is passed; `aligned`
 * says whether groups of 4 values of the input begin at multiples of 4; x.first is SHIFT pixels before the position of
 * the first weight; `rows` is a multiple of STEP.
 * Macros: IN (type of a value), CHANNELS, KX, KY, SHIFT, GROUP, PADDED (`own` holds the nx and ny weights without
 * padding; see padded.clh). */
#include "gaussian-strip.clh"
#include "group-order.clh"
#ifdef PADDED
#include "padded.clh"

/* A channel of output j, i, summed again without padding. */
static inline float
sum_pixel_again (global const IN *in, int channel, int i, int j, CapraGaussianAxis x, CapraGaussianAxis y,
                 constant float *own, int nx, int ny)
{
  line_t along_x = { x.first + SHIFT + (KX - nx) / 2 + i, nx, x.length, x.source, x.n_source, x.border, CHANNELS };
  line_t along_y = { y.first + (KY - ny) / 2 + j, ny, y.length, y.source, y.n_source, y.border,
                     (ulong) x.n_source * CHANNELS };

  return sum_again (in, channel, along_x, own, along_y, own + nx, 0);
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_strip (global const IN *restrict in, global float *restrict out, x_weights_t wx,
               y_weights_t wy, CapraGaussianAxis x, CapraGaussianAxis y, int rows, int aligned
#ifdef PADDED
               , constant float *own, int nx, int ny
#endif
)
{
  int2 group = group_position ();
  int l = (int) get_local_id (0), output = group.x * OUTPUTS, row = group.y * rows;
  int pixel = x.first + output + l * PIXELS, at = y.first + row + KY - 1 - BEFORE;
  int needed = x.first + SHIFT + x.count + KX - 1 - pixel; /* pixels */
  int begin = pixel - l % SIDE * PIXELS;
  column_t c = { .aligned = aligned };
  ulong pitch = (ulong) x.n_source * CHANNELS;
  uint width = (uint) x.count * CHANNELS;
  uint quad = (uint) (l % QUADS) * 4, to = (uint) output * CHANNELS + quad;
  vals_t sum[KY], v[STEP];
  local float tile[2 * STEP * PITCH] __attribute__ ((aligned (16)));
  local float *mine = tile + l * V;
#ifdef PADDED
  uint4 largest = 0;
#endif

  UNROLL for (int e = 0; e < PIXELS; e++) c.at[e] = e < needed ? sample_index (pixel + e, x) : -1;
  c.inside = begin >= x.source && begin + SIDE * PIXELS <= x.source + x.n_source;
  in += get_global_id (2) * (ulong) y.n_source * pitch;
  out += get_global_id (2) * (ulong) y.count * width;

  UNROLL for (int k = 0; k < KY; k++) sum[k] = 0.0f;
  load_rows (in, at, &c, y, pitch, v);
  for (int b = 0; b < BEFORE; b += STEP)
    {
      clear_rows (at, &c, y, v);
      UNROLL for (int q = 0; q < STEP; q++) sum_row (v[q], wy, sum);
      at += STEP;
      load_rows (in, at, &c, y, pitch, v);
    }

  /* Steps use the two halves of the tile in turn. */
  for (int s = 0, turn = 0; s < rows; s += STEP, turn ^= STEP * PITCH)
    {
      clear_rows (at, &c, y, v);
      UNROLL for (int q = 0; q < STEP; q++)
        {
          sum_row (v[q], wy, sum);
          JOIN (vstore, V) (sum[0], 0, mine + turn + q * PITCH);
        }
      at += STEP;
      load_rows (in, at, &c, y, pitch, v);
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int r = l / QUADS; l < QUAD_ROWS * QUADS && r < STEP; r += QUAD_ROWS)
        {
          int j = row + s + r;

          if (j < y.count && to < width)
            {
              float4 sums = sum_along_x (tile + turn + r * PITCH + quad, wx);

#ifdef PADDED
              largest = max (largest, MAGNITUDE (sums, uint4));
#endif
              store_quad (sums, out + (ulong) j * width, to, width);
            }
        }
    }

#ifdef PADDED
  if (!is_finite (largest_of (largest)))
    for (int s = 0; s < rows; s += STEP)
      for (int r = l / QUADS; l < QUAD_ROWS * QUADS && r < STEP; r += QUAD_ROWS)
        for (uint i = to; row + s + r < y.count && i < min (to + 4, width); i++)
          if (!IS_FINITE (out[(ulong) (row + s + r) * width + i]))
            out[(ulong) (row + s + r) * width + i]
              = sum_pixel_again (in, i % CHANNELS, (int) (i / CHANNELS), row + s + r, x, y, own, nx, ny);
#endif
}

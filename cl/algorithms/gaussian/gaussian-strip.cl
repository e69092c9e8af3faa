/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x together, for GPUs:
 *
 *     out[j][i] = sum over t < KY, u < KX of wy[t] * wx[u] * in[y.first + j + t][x.first + SHIFT + i + u]
 *
 * A group makes CELLS outputs side by side and walks down `rows` of them. Each work-item sums V columns
 * as they come: KY sums at a time, of which one is complete after every row. STEP rows of complete sums
 * go to local memory and are summed along x from there, while the next rows are on their way. So the image
 * is read once, and nothing but the result is written.
 *
 * Layout: pixels of CHANNELS values, rows, planes (dimension 2). Border: border.clh, by position.
 * Assumptions: weights are the same from both ends; `aligned` tells that groups of 4 values of the input
 * begin at multiples of 4; x.first lies SHIFT pixels before the first weight's. rows is a multiple of STEP.
 * Macros: IN, CHANNELS, KX, KY, SHIFT, GROUP, PADDED (`own` holds the nx and ny weights that are no padding;
 * padded.clh). */
#include "gaussian.clh"
#include "group-order.clh"
#ifdef PADDED
#include "padded.clh"
#endif

/* Rows that are loaded at a time, so that enough loads are on their way. */
#define STEP 8
/* Rows before a strip's first sum is complete, in whole steps. */
#define BEFORE ((KY - 1 + STEP - 1) / STEP * STEP)

#define SIDE 32 /* neighbouring work-items that load in the same way */
#define CELLS ((GROUP * PIXELS - SHIFT - (KX - 1)) / 4 * 4)
#define PITCH (GROUP * V + 4)
#define QUADS (CELLS * CHANNELS / 4)
#define QUAD_ROWS (GROUP / QUADS) /* that a group makes at a time */
#define WINDOW ((SHIFT * CHANNELS + 4 + (KX - 1) * CHANNELS + 3) / 4)

typedef JOIN (IN, V) ins_t;
#define CONVERT JOIN (convert_float, V)
#define VLOAD JOIN (vload, V)

/* The first half of weights and the middle one: by value, as operands of instructions. */
#define HALF(taps) (((taps) + 1) / 2)
#define WEIGHT(half_of, k, taps) ((half_of).w[(k) < HALF (taps) ? (k) : (taps) - 1 - (k)])
typedef struct {
  float w[HALF (KX)];
} x_weights_t;
typedef struct {
  float w[HALF (KY)];
} y_weights_t;

typedef struct {
  int at[PIXELS]; /* where the input holds its pixels; -1 for zero */
  bool inside, aligned; /* inside: neighbouring work-items' as well, which take one way together */
} column_t;

static inline bool
rows_inside (int at, span_t y)
{
  return at >= y.source && at + STEP <= y.source + y.n_source;
}

/* STEP rows from position `at` on; anything for zeros. Loops over v are unrolled, so that it stays in registers, and
 * nothing looks at what is loaded, so that nobody waits for it. */
static inline void
load_rows (global const IN *restrict in, int at, const column_t *c, span_t y, ulong pitch, vals_t *restrict v)
{
  bool inside = rows_inside (at, y);

  if (c->inside && inside)
    {
      global const IN *p = in + (ulong) (at - y.source) * pitch + (ulong) c->at[0] * CHANNELS;

#if V == 4
      if (c->aligned)
        UNROLL for (int r = 0; r < STEP; r++) v[r] = CONVERT (*(global const ins_t *) (p + r * pitch));
      else
#endif
        UNROLL for (int r = 0; r < STEP; r++) v[r] = CONVERT (VLOAD (0, p + r * pitch));
    }
  else
    UNROLL for (int r = 0; r < STEP; r++)
      {
        int i = inside ? at + r - y.source : max (span_index (at + r, y), 0);
        global const IN *row = in + (ulong) i * pitch;
        float values[V];

        UNROLL for (int e = 0; e < V; e++)
          values[e] = (float) row[(ulong) max (c->at[e / CHANNELS], 0) * CHANNELS + e % CHANNELS];
        v[r] = VLOAD (0, values);
      }
}

/* Zeros for what lies on nothing. */
static inline void
clear_rows (int at, const column_t *c, span_t y, vals_t *v)
{
  if (y.border != BORDER_NONE || (c->inside && rows_inside (at, y)))
    return;
  UNROLL for (int r = 0; r < STEP; r++)
    {
      bool nothing = (uint) (at + r) >= (uint) y.length;
      float values[V];

      JOIN (vstore, V) (v[r], 0, values);
      UNROLL for (int e = 0; e < V; e++)
        values[e] = nothing || c->at[e / CHANNELS] < 0 ? 0.0f : values[e];
      v[r] = VLOAD (0, values);
    }
}

/* One more row: the sums move up by one, and the topmost is complete. */
static inline void
sum_row (vals_t v, y_weights_t wy, vals_t *sum)
{
  UNROLL for (int k = 0; k < KY; k++)
    sum[k] = (k + 1 < KY ? sum[k + 1] : (vals_t) (0.0f)) + WEIGHT (wy, KY - 1 - k, KY) * v;
}

/* Four values side by side. */
static inline float4
sum_along_x (local const float *from, x_weights_t wx)
{
  float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, window[4 * WINDOW];

  UNROLL for (int q = 0; q < WINDOW; q++) vstore4 (*(local const float4 *) (from + 4 * q), q, window);
  UNROLL for (int k = 0; k < KX; k++)
    UNROLL for (int q = 0; q < 4; q++) sum[q] += WEIGHT (wx, k, KX) * window[(SHIFT + k) * CHANNELS + q];
  return vload4 (0, sum);
}

static inline void
store_quad (float4 quad, global float *to, uint at, uint width)
{
  float values[4];

  if (width % 4 == 0)
    {
      *(global float4 *) (to + at) = quad;
      return;
    }
  vstore4 (quad, 0, values);
  for (uint q = 0; q < 4 && at + q < width; q++)
    to[at + q] = values[q];
}

#ifdef PADDED
/* Output j, i of the channel at `in`. */
static inline float
sum_pixel_again (global const IN *in, int i, int j, span_t x, span_t y, constant float *own, int nx, int ny)
{
  line_t along_x = { x.first + SHIFT + (KX - nx) / 2 + i, nx, x.length, x.source, x.n_source, x.border, CHANNELS };
  line_t along_y = { y.first + (KY - ny) / 2 + j, ny, y.length, y.source, y.n_source, y.border,
                     (ulong) x.n_source * CHANNELS };

  return sum_again (in, along_x, own, along_y, own + nx);
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_strip (global const IN *restrict in, global float *restrict out, x_weights_t wx,
               y_weights_t wy, span_t x, span_t y, int rows, int aligned
#ifdef PADDED
               , constant float *own, int nx, int ny
#endif
)
{
  int2 group = group_position ();
  int l = (int) get_local_id (0), cell = group.x * CELLS, row = group.y * rows;
  int pixel = x.first + cell + l * PIXELS, at = y.first + row + KY - 1 - BEFORE;
  int needed = x.first + SHIFT + x.count + KX - 1 - pixel; /* pixels */
  int begin = pixel - l % SIDE * PIXELS;
  column_t c = { .aligned = aligned };
  ulong pitch = (ulong) x.n_source * CHANNELS;
  uint width = (uint) x.count * CHANNELS;
  uint quad = (uint) (l % QUADS) * 4, to = (uint) cell * CHANNELS + quad;
  vals_t sum[KY], v[STEP];
  local float tile[2 * STEP * PITCH] __attribute__ ((aligned (16)));
  local float *mine = tile + l * V;
#ifdef PADDED
  float4 spoilt = 0.0f;
#endif

  UNROLL for (int e = 0; e < PIXELS; e++) c.at[e] = e < needed ? span_index (pixel + e, x) : -1;
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

  /* Steps take turns with two halves of the tile. */
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
              spoilt += 0.0f * sums;
#endif
              store_quad (sums, out + (ulong) j * width, to, width);
            }
        }
    }

#ifdef PADDED
  if (dot (spoilt, (float4) (1.0f)) != 0.0f)
    for (int s = 0; s < rows; s += STEP)
      for (int r = l / QUADS; l < QUAD_ROWS * QUADS && r < STEP; r += QUAD_ROWS)
        for (uint i = to; row + s + r < y.count && i < min (to + 4, width); i++)
          if (!IS_FINITE (out[(ulong) (row + s + r) * width + i]))
            out[(ulong) (row + s + r) * width + i]
              = sum_pixel_again (in + i % CHANNELS, (int) (i / CHANNELS), row + s + r, x, y, own, nx, ny);
#endif
}

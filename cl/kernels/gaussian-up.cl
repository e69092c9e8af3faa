/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation of an image by DX and DY with KX and KY weights an output, for GPUs:
 *
 *     out[y][x] = sum over k < KY, m < KX of wy[t % DY][k] * wx[u % DX][m] * in[t / DY + k][u / DX + m]
 *     with t = y + y.phase, u = x + x.phase
 *
 * A group makes a tile of 128 values side by side and walks down `blocks` rows of the small image, ROWS at
 * a time: it sums them along x into local memory (gaussian-up.clh), the next ones being on their way. Then
 * each work-item takes its four values of each, and holds those of the last KY rows; DY rows of outputs are
 * made of them and stored, whole lines at a time.
 *
 * Layout: pixels of CHANNELS values, rows, planes (dimension 2). All that is needed stands in the small
 * image. Assumptions: weights are the same from both ends; `blocks` is a multiple of ROWS.
 * Macros: CHANNELS, DX, DY, KX, KY, C, SLOTS, ROWS (a multiple of 32 / SLOTS), UNROLLED (of ROWS), ALIGNED
 * (whether rows of outputs begin at multiples of 4 values). */
#include "gaussian-up.clh"

#define PRAGMA_(x) _Pragma (#x)
#define PRAGMA(x) PRAGMA_ (x)
#define BEFORE ((KY - 1 + ROWS - 1) / ROWS) /* steps before the first output */
#define HELD ((BEFORE + 1) * ROWS)          /* rows of the small image in local memory */

/* Span of algorithms/gaussian-up.c. */
typedef struct {
  int n_small, phase, count;
} up_t;

typedef struct {
  float w[HALF (DY * KY)];
} y_weights_t;

/* Where a work-item finds its values in a row of local memory, and puts them from `left` on. */
typedef struct {
  int at[4], left, width;
  bool quads;
} item_t;

/* One more row of the small image. */
INLINE void
next_row (local const float *row, const item_t *item, float4 *near)
{
  UNROLL for (int k = 0; k < KY - 1; k++) near[k] = near[k + 1];
  if (ALIGNED && item->quads)
    near[KY - 1] = *(local const float4 *) (row + item->at[0]);
  else
    near[KY - 1] = (float4) (row[item->at[0]], row[item->at[1]], row[item->at[2]], row[item->at[3]]);
}

/* DY rows of outputs from row i on. */
INLINE void
make_block (const float4 *near, y_weights_t wy, const item_t *item, global float *to, int i, int count,
            bool all)
{
  UNROLL for (int p = 0; p < DY; p++, to += item->width)
    {
      bool inside = all || (uint) (i + p) < (uint) count;
      float4 v = 0.0f;

      UNROLL for (int k = 0; k < KY; k++) v += WEIGHT (wy, p * KY + k, DY * KY) * near[k];
#if ALIGNED
      if (inside && item->left < item->width)
        *(global float4 *) to = v;
#else
      float values[4];

      vstore4 (v, 0, values);
      UNROLL for (int e = 0; e < 4; e++)
        if (inside && item->left + e * GROUP < item->width)
          to[e * GROUP] = values[e];
#endif
    }
}

#define LOAD_ROWS(n, v)                                                                            \
  UNROLL for (int q = 0; q < (n); q++)                                                             \
    {                                                                                              \
      global const float *row = in + (ulong) clamp (r + q, 0, y.n_small - 1) * pitch;              \
      UNROLL for (int e = 0; e < LOADS; e++) v[q * LOADS + e] = row[columns[e]];                   \
    }
#define PUT_ROWS(n, v, small, most)                                                                \
  UNROLL for (int q = 0; q < (n); q++)                                                             \
    UNROLL for (int e = 0; e < LOADS; e++)                                                         \
      if (l + e * GROUP < (most))                                                                  \
        (small)[q * SMALL_PITCH + l + e * GROUP] = v[q * LOADS + e];

/* Dimensions: 32 work-items for TILE values, groups of `blocks` rows of the small image, planes. */
kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
gaussian_up (global const float *restrict in, global float *restrict out, x_weights_t wx, y_weights_t wy,
             up_t x, up_t y, int blocks)
{
  local float small[HELD * SMALL_PITCH] __attribute__ ((aligned (16)));
  local float wide[ROWS * WIDE_PITCH] __attribute__ ((aligned (16)));
  int l = (int) get_local_id (0), pitch = x.n_small * CHANNELS, width = x.count * CHANNELS;
  int begin = (int) get_group_id (1) * blocks, end = min (begin + blocks, y.n_small - (KY - 1));
  int left = (int) get_group_id (0) * TILE, cell = (left + x.phase * CHANNELS) / CELL;
  int off = left + x.phase * CHANNELS - cell * CELL;
  /* Cells are moved so that an item's four values begin at a multiple of four. */
  int move = MOVABLE && off % QUAD == 0 ? 4 - off % 4 : 4;
  int r = begin + KY - 1 - BEFORE * ROWS; /* the row that is loaded */
  item_t item = { .left = left + (ALIGNED ? 4 * l : l), .width = width, .quads = (off + move) % 4 == 0 };
  int columns[LOADS];
  float4 near[KY];
  float first[HELD * LOADS];

  in += get_group_id (2) * (ulong) y.n_small * pitch;
  out += get_group_id (2) * (ulong) y.count * width;
  UNROLL for (int e = 0; e < LOADS; e++) columns[e] = min (cell * CHANNELS + l + e * GROUP, pitch - 1);
  LOAD_ROWS (HELD, first)
  UNROLL for (int e = 0; e < 4; e++)
    {
      int i = off + (ALIGNED ? 4 * l + e : l + e * GROUP);

      item.at[e] = move + i / CELL * PITCH + i % CELL;
    }
  PUT_ROWS (HELD, first, small, SMALL)
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int j = begin - BEFORE * ROWS, turn = 0; j < end; j += ROWS)
    {
      int next = turn + ROWS == HELD ? 0 : turn + ROWS, i = j * DY - y.phase;
      global float *to = out + (long) i * width + item.left;
      /* What is loaded is put by conditions of its own, since PoCL 5 stops the process where two branches that end
       * in branches of their own meet at a barrier. */
      int most = j < begin ? 0 : SMALL;
      float v[ROWS * LOADS];

      if (j >= begin)
        {
          r = j + ROWS + KY - 1;
          LOAD_ROWS (ROWS, v)
        }
      sum_rows_along_x (small + turn * SMALL_PITCH, wx, off, wide + move);
      barrier (CLK_LOCAL_MEM_FENCE);
      if (j < begin)
        UNROLL for (int q = 0; q < ROWS; q++) next_row (wide + q * WIDE_PITCH, &item, near);
      else if (i >= 0 && i + ROWS * DY <= y.count)
        PRAGMA (unroll UNROLLED) for (int q = 0; q < ROWS; q++, to += (long) width * DY)
          {
            next_row (wide + q * WIDE_PITCH, &item, near);
            make_block (near, wy, &item, to, i, y.count, true);
          }
      else
        _Pragma ("nounroll") for (int q = 0; q < ROWS; q++, i += DY, to += (long) width * DY)
          {
            next_row (wide + q * WIDE_PITCH, &item, near);
            make_block (near, wy, &item, to, i, y.count, false);
          }
      PUT_ROWS (ROWS, v, small + next * SMALL_PITCH, most)
      turn = next;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

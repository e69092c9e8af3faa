/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along y and x in one pass for CPUs, so that the result of the first is never written to memory. Formula,
 * layout and border: box.clh; a box along y has no more samples than BOX_LONGEST_RUN, and is as long as a run.
 *
 * A work-item computes `outputs` neighboring samples of the rows of `runs` runs, walking down a strip as wide as the
 * inputs of its outputs. It holds the suffixes of a run; each sample that extends the prefix replaces the suffix that
 * was used last, so that the samples of the next run are there when its suffixes are needed. The rows that it holds are
 * an odd number of vectors apart: a power of two would put all of them into the same few sets of the caches. Colors of
 * the outputs are divided by alpha if `straight` is not 0.
 *
 * Dimensions: pieces of `outputs` samples, groups of `runs` runs, planes. Layout: pixels of CHANNELS values, rows,
 * planes. Macros: those of color-rows.clh. */
#include "box-row-piece.clh"
#include "straight.clh"
#include "stream.clh"

#define SLACK (2 * WIDTH)

/* held[i] += the sum of the rows after i of `n_rows` rows of n values, `stride` values apart. */
static inline void
sum_suffixes (float *held, int n_rows, int n, int stride)
{
  for (int v = 0; v < n; v += WIDTH)
    {
      float16 total = 0.0f, rest = 0.0f;

      for (int i = n_rows; i > 0;)
        {
          float16 sum = 0.0f;

          for (int stop = max (i - STEP, 0); i > stop; i--)
            {
              float *value = held + (i - 1) * stride + v;

              sum += load16 (value);
              store16 (total + sum, value);
            }
          ADD_CHUNK (float16, total, rest, sum)
        }
    }
}

/* Begins a chunk of a prefix: adds the sums of the last one to the totals. */
static inline void
add_chunks (float *totals, float *rests, float *sums, int n)
{
  for (int v = 0; v < n; v += WIDTH)
    {
      float16 total = load16 (totals + v), rest = load16 (rests + v);

      ADD_CHUNK (float16, total, rest, load16 (sums + v))
      store16 (total, totals + v);
      store16 (rest, rests + v);
      store16 ((float16) (0.0f), sums + v);
    }
}

static inline void
clear (float *values, int n)
{
  for (int v = 0; v < n; v += WIDTH)
    store16 ((float16) (0.0f), values + v);
}

/* Values of the row at position p of the y axis from position `first` of the x axis on: n samples, or zeros where no
 * output needs the row. */
static inline void
load_row (global const stored_t *in, float *row, int p, int first, int n, CapraBox x, CapraBox y, colors_t colors)
{
  bool needed = p >= y.first + y.skip && p < y.first + y.n_result + y.count - 1;
  int i = needed ? border_map (p, y.length, y.border) : -1;

  if (i < 0)
    clear (row, n * CHANNELS);
  else
    load_tile (value_at (in, (long) (i - y.source) * x.n_source * CHANNELS, colors), row, first, n, y.scale, x, colors);
}

/* Divides the colors of n values, rounded up to a multiple of 8, by alpha. */
static inline void
divide_row (float *row, int n)
{
  for (int v = 0; v < n; v += 8)
    vstore8 (straight8 (vload8 (0, row + v)), 0, row + v);
}

/* Begins to load what load_row() will, as far as it is a row of the image. */
static inline void
prefetch_row (global const stored_t *in, int p, int first, int n, CapraBox x, CapraBox y, colors_t colors)
{
  int begin = max (first - x.source, 0), end = min (first - x.source + n, x.n_source), i = p - y.source;

  if (i >= 0 && i < y.n_source && begin < end)
    prefetch_bytes ((global const uchar *) value_at (in, ((long) i * x.n_source + begin) * CHANNELS, colors),
                    (ulong) (end - begin) * CHANNELS * sizeof (stored_t) * colors.bytes);
}

kernel void
box_vector_strip (global const stored_t *restrict in, global float *restrict out, int outputs, int runs, int stream,
                  int straight, CapraBox x, CapraBox y COLOR_ARGUMENTS)
{
  colors_t colors = COLORS_OF_ARGUMENTS;
  int left = (int) get_global_id (0) * outputs, run = (int) get_global_id (1) * runs, run_end = run + runs;
  int n = min (outputs, x.n_result - left), samples = n + x.count - 1, values = samples * CHANNELS;
  int stride = ((values + WIDTH - 1) / WIDTH | 1) * WIDTH, position = y.first + run * y.run;
  float held[BOX_STRIP_HELD + BOX_LONGEST_RUN * WIDTH], row[BOX_STRIP_WIDTH + SLACK], tile[BOX_STRIP_WIDTH + SLACK];
  float totals[BOX_STRIP_WIDTH + SLACK], rests[BOX_STRIP_WIDTH + SLACK], sums[BOX_STRIP_WIDTH + SLACK];

  if (n <= 0 || run * y.run >= y.n_result)
    return;
  in = value_at (in, (long) (get_global_id (2) * (ulong) y.n_source * x.n_source * CHANNELS), colors);
  out += (get_global_id (2) * (ulong) (y.n_result - y.skip) * x.n_result + left) * CHANNELS;

  for (int i = 0; i < y.run; i++)
    load_row (in, held + i * stride, position + i, x.first + left, samples, x, y, colors);
  for (; run < run_end && run * y.run < y.n_result; run++)
    {
      int rows = min (y.run, y.n_result - run * y.run);

      position += y.run;
      sum_suffixes (held, y.run, values, stride);
      clear (totals, values);
      clear (rests, values);
      clear (sums, values);
      for (int i = 0; i < rows; i++)
        {
          float *suffix = held + i * stride;
          int output = run * y.run + i - y.skip;

          load_row (in, row, position + i, x.first + left, samples, x, y, colors);
          for (int v = 0; v < values; v += WIDTH)
            {
              float16 sum = load16 (sums + v), value = load16 (row + v);

              store16 (x.scale * (load16 (suffix + v) + (load16 (totals + v) + sum)), tile + v);
              store16 (sum + value, sums + v);
              store16 (value, suffix + v);
            }
          prefetch_row (in, position + i + 1, x.first + left, samples, x, y, colors);
          if (output >= 0)
            {
              clear (row, n * CHANNELS);
              add_box (tile, row, n * CHANNELS, x.count);
              if (straight)
                divide_row (row, n * CHANNELS);
              store_values (row, out + (long) output * x.n_result * CHANNELS, n * CHANNELS, stream);
            }
          if (i % STEP == STEP - 1)
            add_chunks (totals, rests, sums, values);
        }
    }
}

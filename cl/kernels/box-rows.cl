/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur along x for CPUs; see box.clh. The samples of a row stand CHANNELS values apart. A work-item takes
 * 8 runs at a time, one a vector lane, STEP samples at a time.
 *
 * Macros: IN (type of a value), CHANNELS, MORE. */
#include "box.clh"

#define LANES 8
#define FLAT (STEP * CHANNELS)
/* Suffixes: run * CHANNELS are kept. */
#define LONGEST_STASH 512

typedef struct {
  global const IN *row[LANES];
  global float *out[LANES];
  ulong y[LANES];
  int g[LANES], at[LANES], rows[LANES];
  int first, last; /* the smallest and the largest of `at` */
  int fewest;      /* the smallest of `rows` */
  int end;         /* positions from here on serve no output */
} lanes_t;

#define LOW(a, b) (float8) (a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define HIGH(a, b) (float8) (a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define PAIRS_LOW(a, b) (float8) (a.s01, b.s01, a.s45, b.s45)
#define PAIRS_HIGH(a, b) (float8) (a.s23, b.s23, a.s67, b.s67)

/* Turns 4 x 4 values round in each half: lane l of v[j] <-> lane j of v[l]. */
static inline void
turn4 (float8 *v)
{
  float8 a = LOW (v[0], v[1]), b = HIGH (v[0], v[1]), c = LOW (v[2], v[3]), d = HIGH (v[2], v[3]);

  v[0] = PAIRS_LOW (a, c);
  v[1] = PAIRS_HIGH (a, c);
  v[2] = PAIRS_LOW (b, d);
  v[3] = PAIRS_HIGH (b, d);
}

/* The value at `position` of a row, channel c; positions from `end` on serve no output and read as 0. */
static inline float
row_value (global const IN *row, int position, int c, int end, box_t b)
{
  int i = position < end ? border_map (position, b.length, b.border) : -1;

  return i < 0 ? 0.0f : b.scale * row[(ulong) (i - b.source) * CHANNELS + c];
}

/* v[sample * CHANNELS + c] = the scaled values of STEP samples from at + shift on, a lane each. */
static inline void
load_step (const lanes_t *lanes, int shift, box_t b, float8 *v)
{
  if (lanes->first + shift >= 0 && lanes->last + shift + STEP <= min (b.length, lanes->end))
    {
      long from = (long) (shift - b.source) * CHANNELS;

      _Pragma ("unroll") for (int j = 0; j < 2 * CHANNELS; j++)
        {
          _Pragma ("unroll") for (int l = 0; l < 4; l++)
            v[4 * j + l] = b.scale * (float8) (
              convert_float4 (vload4 (j, lanes->row[l] + (from + (long) lanes->at[l] * CHANNELS))),
              convert_float4 (vload4 (j, lanes->row[l + 4]
                                           + (from + (long) lanes->at[l + 4] * CHANNELS))));
          turn4 (v + 4 * j);
        }
    }
  else
    for (int l = 0; l < LANES; l++)
      {
        int p = lanes->at[l] + shift, i = border_map (p, b.length, b.border);
        int ahead = border_map (p + STEP - 1, b.length, b.border) - i;
        bool even = i >= 0 && p + STEP <= lanes->end
                    && (ahead == STEP - 1 || ahead == 1 - STEP
                        || (ahead == 0 && b.border == BORDER_CLAMP));
        int step = ahead / (STEP - 1);
        global const IN *from = lanes->row[l] + (long) (i - b.source) * CHANNELS;

        /* Forwards, backwards or standing still; else each by itself. */
        if (even)
          for (int t = 0; t < STEP; t++)
            for (int c = 0; c < CHANNELS; c++)
              ((float *) (v + t * CHANNELS + c))[l] = b.scale * from[t * step * CHANNELS + c];
        else
          for (int u = 0; u < FLAT; u++)
            ((float *) (v + u))[l] = row_value (lanes->row[l], p + u / CHANNELS, u % CHANNELS,
                                                lanes->end, b);
      }
}

/* Stores what load_step() would load, from output i of each lane on. */
static inline void
store_step (const lanes_t *lanes, int i, float8 *v)
{
  if (i + STEP <= lanes->fewest)
    _Pragma ("unroll") for (int j = 0; j < 2 * CHANNELS; j++)
      {
        turn4 (v + 4 * j);
        _Pragma ("unroll") for (int l = 0; l < 4; l++)
          {
            vstore4 (v[4 * j + l].lo, j, lanes->out[l] + i * CHANNELS);
            vstore4 (v[4 * j + l].hi, j, lanes->out[l + 4] + i * CHANNELS);
          }
      }
  else
    for (int l = 0; l < LANES; l++)
      for (int u = 0; u < min (STEP, lanes->rows[l] - i) * CHANNELS; u++)
        lanes->out[l][i * CHANNELS + u] = ((const float *) (v + u))[l];
}

/* The 8 runs of work-item `item`: run g of 8 rows in turn, or with `few` rows 8 runs in turn. Lanes beyond the
 * last one repeat a run and store nothing. */
static inline void
find_lanes (lanes_t *lanes, ulong item, ulong n_rows, bool few, int runs, global const IN *in,
            global float *out, box_t b)
{
  ulong y = few ? item * LANES / runs : item / runs * LANES;
  int g = few ? (int) (item * LANES % runs) : (int) (item % runs);

  lanes->first = INT_MAX;
  lanes->last = INT_MIN;
  lanes->fewest = b.run;
  lanes->end = b.first + b.n_result + b.count - 1;
  for (int l = 0; l < LANES; l++)
    {
      bool valid = y < n_rows;
      ulong row = valid ? y : n_rows - 1;
      int at = b.first + g * b.run;

      lanes->row[l] = in + row * b.n_source * CHANNELS;
      lanes->out[l] = out + (row * b.n_result + (ulong) g * b.run) * CHANNELS;
      lanes->y[l] = row;
      lanes->g[l] = g;
      lanes->at[l] = at;
      lanes->rows[l] = valid ? min (b.run, b.n_result - g * b.run) : 0;
      lanes->first = min (lanes->first, at);
      lanes->last = max (lanes->last, at);
      lanes->fewest = min (lanes->fewest, lanes->rows[l]);
      if (!few)
        y++;
      else if (++g == runs)
        g = 0, y++;
    }
}

/* total = the cores of the lanes' runs, and what is added to all of their rows. */
static inline void
add_cores (const lanes_t *lanes, float8 *total, float8 *rest, float8 *v,
           global const float *blocks, global const float *more, int n_spans, box_t b)
{
  for (int c = 0; c < CHANNELS; c++)
    {
      float values[LANES];

      for (int l = 0; l < LANES; l++)
        values[l] = MORE_OF (lanes->y[l] * CHANNELS + c);
      total[c] = vload8 (0, values);
      rest[c] = 0.0f;
      for (int k = 1; k <= b.n_blocks; k++)
        {
          for (int l = 0; l < LANES; l++)
            values[l] = blocks[(lanes->y[l] * n_spans + lanes->g[l] + k) * CHANNELS + c];
          ADD_CHUNK (float8, total[c], rest[c], vload8 (0, values))
        }
    }
  for (int s = (b.n_blocks + 1) * b.run; s < b.count; s += STEP)
    {
      load_step (lanes, s, b, v);
      for (int c = 0; c < CHANNELS; c++)
        {
          float8 sum = 0.0f;

          for (int t = 0; t < min (STEP, b.count - s); t++)
            sum += v[t * CHANNELS + c];
          ADD_CHUNK (float8, total[c], rest[c], sum)
        }
    }
}

/* Dimension: 8 runs each; `run` is a multiple of STEP, and run * CHANNELS at most LONGEST_STASH. */
kernel void
box_rows (global const IN *restrict in, global float *restrict out,
          global const float *restrict blocks, global const float *restrict more, ulong n_items,
          ulong n_rows, int few, int runs, int n_spans, box_t b)
{
  lanes_t lanes;
  float8 total[CHANNELS], rest[CHANNELS], v[FLAT], stash[LONGEST_STASH];

  if (get_global_id (0) >= n_items)
    return;
  find_lanes (&lanes, get_global_id (0), n_rows, few, runs, in, out, b);
  add_cores (&lanes, total, rest, v, blocks, more, n_spans, b);

  for (int s = b.run - STEP; s >= 0; s -= STEP)
    {
      load_step (&lanes, s, b, v);
      _Pragma ("unroll") for (int c = 0; c < CHANNELS; c++)
        {
          float8 sum = 0.0f;

          _Pragma ("unroll") for (int t = STEP - 1; t >= 0; t--)
            {
              sum += v[t * CHANNELS + c];
              stash[(s + t) * CHANNELS + c] = total[c] + sum;
            }
          ADD_CHUNK (float8, total[c], rest[c], sum)
        }
    }

  for (int c = 0; c < CHANNELS; c++)
    total[c] = rest[c] = 0.0f;
  for (int s = 0; s < b.run; s += STEP)
    {
      load_step (&lanes, b.count + s, b, v);
      _Pragma ("unroll") for (int c = 0; c < CHANNELS; c++)
        {
          float8 sum = 0.0f;

          _Pragma ("unroll") for (int t = 0; t < STEP; t++)
            {
              float8 next = v[t * CHANNELS + c];

              v[t * CHANNELS + c] = stash[(s + t) * CHANNELS + c] + (total[c] + sum);
              sum += next;
            }
          ADD_CHUNK (float8, total[c], rest[c], sum)
        }
      store_step (&lanes, s, v);
    }
}

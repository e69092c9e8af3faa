/* Box blur along x; see box.clh. The samples of a row stand CHANNELS values apart.
 *
 * Macros: IN (type of a value), CHANNELS, MORE. */
#include "box.clh"

/* The value at `position` of a row, channel c; positions from `end` on serve no output and read as 0. */
static inline float
row_value (global const IN *row, int position, int c, int end, box_t b)
{
  int i = position < end ? border_map (position, b.length, b.border) : -1;

  return i < 0 ? 0.0f : b.scale * row[(ulong) (i - b.source) * CHANNELS + c];
}

/* For CPUs: a work-item takes 8 runs at a time, one a vector lane, STEP samples at a time. */
#define LANES 8
#define FLAT (STEP * CHANNELS)
#define LONGEST_STASH 512

typedef struct {
  global const IN *row;
  global float *out;
  int at, rows, g;
  ulong y;
} lane_t;

#define LOW(a, b) (float8) (a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define HIGH(a, b) (float8) (a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define PAIRS_LOW(a, b) (float8) (a.s01, b.s01, a.s45, b.s45)
#define PAIRS_HIGH(a, b) (float8) (a.s23, b.s23, a.s67, b.s67)

/* v[i].s(j) <-> v[j].s(i) */
static inline void
transpose8 (float8 *v)
{
  float8 a = LOW (v[0], v[1]), b = HIGH (v[0], v[1]), c = LOW (v[2], v[3]), d = HIGH (v[2], v[3]);
  float8 e = LOW (v[4], v[5]), f = HIGH (v[4], v[5]), g = LOW (v[6], v[7]), h = HIGH (v[6], v[7]);
  float8 p = PAIRS_LOW (a, c), q = PAIRS_HIGH (a, c), r = PAIRS_LOW (b, d), s = PAIRS_HIGH (b, d);
  float8 t = PAIRS_LOW (e, g), u = PAIRS_HIGH (e, g), w = PAIRS_LOW (f, h), x = PAIRS_HIGH (f, h);

  v[0] = (float8) (p.lo, t.lo);
  v[1] = (float8) (q.lo, u.lo);
  v[2] = (float8) (r.lo, w.lo);
  v[3] = (float8) (s.lo, x.lo);
  v[4] = (float8) (p.hi, t.hi);
  v[5] = (float8) (q.hi, u.hi);
  v[6] = (float8) (r.hi, w.hi);
  v[7] = (float8) (s.hi, x.hi);
}

/* Values of STEP samples from at + shift on: v[sample * CHANNELS + c], a lane each. */
static inline void
load_step (const lane_t *lanes, int shift, int end, box_t b, float8 *v)
{
  float8 rows[FLAT];

  _Pragma ("unroll") for (int l = 0; l < LANES; l++)
    {
      int p = lanes[l].at + shift;

      if (p >= 0 && p + STEP <= min (b.length, end))
        {
          global const IN *from = lanes[l].row + (ulong) (p - b.source) * CHANNELS;

          _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
            rows[j * LANES + l] = b.scale * convert_float8 (vload8 (j, from));
        }
      else
        {
          float values[FLAT];

          for (int u = 0; u < FLAT; u++)
            values[u] = row_value (lanes[l].row, p + u / CHANNELS, u % CHANNELS, end, b);
          _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
            rows[j * LANES + l] = vload8 (j, values);
        }
    }
  _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
    transpose8 (rows + j * LANES);
  _Pragma ("unroll") for (int u = 0; u < FLAT; u++)
    v[u] = rows[u];
}

/* Stores what load_step() would load, from output `i` of each lane on. */
static inline void
store_step (const lane_t *lanes, int i, float8 *v)
{
  _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
    transpose8 (v + j * LANES);
  _Pragma ("unroll") for (int l = 0; l < LANES; l++)
    {
      global float *to = lanes[l].out + (ulong) i * CHANNELS;

      if (i + STEP <= lanes[l].rows)
        {
          _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
            vstore8 (v[j * LANES + l], j, to);
        }
      else if (i < lanes[l].rows)
        {
          float values[FLAT];

          _Pragma ("unroll") for (int j = 0; j < CHANNELS; j++)
            vstore8 (v[j * LANES + l], j, values);
          for (int u = 0; u < (lanes[l].rows - i) * CHANNELS; u++)
            to[u] = values[u];
        }
    }
}

/* Where 8 runs stand, from run `first` of all rows' on; lanes beyond the last one repeat it and store
 * nothing. */
static inline void
find_lanes (lane_t *lanes, ulong first, ulong n_rows, int runs, global const IN *in,
            global float *out, box_t b)
{
  ulong y = first / runs;
  int g = (int) (first - y * runs);

  for (int l = 0; l < LANES; l++)
    {
      bool valid = y < n_rows;
      ulong row = valid ? y : n_rows - 1;

      lanes[l].row = in + row * b.n_source * CHANNELS;
      lanes[l].out = out + (row * b.n_result + (ulong) g * b.run) * CHANNELS;
      lanes[l].at = b.first + g * b.run;
      lanes[l].rows = valid ? min (b.run, b.n_result - g * b.run) : 0;
      lanes[l].g = g;
      lanes[l].y = row;
      if (++g == runs)
        g = 0, y++;
    }
}

/* total = the cores of the lanes' runs, and what is added to all of their rows. */
static inline void
add_cores (const lane_t *lanes, float8 *total, float8 *rest, global const float *blocks,
           global const float *more, int n_spans, int end, box_t b)
{
  for (int c = 0; c < CHANNELS; c++)
    {
      float values[LANES];

      for (int l = 0; l < LANES; l++)
        values[l] = MORE_OF (lanes[l].y * CHANNELS + c);
      total[c] = vload8 (0, values);
      rest[c] = 0.0f;
      for (int k = 1; k <= b.n_blocks; k++)
        {
          for (int l = 0; l < LANES; l++)
            values[l] = blocks[(lanes[l].y * n_spans + lanes[l].g + k) * CHANNELS + c];
          ADD_CHUNK (float8, total[c], rest[c], vload8 (0, values))
        }
    }
  for (int s = (b.n_blocks + 1) * b.run; s < b.count; s += STEP)
    {
      float8 v[FLAT];

      load_step (lanes, s, end, b, v);
      _Pragma ("unroll") for (int c = 0; c < CHANNELS; c++)
        {
          float8 sum = 0.0f;

          _Pragma ("unroll") for (int t = 0; t < STEP; t++)
            if (s + t < b.count)
              sum += v[t * CHANNELS + c];
          ADD_CHUNK (float8, total[c], rest[c], sum)
        }
    }
}

/* Dimension: 8 runs each; `run` is a multiple of STEP, and run * CHANNELS at most LONGEST_STASH. */
kernel void
box_rows (global const IN *restrict in, global float *restrict out,
          global const float *restrict blocks, global const float *restrict more, ulong n_rows,
          int runs, int n_spans, box_t b)
{
  ulong first = (ulong) get_global_id (0) * LANES;
  int end = b.first + b.n_result + b.count - 1;
  lane_t lanes[LANES];
  float8 total[CHANNELS], rest[CHANNELS], v[FLAT], stash[LONGEST_STASH];

  if (first >= n_rows * runs)
    return;
  find_lanes (lanes, first, n_rows, runs, in, out, b);
  add_cores (lanes, total, rest, blocks, more, n_spans, end, b);

  for (int s = b.run - STEP; s >= 0; s -= STEP)
    {
      load_step (lanes, s, end, b, v);
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
      load_step (lanes, b.count + s, end, b, v);
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
      store_step (lanes, s, v);
    }
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sigma clipping in the rows of a sparse matrix, as pyFAI's sigma_clip_ng: values further from the mean of their row
 * than `threshold` standard deviations, or than Chauvenet's criterion allows if that is more, are left out, until
 * nothing changes or for `iterations`. With 0 iterations, the mean and its errors alone.
 * A row clips its own entries: a pixel that is split among rows may be left out in one of them only.
 * With the error models azimuthal and hybrid, the variance of a row is sum ((c norm)² (value - mean)²); hybrid ends
 * with the variances of Poisson.
 * Layout and arguments as in azimuthal-checked.cl, for one frame. */
#include "azimuthal-pixel.clh"

/* sqrt (2 pi) */
#define ROOT 2.5066282746310002f

typedef struct {
  real_t signal, variance, norm, squares, count;
} sums_t;

#define ROW_ARGUMENTS                                                                              \
  global const IN *restrict frame, uint start, uint end, global const uint *restrict pixels,       \
    global const float *restrict coefficients, PIXEL_ARGUMENTS, local real_t *scratch
#define ROW_VALUES                                                                                 \
  frame, start, end, pixels, coefficients, norms, darks, variances, low, high, scratch

/* The next entry of the row whose value is from `least` to `most`; its coefficient and its value. */
#define FOR_ENTRIES                                                                                \
  for (uint e = start + get_local_id (0); e < end; e += GROUP)                                     \
    {                                                                                              \
      pixel_t p;                                                                                   \
      uint pixel = pixels[e];                                                                      \
      real_t c = REAL (COEFFICIENT (e)), value, w;                                                 \
      if (!pixel_get (&p, frame[pixel], pixel, norms, darks, variances, low, high))                \
        continue;                                                                                  \
      value = DIVIDE (p.signal, p.norm);                                                           \
      w = TIMES (c, p.norm);                                                                       \
      if (TO_FLOAT (MINUS (value, least)) < 0.0f || TO_FLOAT (MINUS (most, value)) < 0.0f)         \
        continue;

#define END_ENTRIES }

inline sums_t
sum_row (real_t least, real_t most, ROW_ARGUMENTS)
{
  sums_t s = { REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f), REAL (0.0f) };

  FOR_ENTRIES
    s.signal = PLUS_PRODUCT (s.signal, c, p.signal);
    s.variance = PLUS_PRODUCT (s.variance, TIMES (c, c), p.variance);
    s.norm = PLUS (s.norm, w);
    s.squares = PLUS_PRODUCT (s.squares, w, w);
    s.count = PLUS (s.count, c);
  END_ENTRIES
  s.signal = sum_group (s.signal, scratch);
  s.variance = sum_group (s.variance, scratch);
  s.norm = sum_group (s.norm, scratch);
  s.squares = sum_group (s.squares, scratch);
  s.count = sum_group (s.count, scratch);
  return s;
}

inline real_t
sum_deviations (real_t mean, real_t least, real_t most, ROW_ARGUMENTS)
{
  real_t sum = REAL (0.0f);

  FOR_ENTRIES
    real_t off = TIMES (w, MINUS (value, mean));

    sum = PLUS_PRODUCT (sum, off, off);
  END_ENTRIES
  return sum_group (sum, scratch);
}

kernel void
azimuthal_clip (global const IN *restrict frames, ulong first, ulong n_pixels, global const uint *restrict starts,
                global const uint *restrict pixels, global const float *restrict coefficients, PIXEL_ARGUMENTS,
                ulong variance_step, float threshold, uint iterations, uint n_rows, float empty,
                global float *restrict results)
{
  uint row = get_group_id (0), start = starts[row], end = starts[row + 1];
  global const IN *frame = frames + first * n_pixels;
  real_t least = REAL (-INFINITY), most = REAL (INFINITY), mean, before = REAL (-1.0f);
  bool azimuthal = ERROR == ERROR_AZIMUTHAL || (ERROR == ERROR_HYBRID && iterations > 0);
  sums_t s;
#if GROUP > 1
  local real_t scratch[GROUP];
#else
  local real_t *scratch = 0;
#endif

  variances += first * variance_step;
  results += first * N_PLANES * n_rows;
  for (uint i = 0;; i++)
    {
      real_t poisson;
      float deviation, cut;
      bool same;

      s = sum_row (least, most, ROW_VALUES);
      poisson = s.variance;
      same = TO_FLOAT (MINUS (s.count, before)) == 0.0f;
      before = s.count;
      if (!(TO_FLOAT (s.squares) > 0.0f))
        break;
      mean = DIVIDE (s.signal, s.norm);
      if (azimuthal)
        s.variance = sum_deviations (mean, least, most, ROW_VALUES);
      if (i == iterations || same)
        {
          if (ERROR == ERROR_HYBRID)
            s.variance = poisson;
          break;
        }
      cut = sqrt (2.0f * log (fmax (TO_FLOAT (s.count), 3.0f) / ROOT));
      deviation = sqrt (TO_FLOAT (DIVIDE (s.variance, s.squares))) * fmax (threshold, cut);
      if (TO_FLOAT (MINUS (MINUS (mean, REAL (deviation)), least)) > 0.0f)
        least = MINUS (mean, REAL (deviation));
      if (TO_FLOAT (MINUS (most, PLUS (mean, REAL (deviation)))) > 0.0f)
        most = PLUS (mean, REAL (deviation));
    }
  if (get_local_id (0) == 0)
    store_row (results, n_rows, row, s.signal, s.variance, s.norm, s.squares, s.count, empty);
}

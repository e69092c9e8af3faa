/* Weighted sums along one axis: out[i] = offset + sum over k < taps of w[k] * in[first + i + k].
 *
 * Layout: the axis has `length` samples, of which `in` holds `n_source` from `source` on and `out` gets
 * `n_result`; positions count from the axis' first sample, and `first` is that of w[0] for out[0].
 * taps_columns: neighbours lie `pitch` values apart, slabs of pitch * n_source values follow each other
 * (dimensions: values within the pitch, outputs, slabs). taps_rows, taps_rows_tiled: the axis is x,
 * CHANNELS values a sample (dimensions: values of a row, rows).
 * Border: border.clh; a position that falls on nothing is left out, so no NaN comes from 0 * infinity.
 * Sums are made of chunks, which are added with compensation: the error does not grow with `taps`.
 *
 * Macros: IN (type of a value; REAL for float), CHANNELS, WEIGHTS (__constant or __global), LANES
 * (values side by side a work-item of taps_columns takes: 1 or 16), ROWS (outputs it takes). */
#include "border.clh"
#include "sum.clh"

#define CHUNK 64

/* ROWS outputs of LOAD's width: each input is loaded once for all of them. */
#define DEFINE_COLUMN(NAME, T, LOAD, STORE)                                                        \
  static inline void NAME (global const IN *restrict in, global float *restrict out,               \
                           WEIGHTS const float *restrict w, int taps, ulong pitch, int length,     \
                           int source, int first, int rows, int border, float offset)              \
  {                                                                                                \
    T total[ROWS], rest[ROWS];                                                                     \
                                                                                                   \
    _Pragma ("unroll") for (int q = 0; q < ROWS; q++) total[q] = rest[q] = (T) (0.0f);             \
                                                                                                   \
    for (int k = 0; k < taps; k += CHUNK)                                                          \
      {                                                                                            \
        int count = min (CHUNK, taps - k);                                                         \
        T sum[ROWS];                                                                               \
                                                                                                   \
        _Pragma ("unroll") for (int q = 0; q < ROWS; q++) sum[q] = (T) (0.0f);                     \
        for (int t = 0; t < count + rows - 1; t++)                                                 \
          {                                                                                        \
            int i = border_map (first + k + t, length, border);                                    \
                                                                                                   \
            if (i >= 0)                                                                            \
              {                                                                                    \
                T v = LOAD (in + (ulong) (i - source) * pitch);                                    \
                                                                                                   \
                if (t >= ROWS - 1 && t < count)                                                    \
                  {                                                                                \
                    _Pragma ("unroll") for (int q = 0; q < ROWS; q++)                              \
                      sum[q] += w[k + t - q] * v;                                                  \
                  }                                                                                \
                else                                                                               \
                  {                                                                                \
                    _Pragma ("unroll") for (int q = 0; q < ROWS; q++)                              \
                      if (t >= q && t - q < count)                                                 \
                        sum[q] += w[k + t - q] * v;                                                \
                  }                                                                                \
              }                                                                                    \
          }                                                                                        \
        _Pragma ("unroll") for (int q = 0; q < ROWS; q++)                                          \
          ADD_CHUNK (T, total[q], rest[q], sum[q])                                         \
      }                                                                                            \
    _Pragma ("unroll") for (int q = 0; q < ROWS; q++)                                              \
      if (q < rows)                                                                                \
        STORE (total[q] + offset, out + q * pitch);                                                \
  }

#define LOAD_ONE(p) ((float) *(p))
#define STORE_ONE(v, p) (*(p) = (v))
#define LOAD_16(p) convert_float16 (vload16 (0, (p)))
#define STORE_16(v, p) vstore16 ((v), 0, (p))

DEFINE_COLUMN (column_one, float, LOAD_ONE, STORE_ONE)
#if LANES == 16
DEFINE_COLUMN (column_16, float16, LOAD_16, STORE_16)
#endif

kernel void
taps_columns (global const IN *restrict in, global float *restrict out,
              WEIGHTS const float *restrict w, int taps, ulong pitch, int length, int source,
              int n_source, int first, int n_result, int border, float offset)
{
  ulong c = (ulong) get_global_id (0) * LANES;
  int i = (int) get_global_id (1) * ROWS, rows = min (ROWS, n_result - i);
  ulong slab = get_global_id (2);

  if (c >= pitch || rows <= 0)
    return;
  in += slab * n_source * pitch + c;
  out += (slab * n_result + i) * pitch + c;
#if LANES == 16
  if (c + 16 <= pitch)
    {
      column_16 (in, out, w, taps, pitch, length, source, first + i, rows, border, offset);
      return;
    }
#endif
  for (uint l = 0; l < LANES && c + l < pitch; l++)
    column_one (in + l, out + l, w, taps, pitch, length, source, first + i, rows, border, offset);
}

/* The value that stands `u` values after value `v` of the outputs' row, `shift` samples on. */
static inline float
row_value (global const IN *row, uint v, int shift, int length, int source, int border)
{
  int i = border_map (shift + (int) (v / CHANNELS), length, border);

  return i < 0 ? 0.0f : (float) row[(ulong) (i - source) * CHANNELS + v % CHANNELS];
}

/* For CPUs: a work-item makes 64 values. */
#define VALUES 64
#define TILE_TAPS 32
#define TILE (VALUES + (TILE_TAPS - 1) * CHANNELS)

kernel void
taps_rows (global const IN *restrict in, global float *restrict out, WEIGHTS const float *restrict w,
           int taps, int length, int source, int n_source, int first, int n_result, int border,
           float offset)
{
  uint v = (uint) get_global_id (0) * VALUES, width = (uint) n_result * CHANNELS;
  ulong y = get_global_id (1);
  int begin = first + (int) (v / CHANNELS);
  int end = first + (int) ((v + VALUES - 1) / CHANNELS) + taps;
  bool whole = v + VALUES <= width, inside = whole && begin >= 0 && end <= length;
  float16 total[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, rest[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

  if (v >= width)
    return;
  in += y * n_source * CHANNELS;
  out += y * width;

#ifdef REAL
  if (inside)
    {
      global const float *at = in + ((long) (first - source) * CHANNELS + v);

      for (int k = 0; k < taps; k += CHUNK)
        {
          int stop = min (k + CHUNK, taps);
          float16 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;

          for (int t = k; t < stop; t++)
            {
              global const float *p = at + (ulong) t * CHANNELS;

              a += w[t] * vload16 (0, p);
              b += w[t] * vload16 (1, p);
              c += w[t] * vload16 (2, p);
              d += w[t] * vload16 (3, p);
            }
          ADD_CHUNK (float16, total[0], rest[0], a)
          ADD_CHUNK (float16, total[1], rest[1], b)
          ADD_CHUNK (float16, total[2], rest[2], c)
          ADD_CHUNK (float16, total[3], rest[3], d)
        }
    }
  else
#endif
    {
      float tile[TILE];

      for (int k = 0; k < taps; k += TILE_TAPS)
        {
          int count = min (TILE_TAPS, taps - k);
          uint more = (uint) (count - 1) * CHANNELS, n = min ((uint) VALUES, width - v) + more;
          float16 sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

          if (inside)
            for (uint u = 0; u < n; u++)
              tile[u] = (float) in[(long) (first + k - source) * CHANNELS + v + u];
          else
            for (uint u = 0; u < n; u++)
              tile[u] = row_value (in, v + u, first + k, length, source, border);
          for (uint u = n; u < VALUES + more; u++)
            tile[u] = 0.0f;
          for (int t = 0; t < count; t++)
            for (int q = 0; q < 4; q++)
              sum[q] += w[k + t] * vload16 (q, tile + t * CHANNELS);
          for (int q = 0; q < 4; q++)
            ADD_CHUNK (float16, total[q], rest[q], sum[q])
        }
    }

  if (whole)
    for (int q = 0; q < 4; q++)
      vstore16 (total[q] + offset, q, out + v);
  else
    {
      float values[VALUES];

      for (int q = 0; q < 4; q++)
        vstore16 (total[q] + offset, q, values);
      for (uint u = 0; v + u < width; u++)
        out[v + u] = values[u];
    }
}

/* For GPUs: a group makes 4 * GROUP values, each work-item every GROUP-th, from a tile in local memory
 * that is loaded for TILE_TAPS weights at a time. */
#define GROUP 128
#define PART (4 * GROUP)
#define PART_TILE (PART + (TILE_TAPS - 1) * CHANNELS)

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
taps_rows_tiled (global const IN *restrict in, global float *restrict out,
                 WEIGHTS const float *restrict w, int taps, int length, int source, int n_source,
                 int first, int n_result, int border, float offset)
{
  uint v = (uint) get_group_id (0) * PART, l = get_local_id (0);
  uint width = (uint) n_result * CHANNELS;
  ulong y = get_global_id (1);
  float total[4] = { 0.0f, 0.0f, 0.0f, 0.0f }, rest[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
  local float tile[PART_TILE];

  in += y * n_source * CHANNELS;
  out += y * width;
  for (int k = 0; k < taps; k += TILE_TAPS)
    {
      int count = min (TILE_TAPS, taps - k);
      uint n = min ((uint) PART, width - v) + (uint) (count - 1) * CHANNELS;
      float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

      for (uint u = l; u < PART_TILE; u += GROUP)
        tile[u] = u < n ? row_value (in, v + u, first + k, length, source, border) : 0.0f;
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int t = 0; t < count; t++)
        {
          float weight = w[k + t];

          _Pragma ("unroll") for (int q = 0; q < 4; q++)
            sum[q] += weight * tile[l + q * GROUP + t * CHANNELS];
        }
      _Pragma ("unroll") for (int q = 0; q < 4; q++)
        ADD_CHUNK (float, total[q], rest[q], sum[q])
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  _Pragma ("unroll") for (int q = 0; q < 4; q++)
    if (v + l + q * GROUP < width)
      out[v + l + q * GROUP] = total[q] + offset;
}

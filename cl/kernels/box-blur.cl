/* Box blur along y or z, and what all axes need besides; see box.clh.
 *
 * Macros: IN (type of a value), LANES (values side by side a work-item takes: 1 or 16), MORE. */
#include "box.clh"

#define SAMPLE(T, LOAD, total, p)                                                                  \
  {                                                                                                \
    int index = border_map ((p), b.length, b.border);                                              \
                                                                                                   \
    if (index >= 0)                                                                                \
      total += b.scale * LOAD (in + (ulong) (index - b.source) * pitch);                           \
  }

/* total += the samples from position `begin` to before `end`. */
#define SAMPLES(T, LOAD, total, rest, begin, end)                                                  \
  for (int p = (begin); p < (end); p += STEP)                                                      \
    {                                                                                              \
      T sum = 0.0f;                                                                                \
                                                                                                   \
      for (int q = p; q < min (p + STEP, (end)); q++)                                              \
        SAMPLE (T, LOAD, sum, q)                                                                   \
      ADD_CHUNK (T, total, rest, sum)                                                              \
    }

#define DEFINE_RUN(NAME, T, LOAD, LOAD_FLOAT, STORE)                                               \
  static inline void NAME (global const IN *restrict in, global float *restrict out,               \
                           global const float *restrict blocks, float more, ulong pitch, box_t b,  \
                           int g)                                                                  \
  {                                                                                                \
    int at = b.first + g * b.run, rows = min (b.run, b.n_result - g * b.run);                      \
    int i = b.run - 1;                                                                             \
    T total = more, rest = 0.0f;                                                                   \
                                                                                                   \
    for (int k = 1; k <= b.n_blocks; k++)                                                          \
      ADD_CHUNK (T, total, rest, LOAD_FLOAT (blocks + (ulong) (g + k) * pitch))                    \
    SAMPLES (T, LOAD, total, rest, at + (b.n_blocks + 1) * b.run, at + b.count)                    \
    while (i >= 0)                                                                                 \
      {                                                                                            \
        T sum = 0.0f;                                                                              \
                                                                                                   \
        for (int stop = max (i - STEP, -1); i > stop; i--)                                         \
          {                                                                                        \
            SAMPLE (T, LOAD, sum, at + i)                                                          \
            if (i < rows)                                                                          \
              STORE (total + sum, out + (ulong) i * pitch);                                        \
          }                                                                                        \
        ADD_CHUNK (T, total, rest, sum)                                                            \
      }                                                                                            \
                                                                                                   \
    total = rest = 0.0f;                                                                           \
    at += b.count - 1;                                                                             \
    for (i = 1; i < rows;)                                                                         \
      {                                                                                            \
        T sum = 0.0f;                                                                              \
                                                                                                   \
        for (int stop = min (i + STEP, rows); i < stop; i++)                                       \
          {                                                                                        \
            global float *result = out + (ulong) i * pitch;                                        \
                                                                                                   \
            SAMPLE (T, LOAD, sum, at + i)                                                          \
            STORE (LOAD_FLOAT (result) + (total + sum), result);                                   \
          }                                                                                        \
        ADD_CHUNK (T, total, rest, sum)                                                            \
      }                                                                                            \
  }

#define DEFINE_BLOCK(NAME, T, LOAD, STORE)                                                         \
  static inline void NAME (global const IN *restrict in, global float *restrict out, ulong pitch,  \
                           box_t b, int k)                                                         \
  {                                                                                                \
    int at = b.first + k * b.run;                                                                  \
    T total = 0.0f, rest = 0.0f;                                                                   \
                                                                                                   \
    SAMPLES (T, LOAD, total, rest, at, at + b.run)                                                 \
    STORE (total, out);                                                                            \
  }

#define LOAD_ONE(p) ((float) *(p))
#define STORE_ONE(v, p) (*(p) = (v))
#define LOAD_16(p) convert_float16 (vload16 (0, (p)))
#define LOAD_FLOAT_16(p) vload16 (0, (p))
#define STORE_16(v, p) vstore16 ((v), 0, (p))

DEFINE_RUN (run_one, float, LOAD_ONE, LOAD_ONE, STORE_ONE)
DEFINE_BLOCK (block_one, float, LOAD_ONE, STORE_ONE)
#if LANES == 16
DEFINE_RUN (run_16, float16, LOAD_16, LOAD_FLOAT_16, STORE_16)
DEFINE_BLOCK (block_16, float16, LOAD_16, STORE_16)
#endif

/* Dimensions: values within the pitch, runs, slabs. */
kernel void
box_columns (global const IN *restrict in, global float *restrict out,
             global const float *restrict blocks, global const float *restrict more, ulong pitch,
             int n_spans, box_t b)
{
  ulong c = (ulong) get_global_id (0) * LANES, slab = get_global_id (2);
  int g = (int) get_global_id (1);

  if (c >= pitch)
    return;
  in += slab * b.n_source * pitch + c;
  out += (slab * b.n_result + (ulong) g * b.run) * pitch + c;
  blocks += slab * n_spans * pitch + c;
#if LANES == 16 && !defined MORE
  if (c + 16 <= pitch)
    {
      run_16 (in, out, blocks, 0.0f, pitch, b, g);
      return;
    }
#endif
  for (uint l = 0; l < LANES && c + l < pitch; l++)
    run_one (in + l, out + l, blocks + l, MORE_OF (slab * pitch + c + l), pitch, b, g);
}

/* blocks[k] = scale * (in[first + k * run] + ... + in[first + (k + 1) * run - 1]), for all n_spans
 * spans (dimensions: values within the pitch, spans, slabs). */
kernel void
box_blocks (global const IN *restrict in, global float *restrict blocks, ulong pitch, int n_spans,
            box_t b)
{
  ulong c = (ulong) get_global_id (0) * LANES, slab = get_global_id (2);
  int k = (int) get_global_id (1);

  if (c >= pitch || k >= n_spans)
    return;
  in += slab * b.n_source * pitch + c;
  blocks += (slab * n_spans + k) * pitch + c;
#if LANES == 16
  if (c + 16 <= pitch)
    {
      block_16 (in, blocks, pitch, b, k);
      return;
    }
#endif
  for (uint l = 0; l < LANES && c + l < pitch; l++)
    block_one (in + l, blocks + l, pitch, b, k);
}

/* What a box far wider than the axis adds to all outputs of a line: the whole line times `whole` (wrap
 * and mirror), its ends times `low` and `high` (clamp); dimensions: values within the pitch, slabs. */
kernel void
box_more (global const IN *restrict in, global float *restrict more, ulong pitch, float whole,
          float low, float high, box_t b)
{
  ulong c = get_global_id (0), slab = get_global_id (1);
  float total = 0.0f, rest = 0.0f;

  if (c >= pitch)
    return;
  in += slab * b.n_source * pitch + c;
  if (whole > 0.0f)
    {
      b.scale = whole;
      SAMPLES (float, LOAD_ONE, total, rest, 0, b.length)
    }
  if (low > 0.0f)
    total += low * in[(ulong) (0 - b.source) * pitch];
  if (high > 0.0f)
    total += high * in[(ulong) (b.length - 1 - b.source) * pitch];
  more[slab * pitch + c] = total;
}

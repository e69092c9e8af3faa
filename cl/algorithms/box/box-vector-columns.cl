/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along y or z; see box.clh.
 *
 * Macros: IN (type of a value), VEC (values side by side a work-item takes: 1 or 16), MORE. */
#include "box-vector.clh"

/* Suffixes of a run, at most so many, are kept at hand with 16 VEC; else they wait in the result. */
#define LONGEST_RUN 256

#if VEC == 16
/* One whole run that stands inside the image: the same as below, with nothing to ask. */
static inline void
run_inside (global const IN *restrict in, global float *restrict out, floats_t total, floats_t rest,
            ulong pitch, box_t b)
{
  floats_t stash[LONGEST_RUN];
  global const IN *p = in + (ulong) b.run * pitch;
  int i = b.run;

  while (i > 0)
    {
      floats_t sum = 0.0f;

      if (i >= STEP)
        {
          UNROLL for (int s = 0; s < STEP; s++)
            {
              p -= pitch;
              sum += b.scale * LOAD (p);
              stash[i - 1 - s] = total + sum;
            }
          i -= STEP;
        }
      else
        for (; i > 0; i--)
          {
            p -= pitch;
            sum += b.scale * LOAD (p);
            stash[i - 1] = total + sum;
          }
      ADD_CHUNK (floats_t, total, rest, sum)
    }

  total = rest = 0.0f;
  p = in + (ulong) b.count * pitch;
  for (i = 0; i < b.run;)
    {
      floats_t sum = 0.0f;

      if (i + STEP < b.run)
        {
          UNROLL for (int s = 0; s < STEP; s++, p += pitch, out += pitch)
            {
              vstore16 (stash[i + s] + (total + sum), 0, out);
              sum += b.scale * LOAD (p);
            }
          i += STEP;
        }
      else
        {
          for (; i + 1 < b.run; i++, p += pitch, out += pitch)
            {
              vstore16 (stash[i] + (total + sum), 0, out);
              sum += b.scale * LOAD (p);
            }
          vstore16 (stash[i++] + (total + sum), 0, out);
        }
      ADD_CHUNK (floats_t, total, rest, sum)
    }
}
#endif

/* Dimensions: values within the pitch, runs, slabs. */
kernel void
box_vector_columns (global const IN *restrict in, global float *restrict out,
             global const float *restrict blocks, global const float *restrict more, ulong pitch,
             int n_spans, box_t b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int g = (int) get_global_id (1), at = b.first + g * b.run;
  int rows = min (b.run, b.n_result - g * b.run), i = b.run - 1, skip = max (b.skip - g * b.run, 0);
  uint lanes = (uint) min (pitch - c, (ulong) VEC);
  floats_t total, rest = 0.0f;
#if VEC == 16
  floats_t stash[LONGEST_RUN];
#endif

  if (c >= pitch || rows <= 0)
    return;
  in += slab * b.n_source * pitch + c;
  out += ((long) (slab * (b.n_result - b.skip)) + g * b.run - b.skip) * (long) pitch + (long) c;
  blocks += (slab * n_spans + g) * pitch + c;

#ifdef MORE
  total = load_some (more + slab * pitch + c, lanes);
#else
  total = 0.0f;
#endif
  for (int k = 1; k <= b.n_blocks; k++)
    ADD_CHUNK (floats_t, total, rest, load_some (blocks + (ulong) k * pitch, lanes))
  ADD_SAMPLES (total, rest, at + (b.n_blocks + 1) * b.run, at + b.count)

#if VEC == 16
  if (at >= 0 && at + b.count + b.run <= b.length + 1 && rows == b.run && skip == 0 && lanes == VEC)
    {
      run_inside (in + (ulong) (at - b.source) * pitch, out, total, rest, pitch, b);
      return;
    }
#endif
  while (i >= skip)
    {
      floats_t sum = 0.0f;

      for (int stop = max (i - STEP, skip - 1); i > stop; i--)
        {
          sum += b.scale * sample (in, at + i, lanes, pitch, b);
#if VEC == 16
          stash[i] = total + sum;
#else
          if (i < rows)
            out[(ulong) i * pitch] = total + sum;
#endif
        }
      ADD_CHUNK (floats_t, total, rest, sum)
    }

  total = rest = 0.0f;
  at += b.count;
  for (i = 0; i < rows;)
    {
      floats_t sum = 0.0f;

      for (int stop = min (i + STEP, rows); i < stop; i++)
        {
          global float *result = out + (ulong) i * pitch;

#if VEC == 16
          if (i >= skip)
            store_some (stash[i] + (total + sum), result, lanes);
#else
          if (i >= skip)
            *result += total + sum;
#endif
          if (i + 1 < rows)
            sum += b.scale * sample (in, at + i, lanes, pitch, b);
        }
      ADD_CHUNK (floats_t, total, rest, sum)
    }
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along y or z for CPUs: a work-item computes one run of VEC neighboring columns. Formula, layout and border:
 * box.clh.
 *
 * Dimensions: values within the pitch / VEC, runs, slabs. Assumption: run <= BOX_LONGEST_RUN.
 * Macros: IN (type of a value), VEC (1 or 16), OFFSETS. */
#include "box-vector.clh"

/* Suffixes are kept in private memory by vectors, and in the result by single columns. */
#if VEC == 16
/* The same as box_vector_columns() for a whole run inside the image, without conditions. */
static inline void
run_inside (global const IN *restrict in, global float *restrict out, floats_t total, floats_t rest,
            ulong pitch, CapraBox b)
{
  floats_t suffixes[BOX_LONGEST_RUN];
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
              suffixes[i - 1 - s] = total + sum;
            }
          i -= STEP;
        }
      else
        for (; i > 0; i--)
          {
            p -= pitch;
            sum += b.scale * LOAD (p);
            suffixes[i - 1] = total + sum;
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
              vstore16 (suffixes[i + s] + (total + sum), 0, out);
              sum += b.scale * LOAD (p);
            }
          i += STEP;
        }
      else
        {
          for (; i + 1 < b.run; i++, p += pitch, out += pitch)
            {
              vstore16 (suffixes[i] + (total + sum), 0, out);
              sum += b.scale * LOAD (p);
            }
          vstore16 (suffixes[i++] + (total + sum), 0, out);
        }
      ADD_CHUNK (floats_t, total, rest, sum)
    }
}
#endif

kernel void
box_vector_columns (global const IN *restrict in, global float *restrict out,
             global const float *restrict blocks, global const float *restrict offsets, ulong pitch,
             int n_blocks, CapraBox b)
{
  ulong c = (ulong) get_global_id (0) * VEC, slab = get_global_id (2);
  int g = (int) get_global_id (1), at = b.first + g * b.run;
  int rows = min (b.run, b.n_result - g * b.run), i = b.run - 1, skip = max (b.skip - g * b.run, 0);
  uint lines = (uint) min (pitch - c, (ulong) VEC);
  floats_t total, rest = 0.0f;
#if VEC == 16
  floats_t suffixes[BOX_LONGEST_RUN];
#endif

  if (c >= pitch || rows <= 0)
    return;
  in += slab * b.n_source * pitch + c;
  out += ((long) (slab * (b.n_result - b.skip)) + g * b.run - b.skip) * (long) pitch + (long) c;
  blocks += (slab * n_blocks + g) * pitch + c;

#ifdef OFFSETS
  total = load_some_sums (offsets + slab * pitch + c, lines);
#else
  total = 0.0f;
#endif
  for (int k = 1; k <= b.n_blocks; k++)
    ADD_CHUNK (floats_t, total, rest, load_some_sums (blocks + (ulong) k * pitch, lines))
  ADD_SAMPLES (total, rest, at + (b.n_blocks + 1) * b.run, at + b.count)

#if VEC == 16
  if (at >= 0 && at + b.count + b.run <= b.length + 1 && rows == b.run && skip == 0 && lines == VEC)
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
          sum += b.scale * sample (in, at + i, lines, pitch, b);
#if VEC == 16
          suffixes[i] = total + sum;
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
            store_some (suffixes[i] + (total + sum), result, lines);
#else
          if (i >= skip)
            *result += total + sum;
#endif
          if (i + 1 < rows)
            sum += b.scale * sample (in, at + i, lines, pitch, b);
        }
      ADD_CHUNK (floats_t, total, rest, sum)
    }
}

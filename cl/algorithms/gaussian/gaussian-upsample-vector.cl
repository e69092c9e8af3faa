/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upsampling of an image by DX and DY with KX and KY weights for each output, for CPUs; formula and layout are those of
 * gaussian-upsample-group.cl.
 *
 * A work-item computes SAMPLES * DX neighboring pixels, walking down `blocks` rows of the small image. It holds the KY
 * rows that its outputs need, already summed along x. Colors are divided by alpha if `straight` is not 0.
 *
 * Dimensions: SAMPLES * DX pixels of a row, strips of `blocks` rows of the small image, planes.
 * Macros: CHANNELS, DX, DY (1, 2, 4 or 8), KX, KY. */
#include "gaussian-params.h"
#include "macros.clh"
#include "straight.clh"

#define SAMPLES (GAUSSIAN_VECTOR_PIXELS (CHANNELS) / DX)
#define PHASE (SAMPLES * CHANNELS) /* values of one of DX phases */
#define WIDTH (PHASE * DX)
#define NEAR ((SAMPLES + KX - 1) * CHANNELS)

/* Sums a row of the small image along x: phase by phase, then in order. */
static inline void
load_row (global const float *row, int valid, constant float *wx, float *to)
{
  float near[NEAR], phases[WIDTH];

  for (int u = 0; u < min (valid, NEAR); u++)
    near[u] = row[u];
  for (int u = min (valid, NEAR); u < NEAR; u++)
    near[u] = 0.0f;
  for (int u = 0; u < PHASE; u += 8)
    {
      float8 v[KX];

      UNROLL for (int m = 0; m < KX; m++) v[m] = vload8 (0, near + u + m * CHANNELS);
      for (int p = 0; p < DX; p++)
        {
          float8 sum = 0.0f;

          UNROLL for (int m = 0; m < KX; m++) sum += wx[p * KX + m] * v[m];
          vstore8 (sum, 0, phases + p * PHASE + u);
        }
    }
  for (int i = 0; i < SAMPLES; i++)
    UNROLL for (int p = 0; p < DX; p++)
      UNROLL for (int c = 0; c < CHANNELS; c++)
        to[(i * DX + p) * CHANNELS + c] = phases[p * PHASE + i * CHANNELS + c];
}

kernel void
gaussian_upsample_vector (global const float *restrict in, global float *restrict out, constant float *wx,
                  constant float *wy, CapraUpsampleAxis x, CapraUpsampleAxis y, int blocks, int straight)
{
  int sample = (int) get_global_id (0) * SAMPLES;
  int begin = (int) get_global_id (1) * blocks, end = min (begin + blocks, y.n_small - (KY - 1));
  int low = max (x.phase - sample * DX, 0) * CHANNELS; /* values to store: low … high - 1 */
  int high = min (x.phase + x.count - sample * DX, SAMPLES * DX) * CHANNELS;
  ulong pitch = (ulong) x.n_small * CHANNELS;
  float rows[KY * WIDTH];

  if (low >= high || begin >= end)
    return;
  in += get_global_id (2) * (ulong) y.n_small * pitch + (ulong) sample * CHANNELS;
  out += get_global_id (2) * (ulong) y.count * x.count * CHANNELS;
  out += ((long) sample * DX - x.phase) * CHANNELS;

  for (int r = begin; r < end + KY - 1; r++)
    {
      int j = r - (KY - 1);
      const float *near[KY];

      load_row (in + (ulong) r * pitch, (x.n_small - sample) * CHANNELS, wx, rows + r % KY * WIDTH);
      if (j < begin)
        continue;
      UNROLL for (int k = 0; k < KY; k++) near[k] = rows + (j + k) % KY * WIDTH;
      for (int u = 0; u < WIDTH; u += 8)
        {
          float8 v[KY];

          UNROLL for (int k = 0; k < KY; k++) v[k] = vload8 (0, near[k] + u);
          for (int p = 0; p < DY; p++)
            {
              int i = j * DY + p - y.phase;
              global float *to = out + (long) i * x.count * CHANNELS;
              float values[8];
              float8 sum = 0.0f;

              UNROLL for (int k = 0; k < KY; k++) sum += wy[p * KY + k] * v[k];
              if (i < 0 || i >= y.count)
                continue;
              if (straight)
                sum = straight8 (sum);
              if (u >= low && u + 8 <= high)
                vstore8 (sum, 0, to + u);
              else
                {
                  vstore8 (sum, 0, values);
                  for (int q = max (low - u, 0); q < 8 && u + q < high; q++)
                    to[u + q] = values[q];
                }
            }
        }
    }
}

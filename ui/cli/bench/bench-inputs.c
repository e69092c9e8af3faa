/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark images: noise, a sky of radio sources, and five masks for labeling. */
#include <math.h>
#include <string.h>

#include "ui/cli/bench/bench-inputs.h"

/* A small fast generator (xorshift64*, S. Vigna 2016): GRand would take seconds for 8192². */
static double
uniform (guint64 *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double) ((*state * 0x2545F4914F6CDD1DULL) >> 40) / 16777216.0;
}

static void
fill_below (float *values, gsize count, double share, guint64 state)
{
  for (gsize i = 0; i < count; i++)
    values[i] = uniform (&state) < share ? 1.0f : 0.0f;
}

/* Disks of radius 4 to 12 at random places: about 10 000 regions at 4096². */
static void
fill_blobs (float *values, gsize width, gsize height, guint64 state)
{
  gsize disks = width * height / 1400;

  memset (values, 0, width * height * sizeof (float));
  for (gsize d = 0; d < disks; d++)
    {
      double x = uniform (&state) * width, y = uniform (&state) * height;
      double r = 4 + 8 * uniform (&state);

      for (int j = (int) MAX (0, y - r); j <= (int) MIN (height - 1.0, y + r); j++)
        for (int i = (int) MAX (0, x - r); i <= (int) MIN (width - 1.0, x + r); i++)
          if ((i - x) * (i - x) + (j - y) * (j - y) <= r * r)
            values[(gsize) j * width + i] = 1.0f;
    }
}

/* Noise of a normal distribution, and round sources of a Gaussian profile, many faint and few bright ones, as radio
 * telescopes see them: 45 sources in a million pixels. */
static void
fill_sky (float *values, gsize width, gsize height, guint64 state)
{
  const double sigma = 0.0133, beam = 2.5;
  gsize count = width * height, sources = MAX (1, count * 45 / 1000000);

  for (gsize i = 0; i < count; i += 2)
    {
      double r = sigma * sqrt (-2 * log (1 - uniform (&state))), phase = 2 * G_PI * uniform (&state);

      values[i] = (float) (r * cos (phase));
      if (i + 1 < count)
        values[i + 1] = (float) (r * sin (phase));
    }
  for (gsize s = 0; s < sources; s++)
    {
      double x = uniform (&state) * width, y = uniform (&state) * height;
      double peak = MIN (8 * sigma * pow (1 - uniform (&state), -1.0), 3.0);

      for (int j = (int) MAX (0, y - 20); j <= (int) MIN (height - 1.0, y + 20); j++)
        for (int i = (int) MAX (0, x - 20); i <= (int) MIN (width - 1.0, x + 20); i++)
          values[(gsize) j * width + i] += (float) (peak
                                                    * exp (-((i - x) * (i - x) + (j - y) * (j - y))
                                                           / (2 * beam * beam)));
    }
}

gboolean
bench_input (const char *name, gsize width, gsize height, guint number, float *values)
{
  gsize count = width * height;
  guint64 state = 0x9E3779B97F4A7C15ULL * (number + 1);

  if (g_str_equal (name, "noise"))
    for (gsize i = 0; i < count; i++)
      values[i] = (float) uniform (&state);
  else if (g_str_equal (name, "blobs"))
    fill_blobs (values, width, height, state);
  else if (g_str_equal (name, "sky"))
    fill_sky (values, width, height, state);
  else if (g_str_equal (name, "noise-50"))
    fill_below (values, count, 0.5, state);
  else if (g_str_equal (name, "noise-59"))
    fill_below (values, count, 0.593, state); /* near the percolation threshold */
  else if (g_str_equal (name, "sparse"))
    fill_below (values, count, 0.001, state);
  else if (g_str_equal (name, "full"))
    fill_below (values, count, 2.0, state);
  else
    return FALSE;
  return TRUE;
}

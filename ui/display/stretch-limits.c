/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch-limits: the values between which an image is stretched.
 *
 * Percentiles are selected by counting the leading 16 bits of the values, and then the other bits of those values whose
 * leading bits are the percentile's. */
#include "ui/display/stretch-limits.h"

#include <math.h>
#include <string.h>

#define BINS 65536u

/* An unsigned integer in the order of the values. */
static guint32
get_key (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float
get_value (guint32 key)
{
  guint32 bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The bin that contains the value of that rank; the rank within the bin. */
static guint32
find_bin (const gsize *counts, gsize *rank)
{
  guint32 bin = 0;

  while (*rank >= counts[bin])
    *rank -= counts[bin++];
  return bin;
}

/* @leading: counts of the leading 16 bits */
static float
select_rank (const float *values, gsize count, const gsize *leading, gsize rank)
{
  g_autofree gsize *counts = g_new0 (gsize, BINS);
  guint32 bin = find_bin (leading, &rank);

  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]) && get_key (values[i]) >> 16 == bin)
      counts[get_key (values[i]) & (BINS - 1)]++;
  return get_value (bin << 16 | find_bin (counts, &rank));
}

void
capra_stretch_limits_find (const float *values, gsize count, const double percentiles[2], double limits[2])
{
  g_autofree gsize *leading = g_new0 (gsize, BINS);
  float low = G_MAXFLOAT, high = -G_MAXFLOAT;
  gsize finite = 0;

  limits[0] = 0.0;
  limits[1] = 1.0;
  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      {
        leading[get_key (values[i]) >> 16]++;
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
        finite++;
      }
  if (finite == 0)
    return;
  limits[0] = select_rank (values, count, leading, (gsize) floor (percentiles[0] / 100.0 * (double) (finite - 1)));
  limits[1] = select_rank (values, count, leading, (gsize) ceil (percentiles[1] / 100.0 * (double) (finite - 1)));
  if (limits[0] < limits[1])
    return;
  limits[0] = low;
  limits[1] = high > low ? high : low + MAX (1.0, fabs (low) * 1e-6); /* adding 1 must change the value */
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch-limits: the values between which an image is stretched.
 *
 * Percentiles are selected by counting the leading 16 bits of the values, and then the other bits of those values whose
 * leading bits are the percentile's. */
#include "ui/display/stretch-limits.h"

#include <math.h>
#include <string.h>

#define BINS 65536u

/* Percentiles. */
#define LOW 0.2
#define HIGH 99.8
#define LOG_HIGH 99.99
#define ONE_SIGMA_BELOW 15.865525393145708 /* of a normal distribution */

#define NOISE_SIGMAS 2.0       /* from the median of a background to the low limit */
#define BACKGROUND_SIGMAS 20.0 /* at least, from its median to the high limit */

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

/* The leading bits of the finite values. */
typedef struct {
  gsize counts[BINS], finite;
  float low, high;
} Leading;

static Leading *
count_leading (const float *values, gsize count)
{
  Leading *leading = g_new0 (Leading, 1);

  leading->low = G_MAXFLOAT;
  leading->high = -G_MAXFLOAT;
  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      {
        leading->counts[get_key (values[i]) >> 16]++;
        leading->low = MIN (leading->low, values[i]);
        leading->high = MAX (leading->high, values[i]);
        leading->finite++;
      }
  return leading;
}

/* The rank of a percentile, which need not be a whole number. */
static double
get_rank (const Leading *leading, double percentile)
{
  return percentile / 100.0 * (double) (leading->finite - 1);
}

void
capra_stretch_limits_find (const float *values, gsize count, const double percentiles[2], double limits[2])
{
  g_autofree Leading *leading = count_leading (values, count);
  float low = leading->low, high = leading->high;

  limits[0] = 0.0;
  limits[1] = 1.0;
  if (leading->finite == 0)
    return;
  limits[0] = select_rank (values, count, leading->counts, (gsize) floor (get_rank (leading, percentiles[0])));
  limits[1] = select_rank (values, count, leading->counts, (gsize) ceil (get_rank (leading, percentiles[1])));
  if (limits[0] < limits[1])
    return;
  limits[0] = low;
  limits[1] = high > low ? high : low + MAX (1.0, fabs (low) * 1e-6); /* adding 1 must change the value */
}

/* FALSE if most values are not a background. */
static gboolean
find_above_background (const float *values, gsize count, double limits[2])
{
  g_autofree Leading *leading = count_leading (values, count);
  double median, sigma;

  if (leading->finite == 0)
    return FALSE;
  median = select_rank (values, count, leading->counts, (gsize) floor (get_rank (leading, 50.0)));
  sigma = median - select_rank (values, count, leading->counts, (gsize) floor (get_rank (leading, ONE_SIGMA_BELOW)));
  limits[0] = median + NOISE_SIGMAS * sigma;
  limits[1] = select_rank (values, count, leading->counts, (gsize) ceil (get_rank (leading, LOG_HIGH)));
  return limits[1] - median > BACKGROUND_SIGMAS * sigma;
}

void
capra_stretch_limits_choose (const float *values, gsize count, CapraStretchCurve curve, double limits[2])
{
  const double percentiles[2] = { LOW, HIGH };

  if (curve != CAPRA_STRETCH_LOG || !find_above_background (values, count, limits))
    capra_stretch_limits_find (values, count, percentiles, limits);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Splitting: into the bins that a bounding box or the four corners of a pixel cover. */
#include <math.h>

#include "algorithms/azimuthal/azimuthal-split.h"

/* A position along an axis, counted in bins. */
static double
to_bins (const CapraAxisBins *axis, double value)
{
  return axis->delta > 0 ? (value - axis->min) / axis->delta : 0;
}

static void
append (const CapraSplit *split, guint radial, guint azimuthal, guint32 pixel, double coefficient, GArray *entries)
{
  CapraSplitEntry entry = { azimuthal * split->radial.bins + radial, pixel, (float) coefficient };

  if (entry.coefficient != 0 && radial < split->radial.bins && azimuthal < split->azimuthal.bins)
    g_array_append_val (entries, entry);
}

/* The bins from @first to @last that the interval from @low to @high covers, all in bins. */
typedef struct {
  double low, high;
  gint64 first, last;
} Interval;

/* FALSE if the interval is outside the axis. */
static gboolean
interval_init (Interval *interval, const CapraAxisBins *axis, double low, double high)
{
  interval->low = to_bins (axis, low);
  interval->high = to_bins (axis, high);
  /* Also rejects NaN; conversions truncate. */
  if (!(interval->high > -1 && interval->low < axis->bins) || !(interval->high < G_MAXINT32))
    return FALSE;
  interval->first = MAX ((gint64) MAX (interval->low, -1.0), 0);
  interval->last = MIN ((gint64) interval->high, (gint64) axis->bins - 1);
  return TRUE;
}

static double
interval_part (const Interval *interval, gint64 bin)
{
  double width = interval->high - interval->low;

  if (interval->first == interval->last)
    return 1;
  if (bin == interval->first)
    return ((double) (bin + 1) - interval->low) / width;
  if (bin == interval->last)
    return (interval->high - (double) bin) / width;
  return 1 / width;
}

void
capra_split_box (const CapraSplit *split, guint32 pixel, CapraPolar center, CapraPolar half, GArray *entries)
{
  Interval radial, azimuthal = { 0, 0, 0, 0 };

  if (!interval_init (&radial, &split->radial, center.radius - half.radius, center.radius + half.radius))
    return;
  if (split->two_dimensions
      && !interval_init (&azimuthal, &split->azimuthal, center.azimuth - half.azimuth, center.azimuth + half.azimuth))
    return;
  for (gint64 j = azimuthal.first; j <= azimuthal.last; j++)
    for (gint64 i = radial.first; i <= radial.last; i++)
      append (split, (guint) i, (guint) j, pixel, interval_part (&radial, i) * interval_part (&azimuthal, j), entries);
}

/* Twice the signed area of a pixel, approximately: positive if the pixel is on the discontinuity of the azimuth. */
static double
area (const CapraPolar p[4])
{
  return 0.5 * ((p[2].radius - p[0].radius) * (p[3].azimuth - p[1].azimuth))
         - (p[2].azimuth - p[0].azimuth) * (p[3].radius - p[1].radius);
}

/* Moves the corners of a pixel that straddles +-pi to one side. */
static void
recenter (const CapraSplit *split, CapraPolar p[4])
{
  double mean = 0;

  if (!(split->sign * area (p) > 0))
    return;
  for (guint k = 0; k < 4; k++)
    {
      if (p[k].azimuth < 0)
        p[k].azimuth += 2 * G_PI;
      mean += 0.25 * p[k].azimuth;
    }
  if (mean > G_PI)
    for (guint k = 0; k < 4; k++)
      p[k].azimuth -= 2 * G_PI;
}

/* The integral of the line from @a to @b over the part of its radii in the bin @bin. */
static double
integrate_edge (CapraPolar a, CapraPolar b, double bin)
{
  double from = CLAMP (a.radius, bin, bin + 1), to = CLAMP (b.radius, bin, bin + 1), slope = 0;

  if (from == to)
    return 0;
  slope = (b.azimuth - a.azimuth) / (b.radius - a.radius);
  return (to - from) * (0.5 * slope * (to + from) + (a.azimuth - slope * a.radius));
}

/* The signed area of the part of a pixel in a radial bin. */
static double
area_in_bin (const CapraPolar p[4], double bin)
{
  float sum = 0;

  for (guint k = 0; k < 4; k++)
    sum = (float) (sum + integrate_edge (p[k], p[(k + 1) % 4], bin));
  return sum;
}

/* The least and the largest radial bin of the corners. */
static void
radial_range (const CapraPolar p[4], double *low, double *high)
{
  *low = MIN (MIN (p[0].radius, p[1].radius), MIN (p[2].radius, p[3].radius));
  *high = MAX (MAX (p[0].radius, p[1].radius), MAX (p[2].radius, p[3].radius));
}

static void
azimuthal_range (const CapraPolar p[4], double *low, double *high)
{
  *low = MIN (MIN (p[0].azimuth, p[1].azimuth), MIN (p[2].azimuth, p[3].azimuth));
  *high = MAX (MAX (p[0].azimuth, p[1].azimuth), MAX (p[2].azimuth, p[3].azimuth));
}

static void
split_radially (const CapraSplit *split, guint32 pixel, CapraPolar p[4], GArray *entries)
{
  double low = 0, high = 0, sum = 0;
  gint64 first = 0, last = 0;

  for (guint k = 0; k < 4; k++)
    p[k].radius = to_bins (&split->radial, p[k].radius);
  radial_range (p, &low, &high);
  if (!(high >= 0 && low < split->radial.bins))
    return;
  first = (gint64) floor (MAX (low, -1));
  last = (gint64) floor (MIN (high, split->radial.bins));
  if (first == last)
    {
      append (split, (guint) first, 0, pixel, 1, entries);
      return;
    }
  first = MAX (first, 0);
  last = MIN (last, (gint64) split->radial.bins - 1);
  for (gint64 i = first; i <= last; i++)
    sum += area_in_bin (p, (double) i);
  if (sum != 0)
    for (gint64 i = first; i <= last; i++)
      append (split, (guint) i, 0, pixel, area_in_bin (p, (double) i) / sum, entries);
}

/* The part of a pixel in a bin of two dimensions, by pyFAI's rule: the area under each edge fills the bins of a column
 * from the bottom, as wide as the edge is in the column. This is not the area of the intersection: coefficients differ
 * from that by up to some hundredths. pyFAI rounds these areas to float32, which shifts bins that few pixels touch by
 * some 1e-5; here they are double. */
static double
area_in_cell (const CapraPolar p[4], double column, double row)
{
  double sum = 0;

  for (guint k = 0; k < 4; k++)
    {
      CapraPolar a = p[k], b = p[(k + 1) % 4];
      double from = CLAMP (a.radius, column, column + 1), to = CLAMP (b.radius, column, column + 1);
      double slope = 0, width = fabs (to - from), under = 0;

      if (from == to)
        continue;
      slope = (b.azimuth - a.azimuth) / (b.radius - a.radius);
      under = (to - from) * (0.5 * slope * (to + from) + b.azimuth - slope * b.radius);
      sum += copysign (CLAMP (fabs (under) - row * width, 0, width), under);
    }
  return sum;
}

static void
split_both (const CapraSplit *split, guint32 pixel, CapraPolar p[4], GArray *entries)
{
  const CapraAxisBins *r = &split->radial, *a = &split->azimuthal;
  double low0 = 0, high0 = 0, low1 = 0, high1 = 0, sum = 0, first0 = 0, first1 = 0;
  guint columns = 0, rows = 0;

  radial_range (p, &low0, &high0);
  azimuthal_range (p, &low1, &high1);
  if (high0 < r->min || low0 > r->max || high1 < a->min || low1 >= a->min + a->bins * a->delta)
    return;
  for (guint k = 0; k < 4; k++)
    {
      p[k].radius = to_bins (r, CLAMP (p[k].radius, r->min, r->max));
      p[k].azimuth = to_bins (a, CLAMP (p[k].azimuth, a->min, a->max));
    }
  radial_range (p, &low0, &high0);
  azimuthal_range (p, &low1, &high1);
  first0 = floor (low0);
  first1 = floor (low1);
  columns = (guint) (ceil (high0) - first0);
  rows = (guint) (ceil (high1) - first1);
  for (guint k = 0; k < 4; k++)
    {
      p[k].radius -= first0;
      p[k].azimuth -= first1;
    }
  for (guint i = 0; i < columns; i++)
    for (guint j = 0; j < rows; j++)
      sum += area_in_cell (p, i, j);
  if (sum != 0)
    for (guint j = 0; j < rows; j++)
      for (guint i = 0; i < columns; i++)
        append (split, (guint) first0 + i, (guint) first1 + j, pixel, area_in_cell (p, i, j) / sum, entries);
}

void
capra_split_full (const CapraSplit *split, guint32 pixel, const CapraPolar corners[4], GArray *entries)
{
  CapraPolar p[4] = { corners[0], corners[1], corners[2], corners[3] };

  recenter (split, p);
  if (split->two_dimensions)
    split_both (split, pixel, p, entries);
  else
    split_radially (split, pixel, p, entries);
}

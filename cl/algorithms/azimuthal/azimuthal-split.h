/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Splitting: how much of a pixel is in which bin, for C and for kernels.
 *
 * The same definitions as in pyFAI, also where these are approximations: the areas of the full splitting are summed as
 * float32, and those of two dimensions fill a column of bins from its bottom.
 *
 * Who includes this defines split_out_t and split_append (split_out_t *, cl_uint row, cl_float coefficient), which gets
 * the entries of a pixel in the sparse matrix. A row is azimuthal bin · radial bins + radial bin, counted from the
 * first one of the part of the matrix that is built. */
#ifndef CAPRA_AZIMUTHAL_SPLIT_H
#define CAPRA_AZIMUTHAL_SPLIT_H

#include "algorithms/azimuthal/azimuthal-bins.h"

/* A position along an axis, counted in bins. */
static inline cl_double
split_to_bins (const AzimuthalAxis *axis, cl_double value)
{
  return axis->delta > 0 ? (value - axis->min) / axis->delta : 0;
}

static inline void
split_store (const AzimuthalBins *bins, cl_uint radial, cl_uint azimuthal, cl_double coefficient, split_out_t *out)
{
  cl_float rounded = (cl_float) coefficient;
  /* Rows before the first one become large numbers. */
  cl_uint row = azimuthal * bins->radial.bins + radial - bins->first;

  if (rounded != 0 && radial < bins->radial.bins && azimuthal < bins->azimuthal.bins && row < bins->rows)
    split_append (out, row, rounded);
}

/* The bins from @first to @last that the interval from @low to @high covers, all in bins. */
typedef struct {
  cl_double low, high;
  cl_int first, last;
} split_interval_t;

/* 0 if the interval is outside the axis. */
static inline cl_uint
split_interval (split_interval_t *interval, const AzimuthalAxis *axis, cl_double low, cl_double high)
{
  interval->low = split_to_bins (axis, low);
  interval->high = split_to_bins (axis, high);
  /* Also rejects NaN; conversions truncate. */
  if (!(interval->high > -1 && interval->low < axis->bins))
    return 0;
  interval->first = (cl_int) fmax (interval->low, 0.0);
  interval->last = (cl_int) fmin (interval->high, axis->bins - 1.0);
  return 1;
}

static inline cl_double
split_part (const split_interval_t *interval, cl_int bin)
{
  cl_double width = interval->high - interval->low;

  if (interval->first == interval->last)
    return 1;
  if (bin == interval->first)
    return (bin + 1.0 - interval->low) / width;
  if (bin == interval->last)
    return (interval->high - bin) / width;
  return 1 / width;
}

/* The pixel with its center at @center, @reach being half the size of its bounding box (0 for no splitting). */
static inline void
split_box (const AzimuthalBins *bins, AzimuthalPolar center, AzimuthalPolar reach, split_out_t *out)
{
  split_interval_t radial, azimuthal = { 0, 0, 0, 0 };

  if (!split_interval (&radial, &bins->radial, center.radius - reach.radius, center.radius + reach.radius))
    return;
  if (bins->two_dimensions
      && !split_interval (&azimuthal, &bins->azimuthal, center.azimuth - reach.azimuth, center.azimuth + reach.azimuth))
    return;
  for (cl_int j = azimuthal.first; j <= azimuthal.last; j++)
    for (cl_int i = radial.first; i <= radial.last; i++)
      split_store (bins, (cl_uint) i, (cl_uint) j, split_part (&radial, i) * split_part (&azimuthal, j), out);
}

/* Twice the signed area of a pixel, approximately: positive if the pixel is on the discontinuity of the azimuth. */
static inline cl_double
split_area (const AzimuthalPolar *p)
{
  return 0.5 * ((p[2].radius - p[0].radius) * (p[3].azimuth - p[1].azimuth))
         - (p[2].azimuth - p[0].azimuth) * (p[3].radius - p[1].radius);
}

/* Moves the corners of a pixel that straddles +-pi to one side. */
static inline void
split_recenter (const AzimuthalBins *bins, AzimuthalPolar *p)
{
  cl_double mean = 0;

  if (!(bins->sign * split_area (p) > 0))
    return;
  for (cl_uint k = 0; k < 4; k++)
    {
      if (p[k].azimuth < 0)
        p[k].azimuth += 2 * POLAR_PI;
      mean += 0.25 * p[k].azimuth;
    }
  if (mean > POLAR_PI)
    for (cl_uint k = 0; k < 4; k++)
      p[k].azimuth -= 2 * POLAR_PI;
}

static inline cl_double
split_clamp (cl_double value, cl_double low, cl_double high)
{
  return fmin (fmax (value, low), high);
}

/* The integral of the line from @a to @b over the part of its radii in the bin @bin. */
static inline cl_double
split_edge (AzimuthalPolar a, AzimuthalPolar b, cl_double bin)
{
  cl_double from = split_clamp (a.radius, bin, bin + 1), to = split_clamp (b.radius, bin, bin + 1), slope = 0;

  if (from == to)
    return 0;
  slope = (b.azimuth - a.azimuth) / (b.radius - a.radius);
  return (to - from) * (0.5 * slope * (to + from) + (a.azimuth - slope * a.radius));
}

/* The signed area of the part of a pixel in a radial bin. */
static inline cl_double
split_area_in_bin (const AzimuthalPolar *p, cl_double bin)
{
  cl_float sum = 0;

  for (cl_uint k = 0; k < 4; k++)
    sum = (cl_float) (sum + split_edge (p[k], p[(k + 1) % 4], bin));
  return sum;
}

/* The least and the largest coordinates of the corners. */
static inline void
split_range (const AzimuthalPolar *p, AzimuthalPolar *low, AzimuthalPolar *high)
{
  *low = *high = p[0];
  for (cl_uint k = 1; k < 4; k++)
    {
      low->radius = fmin (low->radius, p[k].radius);
      low->azimuth = fmin (low->azimuth, p[k].azimuth);
      high->radius = fmax (high->radius, p[k].radius);
      high->azimuth = fmax (high->azimuth, p[k].azimuth);
    }
}

static inline void
split_radially (const AzimuthalBins *bins, AzimuthalPolar *p, split_out_t *out)
{
  AzimuthalPolar low, high;
  cl_double sum = 0, n = bins->radial.bins;
  cl_int first = 0, last = 0;

  for (cl_uint k = 0; k < 4; k++)
    p[k].radius = split_to_bins (&bins->radial, p[k].radius);
  split_range (p, &low, &high);
  if (!(high.radius >= 0 && low.radius < n))
    return;
  first = (cl_int) floor (fmax (low.radius, -1.0));
  last = (cl_int) floor (fmin (high.radius, n));
  if (first == last)
    {
      split_store (bins, (cl_uint) first, 0, 1, out);
      return;
    }
  first = first > 0 ? first : 0;
  last = last < (cl_int) n - 1 ? last : (cl_int) n - 1;
  for (cl_int i = first; i <= last; i++)
    sum += split_area_in_bin (p, i);
  if (sum != 0)
    for (cl_int i = first; i <= last; i++)
      split_store (bins, (cl_uint) i, 0, split_area_in_bin (p, i) / sum, out);
}

/* The part of a pixel in a bin of two dimensions, by pyFAI's rule: the area under each edge fills the bins of a column
 * from the bottom, as wide as the edge is in the column. This is not the area of the intersection: coefficients differ
 * from that by up to some hundredths. pyFAI rounds these areas to float32, which shifts bins that few pixels touch by
 * some 1e-5; here they are double. */
static inline cl_double
split_area_in_cell (const AzimuthalPolar *p, cl_double column, cl_double row)
{
  cl_double sum = 0;

  for (cl_uint k = 0; k < 4; k++)
    {
      AzimuthalPolar a = p[k], b = p[(k + 1) % 4];
      cl_double from = split_clamp (a.radius, column, column + 1), to = split_clamp (b.radius, column, column + 1);
      cl_double slope = 0, width = fabs (to - from), under = 0;

      if (from == to)
        continue;
      slope = (b.azimuth - a.azimuth) / (b.radius - a.radius);
      under = (to - from) * (0.5 * slope * (to + from) + b.azimuth - slope * b.radius);
      sum += copysign (split_clamp (fabs (under) - row * width, 0, width), under);
    }
  return sum;
}

static inline void
split_both (const AzimuthalBins *bins, AzimuthalPolar *p, split_out_t *out)
{
  const AzimuthalAxis *r = &bins->radial, *a = &bins->azimuthal;
  AzimuthalPolar low, high;
  cl_double sum = 0;
  cl_uint columns = 0, rows = 0, column = 0, row = 0;

  split_range (p, &low, &high);
  if (high.radius < r->min || low.radius > r->max || high.azimuth < a->min
      || low.azimuth >= a->min + a->bins * a->delta)
    return;
  for (cl_uint k = 0; k < 4; k++)
    {
      p[k].radius = split_to_bins (r, split_clamp (p[k].radius, r->min, r->max));
      p[k].azimuth = split_to_bins (a, split_clamp (p[k].azimuth, a->min, a->max));
    }
  split_range (p, &low, &high);
  column = (cl_uint) low.radius;
  row = (cl_uint) low.azimuth;
  columns = (cl_uint) ceil (high.radius) - column;
  rows = (cl_uint) ceil (high.azimuth) - row;
  for (cl_uint k = 0; k < 4; k++)
    {
      p[k].radius -= column;
      p[k].azimuth -= row;
    }
  for (cl_uint i = 0; i < columns; i++)
    for (cl_uint j = 0; j < rows; j++)
      sum += split_area_in_cell (p, i, j);
  if (sum != 0)
    for (cl_uint j = 0; j < rows; j++)
      for (cl_uint i = 0; i < columns; i++)
        split_store (bins, column + i, row + j, split_area_in_cell (p, i, j) / sum, out);
}

/* The entries of the pixel at row @i and column @j. @corners: in the order of bins_corner(); changed. */
static inline void
split_pixel (const AzimuthalGeometry *g, const AzimuthalBins *bins, cl_uint i, cl_uint j, AzimuthalPolar *corners,
             split_out_t *out)
{
  if (bins->splitting == SPLIT_FULL)
    {
      split_recenter (bins, corners);
      if (bins->two_dimensions)
        split_both (bins, corners, out);
      else
        split_radially (bins, corners, out);
    }
  else
    {
      AzimuthalPolar reach, center = bins_get_box (g, bins, i, j, corners, &reach);

      split_box (bins, center, reach, out);
    }
}

#endif

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The axes of bins and what pixels cover of them, for C and for kernels. */
#ifndef CAPRA_AZIMUTHAL_BINS_H
#define CAPRA_AZIMUTHAL_BINS_H

#include "algorithms/azimuthal/azimuthal-polar.h"

/* How pixels contribute to bins, in the order of CapraAzimuthalSplitting. */
#define SPLIT_NONE 0
#define SPLIT_BBOX 1
#define SPLIT_FULL 2

/* What is known about a pixel before any frame, as bits. */
#define PIXEL_MASKED 1   /* left out, also from the range of the axes */
#define PIXEL_REJECTED 2 /* left out: its dark value or its normalization is not usable */

/* An axis of bins: the range of all values, without the widening of the last bin, and the width of a bin. */
typedef struct {
  cl_double min, max, delta;
  cl_uint bins, unused;
} AzimuthalAxis;

/* The azimuthal axis has one bin, and is ignored, for a curve. */
typedef struct {
  AzimuthalAxis radial, azimuthal;
  cl_double sign; /* of the area of a pixel: -1 for orientations that mirror one axis */
  cl_uint two_dimensions, splitting;
  cl_uint first, rows; /* of the matrix: those of a part of it */
} AzimuthalBins;

CAPRA_ASSERT_SIZE (AzimuthalBins, 2 * 32 + 24);

/* Whether the azimuths of corners matter. */
static inline cl_uint
bins_need_azimuth (const AzimuthalBins *bins)
{
  return bins->two_dimensions || bins->splitting == SPLIT_FULL;
}

/* The corner @k of the pixel at row @i and column @j, in an image of corners that is a column wider than the band:
 * (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1). */
static inline size_t
bins_corner (const AzimuthalGeometry *g, cl_uint i, cl_uint j, cl_uint k)
{
  return (size_t) (i + (k == 1 || k == 2)) * (g->width + 1) + j + (k > 1);
}

/* The center of a pixel and half the size of its bounding box, which is 0 if pixels are not split. */
static inline AzimuthalPolar
bins_get_box (const AzimuthalGeometry *g, const AzimuthalBins *bins, cl_uint i, cl_uint j,
              const AzimuthalPolar *corners, AzimuthalPolar *reach)
{
  AzimuthalPolar center = polar_get (g, i + 0.5, j + 0.5, bins->two_dimensions);

  reach->radius = reach->azimuth = 0;
  for (cl_uint k = 0; k < 4 && bins->splitting != SPLIT_NONE; k++)
    {
      cl_double turn = fabs (corners[k].azimuth - center.azimuth);

      reach->radius = fmax (reach->radius, fabs (corners[k].radius - center.radius));
      if (bins->two_dimensions)
        reach->azimuth = fmax (reach->azimuth, fmin (turn, 2 * POLAR_PI - turn));
    }
  return center;
}

/* Extends the range from @least to @most by that from @low to @high. */
static inline void
bins_extend (AzimuthalPolar *least, AzimuthalPolar *most, AzimuthalPolar low, AzimuthalPolar high)
{
  least->radius = fmin (least->radius, low.radius);
  least->azimuth = fmin (least->azimuth, low.azimuth);
  most->radius = fmax (most->radius, high.radius);
  most->azimuth = fmax (most->azimuth, high.azimuth);
}

/* Extends the range from @least to @most by a pixel. */
static inline void
bins_add_pixel (const AzimuthalGeometry *g, const AzimuthalBins *bins, cl_uint i, cl_uint j,
                const AzimuthalPolar *corners, AzimuthalPolar *least, AzimuthalPolar *most)
{
  if (bins->splitting == SPLIT_FULL)
    for (cl_uint k = 0; k < 4; k++)
      bins_extend (least, most, corners[k], corners[k]);
  else
    {
      AzimuthalPolar reach, center = bins_get_box (g, bins, i, j, corners, &reach), low = center, high = center;

      low.radius -= reach.radius;
      low.azimuth -= reach.azimuth;
      high.radius += reach.radius;
      high.azimuth += reach.azimuth;
      bins_extend (least, most, low, high);
    }
}

#endif

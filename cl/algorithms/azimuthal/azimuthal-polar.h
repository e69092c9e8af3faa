/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Where the points of a detector are in polar coordinates, for C and for kernels: the formulas of pyFAI, in double
 * precision. Radii are in the units that pyFAI computes in: 1/nm, radians, m. */
#ifndef CAPRA_AZIMUTHAL_POLAR_H
#define CAPRA_AZIMUTHAL_POLAR_H

#include "algorithms/common/params.h"

#if defined __OPENCL_C_VERSION__ || defined __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef double cl_double;
#else
#include <math.h>
#endif

#define POLAR_PI 3.14159265358979323846

/* What the radial axis is, in the order of CapraAzimuthalUnit. */
#define UNIT_Q 0
#define UNIT_2TH 1
#define UNIT_R 2

typedef struct {
  cl_double pixel1, pixel2, distance, poni1, poni2;
  cl_double s1, c1, s2, c2, s3, c3; /* sines and cosines of the rotations */
  cl_double q;                      /* 4e-9 pi / wavelength */
  cl_double normalization;
  /* The factor, NaN for no correction; cosine and sine of twice the angle of the plane of polarization. */
  cl_double polarization, wave_cos, wave_sin;
  cl_double dummy, delta_dummy;
  cl_uint width, height, unit, orientation;
  cl_uint solid_angle, has_dummy, has_flat, has_dark; /* whether to correct, or to leave out */
  cl_uint first, rows;                                /* of the frame of this size: those of the images, a band */
} AzimuthalGeometry;

CAPRA_ASSERT_SIZE (AzimuthalGeometry, 18 * 8 + 10 * 4);

/* A point in polar coordinates; @radius in the unit, @azimuth in radians. */
typedef struct {
  cl_double radius, azimuth;
} AzimuthalPolar;

/* A point relative to the sample in m; z is along the beam. p1 and p2: on the detector's plane, from the point of
 * normal incidence. */
typedef struct {
  cl_double x, y, z, p1, p2;
} AzimuthalPoint;

/* The point at the row @i of the band and the column @j: whole numbers are corners of pixels, halves centers. */
static inline AzimuthalPoint
polar_point (const AzimuthalGeometry *g, cl_double i, cl_double j)
{
  cl_double l = g->distance;
  AzimuthalPoint p;

  i += g->first;
  if (g->orientation == 1 || g->orientation == 2)
    i = g->height - i;
  if (g->orientation == 1 || g->orientation == 4)
    j = g->width - j;
  p.p1 = i * g->pixel1 - g->poni1;
  p.p2 = j * g->pixel2 - g->poni2;
  p.y = p.p1 * g->c2 * g->c3 + p.p2 * (g->c3 * g->s1 * g->s2 - g->c1 * g->s3)
        - l * (g->c1 * g->c3 * g->s2 + g->s1 * g->s3);
  p.x = p.p1 * g->c2 * g->s3 + p.p2 * (g->c1 * g->c3 + g->s1 * g->s2 * g->s3)
        - l * (g->c1 * g->s2 * g->s3 - g->c3 * g->s1);
  p.z = p.p1 * g->s2 - p.p2 * g->c2 * g->s1 + l * g->c1 * g->c2;
  return p;
}

/* The sine of half the angle between the beam and a point at @rho from it, without the angle itself. */
static inline cl_double
polar_sine_of_half (cl_double rho, cl_double z)
{
  cl_double r = sqrt (rho * rho + z * z);

  if (r == 0)
    return 0;
  return z > 0 ? rho / sqrt (2 * r * (r + z)) : sqrt ((r - z) / (2 * r));
}

/* The same point in polar coordinates; its azimuth is 0 unless @azimuth. */
static inline AzimuthalPolar
polar_get (const AzimuthalGeometry *g, cl_double i, cl_double j, cl_uint azimuth)
{
  AzimuthalPoint p = polar_point (g, i, j);
  cl_double rho = sqrt (p.x * p.x + p.y * p.y);
  AzimuthalPolar polar = { rho, 0 };

  if (g->unit == UNIT_Q)
    polar.radius = g->q * polar_sine_of_half (rho, p.z);
  else if (g->unit == UNIT_2TH)
    polar.radius = atan2 (rho, p.z);
  if (azimuth)
    polar.azimuth = atan2 (p.y, p.x);
  return polar;
}

/* The solid angle and the polarization of the pixel at row @i and column @j, multiplied. */
static inline cl_double
polar_correction (const AzimuthalGeometry *g, cl_uint i, cl_uint j)
{
  AzimuthalPoint p = polar_point (g, i + 0.5, j + 0.5);
  cl_double l = g->distance, correction = 1;

  if (g->solid_angle)
    {
      cl_double cosine = l / sqrt (l * l + p.p1 * p.p1 + p.p2 * p.p2);

      correction *= cosine * cosine * cosine;
    }
  if (!isnan (g->polarization))
    {
      cl_double rho2 = p.x * p.x + p.y * p.y, r2 = rho2 + p.z * p.z, cos2 = r2 > 0 ? p.z * p.z / r2 : 1;
      /* cos (2 (azimuth + offset)) */
      cl_double wave = rho2 > 0 ? ((p.x * p.x - p.y * p.y) * g->wave_cos - 2 * p.x * p.y * g->wave_sin) / rho2
                                : g->wave_cos;

      correction *= 0.5 * (1 + cos2 - g->polarization * wave * (1 - cos2));
    }
  return correction;
}

static inline cl_uint
polar_is_dummy (const AzimuthalGeometry *g, cl_float value)
{
  return g->has_dummy && fabs ((cl_double) value - g->dummy) <= g->delta_dummy;
}

/* What the value of a pixel is divided by; 0 if the pixel is left out. @flat, @dark: values of the images, if any. */
static inline cl_float
polar_norm (const AzimuthalGeometry *g, cl_uint i, cl_uint j, cl_float flat, cl_float dark)
{
  cl_float norm = (cl_float) (g->normalization * polar_correction (g, i, j) * (g->has_flat ? flat : 1));

  if ((g->has_flat && polar_is_dummy (g, flat)) || (g->has_dark && (!isfinite (dark) || polar_is_dummy (g, dark))))
    return 0;
  return isfinite (norm) ? norm : 0;
}

#endif

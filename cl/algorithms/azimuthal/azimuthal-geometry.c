/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Geometry: the formulas of pyFAI, in double precision. */
#include <math.h>

#include "algorithms/azimuthal/azimuthal-geometry.h"

/* A point relative to the sample in m; z is along the beam. */
typedef struct {
  double x, y, z;
} Position;

void
capra_geometry_init (CapraGeometry *geometry, const CapraAzimuthalSettings *settings)
{
  const CapraPoni *poni = &settings->poni;

  *geometry = (CapraGeometry){ .poni = *poni,
                               .width = settings->width,
                               .height = settings->height,
                               .unit = settings->unit,
                               .s1 = sin (poni->rot1),
                               .c1 = cos (poni->rot1),
                               .s2 = sin (poni->rot2),
                               .c2 = cos (poni->rot2),
                               .s3 = sin (poni->rot3),
                               .c3 = cos (poni->rot3) };
  geometry->q = poni->wavelength > 0 ? 4e-9 * G_PI / poni->wavelength : 0;
}

/* The point on the detector relative to the point of normal incidence. */
static void
get_plane (const CapraGeometry *g, double i, double j, double *p1, double *p2)
{
  if (g->poni.orientation == 1 || g->poni.orientation == 2)
    i = g->height - i;
  if (g->poni.orientation == 1 || g->poni.orientation == 4)
    j = g->width - j;
  *p1 = i * g->poni.pixel1 - g->poni.poni1;
  *p2 = j * g->poni.pixel2 - g->poni.poni2;
}

static Position
get_position (const CapraGeometry *g, double i, double j)
{
  double p1 = 0, p2 = 0, l = g->poni.distance;

  get_plane (g, i, j, &p1, &p2);
  return (Position){
    .y = p1 * g->c2 * g->c3 + p2 * (g->c3 * g->s1 * g->s2 - g->c1 * g->s3)
         - l * (g->c1 * g->c3 * g->s2 + g->s1 * g->s3),
    .x = p1 * g->c2 * g->s3 + p2 * (g->c1 * g->c3 + g->s1 * g->s2 * g->s3)
         - l * (g->c1 * g->s2 * g->s3 - g->c3 * g->s1),
    .z = p1 * g->s2 - p2 * g->c2 * g->s1 + l * g->c1 * g->c2,
  };
}

/* The sine of half the angle between the beam and a point at @rho from it, without the angle itself. */
static double
sine_of_half (double rho, double z)
{
  double r = sqrt (rho * rho + z * z);

  if (r == 0)
    return 0;
  return z > 0 ? rho / sqrt (2 * r * (r + z)) : sqrt ((r - z) / (2 * r));
}

CapraPolar
capra_geometry_get (const CapraGeometry *geometry, double i, double j, gboolean azimuth)
{
  Position p = get_position (geometry, i, j);
  double rho = sqrt (p.x * p.x + p.y * p.y);
  CapraPolar polar = { rho, 0 };

  if (geometry->unit == CAPRA_AZIMUTHAL_Q_NM)
    polar.radius = geometry->q * sine_of_half (rho, p.z);
  else if (geometry->unit == CAPRA_AZIMUTHAL_2TH_DEG)
    polar.radius = atan2 (rho, p.z);
  if (azimuth)
    polar.azimuth = atan2 (p.y, p.x);
  return polar;
}

double
capra_geometry_get_correction (const CapraGeometry *geometry, const CapraAzimuthalSettings *settings, guint i, guint j)
{
  double l = geometry->poni.distance, correction = 1;

  if (settings->solid_angle)
    {
      double p1 = 0, p2 = 0, cosine = 0;

      get_plane (geometry, i + 0.5, j + 0.5, &p1, &p2);
      cosine = l / sqrt (l * l + p1 * p1 + p2 * p2);
      correction *= cosine * cosine * cosine;
    }
  if (!isnan (settings->polarization))
    {
      Position p = get_position (geometry, i + 0.5, j + 0.5);
      double rho2 = p.x * p.x + p.y * p.y, r2 = rho2 + p.z * p.z;
      double cos2 = r2 > 0 ? p.z * p.z / r2 : 1, offset = 2 * settings->polarization_offset;
      /* cos (2 (azimuth + offset)) */
      double wave = rho2 > 0 ? ((p.x * p.x - p.y * p.y) * cos (offset) - 2 * p.x * p.y * sin (offset)) / rho2
                             : cos (offset);

      correction *= 0.5 * (1 + cos2 - settings->polarization * wave * (1 - cos2));
    }
  return correction;
}

double
capra_azimuthal_unit_scale (CapraAzimuthalUnit unit)
{
  switch (unit)
    {
    case CAPRA_AZIMUTHAL_2TH_DEG: return 180 / G_PI;
    case CAPRA_AZIMUTHAL_R_MM: return 1000;
    case CAPRA_AZIMUTHAL_Q_NM:
    default: return 1;
    }
}

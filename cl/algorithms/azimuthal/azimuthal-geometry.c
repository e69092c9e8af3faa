/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Geometry: the constants of the formulas. */
#include <float.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-geometry.h"

G_STATIC_ASSERT ((int) CAPRA_AZIMUTHAL_R_MM == UNIT_R);
G_STATIC_ASSERT ((int) CAPRA_AZIMUTHAL_SPLIT_FULL == SPLIT_FULL);

CapraAzimuthalPart
capra_azimuthal_part_init (const CapraAzimuthalSettings *settings)
{
  return (CapraAzimuthalPart){ 0, settings->height, 0, settings->bins * settings->azimuthal_bins };
}

gsize
capra_azimuthal_part_count (const CapraAzimuthalPart *part, const CapraAzimuthalSettings *settings)
{
  return (gsize) part->rows * settings->width;
}

gsize
capra_azimuthal_part_offset (const CapraAzimuthalPart *part, const CapraAzimuthalSettings *settings)
{
  return (gsize) part->first * settings->width;
}

void
capra_azimuthal_geometry_init (AzimuthalGeometry *geometry, const CapraAzimuthalSettings *settings,
                               const CapraAzimuthalPart *part)
{
  const CapraPoni *poni = &settings->poni;

  *geometry = (AzimuthalGeometry){ .pixel1 = poni->pixel1,
                                   .pixel2 = poni->pixel2,
                                   .distance = poni->distance,
                                   .poni1 = poni->poni1,
                                   .poni2 = poni->poni2,
                                   .s1 = sin (poni->rot1),
                                   .c1 = cos (poni->rot1),
                                   .s2 = sin (poni->rot2),
                                   .c2 = cos (poni->rot2),
                                   .s3 = sin (poni->rot3),
                                   .c3 = cos (poni->rot3),
                                   .q = poni->wavelength > 0 ? 4e-9 * G_PI / poni->wavelength : 0,
                                   .normalization = settings->normalization,
                                   .polarization = settings->polarization,
                                   .wave_cos = cos (2 * settings->polarization_offset),
                                   .wave_sin = sin (2 * settings->polarization_offset),
                                   .dummy = settings->dummy,
                                   .delta_dummy = settings->delta_dummy,
                                   .width = settings->width,
                                   .height = settings->height,
                                   .first = part->first,
                                   .rows = part->rows,
                                   .unit = settings->unit,
                                   .orientation = poni->orientation,
                                   .solid_angle = settings->solid_angle,
                                   .has_dummy = settings->has_dummy,
                                   .has_flat = settings->flat != NULL,
                                   .has_dark = settings->dark != NULL };
}

void
capra_azimuthal_bins_init (AzimuthalBins *bins, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part)
{
  guint orientation = settings->poni.orientation;

  *bins = (AzimuthalBins){ .radial.bins = settings->bins,
                           .azimuthal.bins = settings->azimuthal_bins,
                           .sign = orientation == 2 || orientation == 4 ? -1 : 1,
                           .two_dimensions = settings->azimuthal_bins > 1,
                           .splitting = settings->splitting,
                           .first = part->first_bin,
                           .rows = part->n_bins };
}

static void
set_axis (AzimuthalAxis *axis, double least, double most)
{
  /* Widens the axis so that the largest value is in the last bin. */
  const double wider = 1.0 + FLT_EPSILON;
  double end = most > 0 ? most * wider : most / wider;

  if (!(least <= most))
    return;
  axis->min = least;
  axis->max = most;
  axis->delta = (end - least) / axis->bins;
}

void
capra_azimuthal_bins_set_range (AzimuthalBins *bins, const CapraAzimuthalRange *range)
{
  const float pi = (float) G_PI;

  set_axis (&bins->radial, MAX (range->least.radius, 0), range->most.radius);
  set_axis (&bins->azimuthal, MAX (range->least.azimuth, -pi), MIN (range->most.azimuth, pi));
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

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Geometry: where the points of a detector are in polar coordinates. Private.
 *
 * Radii are in the units that pyFAI computes in: 1/nm, radians, m. */
#pragma once

#include "algorithms/azimuthal/azimuthal-settings.h"

G_BEGIN_DECLS

typedef struct {
  CapraPoni poni;
  guint width, height;
  CapraAzimuthalUnit unit;
  double s1, c1, s2, c2, s3, c3; /* sines and cosines of the rotations */
  double q;                      /* 4e-9 pi / wavelength */
} CapraGeometry;

/* A point in polar coordinates; @radius in the unit, @azimuth in radians. */
typedef struct {
  double radius, azimuth;
} CapraPolar;

void capra_geometry_init (CapraGeometry *geometry, const CapraAzimuthalSettings *settings);

/* The point at the row @i and the column @j of the frame: whole numbers are corners of pixels, halves centers. */
CapraPolar capra_geometry_get (const CapraGeometry *geometry, double i, double j, gboolean azimuth);

/* The solid angle and the polarization of the pixel at row @i and column @j, multiplied. */
double capra_geometry_get_correction (const CapraGeometry *geometry, const CapraAzimuthalSettings *settings, guint i,
                                      guint j);

/* By how much radii are multiplied for people: degrees for radians, mm for m. */
double capra_azimuthal_unit_scale (CapraAzimuthalUnit unit);

G_END_DECLS

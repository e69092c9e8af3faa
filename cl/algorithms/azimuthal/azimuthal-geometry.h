/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What settings amount to for the formulas of polar coordinates and bins. Private. */
#pragma once

#include <math.h>

#include "algorithms/azimuthal/azimuthal-bins.h"
#include "algorithms/azimuthal/azimuthal-settings.h"

G_BEGIN_DECLS

/* A part of the sparse matrix: the entries of the pixels of a band, @rows rows of the frame from @first on, in @n_bins
 * rows of the matrix from @first_bin on. */
typedef struct {
  guint first, rows;
  guint32 first_bin, n_bins;
} CapraAzimuthalPart;

/* All of the matrix. */
CapraAzimuthalPart capra_azimuthal_part_init (const CapraAzimuthalSettings *settings);

/* The number of the band's pixels, and of those before it: where its rows begin in images of the whole frame. */
gsize capra_azimuthal_part_count (const CapraAzimuthalPart *part, const CapraAzimuthalSettings *settings);
gsize capra_azimuthal_part_offset (const CapraAzimuthalPart *part, const CapraAzimuthalSettings *settings);

/* The coordinates of pixels. */
typedef struct {
  AzimuthalPolar least, most;
} CapraAzimuthalRange;

/* That of no pixel. */
#define CAPRA_AZIMUTHAL_RANGE_INIT \
  (CapraAzimuthalRange) \
  { \
    { INFINITY, INFINITY }, { -INFINITY, -INFINITY } \
  }

void capra_azimuthal_geometry_init (AzimuthalGeometry *geometry, const CapraAzimuthalSettings *settings,
                                    const CapraAzimuthalPart *part);

/* All but the range of the axes. */
void capra_azimuthal_bins_init (AzimuthalBins *bins, const CapraAzimuthalSettings *settings,
                                const CapraAzimuthalPart *part);

/* The axes for pixels whose coordinates are in @range. */
void capra_azimuthal_bins_set_range (AzimuthalBins *bins, const CapraAzimuthalRange *range);

/* By how much radii are multiplied for people: degrees for radians, mm for m. */
double capra_azimuthal_unit_scale (CapraAzimuthalUnit unit);

G_END_DECLS

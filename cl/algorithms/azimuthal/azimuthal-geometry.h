/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What settings amount to for the formulas of polar coordinates and bins. Private. */
#pragma once

#include "algorithms/azimuthal/azimuthal-bins.h"
#include "algorithms/azimuthal/azimuthal-settings.h"

G_BEGIN_DECLS

void capra_azimuthal_geometry_init (AzimuthalGeometry *geometry, const CapraAzimuthalSettings *settings);

/* All but the range of the axes. */
void capra_azimuthal_bins_init (AzimuthalBins *bins, const CapraAzimuthalSettings *settings);

/* The axes for pixels whose coordinates are from @least to @most. */
void capra_azimuthal_bins_set_range (AzimuthalBins *bins, AzimuthalPolar least, AzimuthalPolar most);

/* By how much radii are multiplied for people: degrees for radians, mm for m. */
double capra_azimuthal_unit_scale (CapraAzimuthalUnit unit);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration of a frame that is read in bands, since the device has no memory for it and its sparse matrix.
 * The matrix is built for a band of the frame, and for some of the bins, at a time. */
#pragma once

#include "algorithms/azimuthal/azimuthal.h"
#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

/**
 * capra_azimuthal_new_bands: (skip)
 * @settings: copied without its images, which must exist as long as the result. The file of the matrix is not used
 * @rows: the rows of the bands in which the range of the axes is found
 *
 * Returns: (transfer full): an integration for capra_azimuthal_integrate_bands(), which keeps nothing on the device;
 *   %NULL with @error set
 */
CAPRA_API
CapraAzimuthal *capra_azimuthal_new_bands (CapraDevice *device, const CapraAzimuthalSettings *settings, guint rows,
                                           GError **error);

/**
 * capra_azimuthal_integrate_bands: (skip)
 * @azimuthal: from capra_azimuthal_new_bands(), for the device of @frame
 * @frame: a frame, read once for each group of bins that fit into the memory; if values are clipped, once or twice for
 *   each iteration. Has no parts
 * @results: (out caller-allocates): the values of the array that capra_azimuthal_integrate() fills for a frame
 *
 * Waits for the results. Where a work-item adds up a row of the matrix (the variant `row`, that of CPUs) and checks
 * pixels, as it does for floats, these are the same to the last bit; otherwise sums differ by the rounding of double
 * precision, of which results have the digits of floats.
 */
CAPRA_API
gboolean capra_azimuthal_integrate_bands (CapraAzimuthal *azimuthal, const CapraBandSource *frame, float *results,
                                          GError **error);

G_END_DECLS

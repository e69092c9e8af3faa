/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal bands: capra:azimuthal-integrate with a frame that does not fit on the device. */
#pragma once

#include "plugin/compute/azimuthal-source.h"

G_BEGIN_DECLS

/* Integrates the input, as pixels of @format, in bands of the job's number of rows. @values: (out): the planes of the
 * result. Returns the integration, for its axes; @source must not be cleared before. */
CapraAzimuthal *capra_azimuthal_bands_integrate (CapraAzimuthalSource *source, CapraJob *job, const Babl *format,
                                                 float **values, GError **error);

/* Makes @values the pixels of the job's region, in pieces that fit on the device. */
gboolean capra_azimuthal_bands_store (CapraJob *job, const float *values, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal source: the settings of capra:azimuthal-integrate with the images that files and the aux pad provide, and
 * the sparse matrices of the last settings, which are kept between frames. */
#pragma once

#include "algorithms/azimuthal/azimuthal.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/**
 * CapraAzimuthalSource:
 * @settings: the images, which are owned, and the size come from the job
 * @poni: the path of a PONI file
 * @dark: the path of an image, or ""
 * @flat: the same
 * @variance: the same
 */
typedef struct {
  CapraAzimuthalSettings settings;
  const char *poni, *dark, *flat, *variance;
} CapraAzimuthalSource;

/* Frees the images. */
void capra_azimuthal_source_clear (CapraAzimuthalSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraAzimuthalSource, capra_azimuthal_source_clear)

/* The integration for frames of the size of the job's input, with the image on its aux pad as the mask: that of the
 * last call with the same settings, files and mask, or a new one. */
CapraAzimuthal *capra_azimuthal_source_get (CapraAzimuthalSource *source, CapraJob *job, GError **error);

/* The same for bands of @rows rows: a new one, for which @source must not be cleared. */
CapraAzimuthal *capra_azimuthal_source_get_bands (CapraAzimuthalSource *source, CapraJob *job, guint rows,
                                                  GError **error);

/* A number that differs if a file of @source was written. */
guint capra_azimuthal_source_get_state (const CapraAzimuthalSource *source);

G_END_DECLS

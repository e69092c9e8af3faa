/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: the mean intensity of diffraction frames as a function of the scattering angle, as pyFAI
 * computes it, with a sparse matrix that stays on the device.
 *
 *     CapraAzimuthalSettings settings;
 *     capra_azimuthal_settings_init (&settings);
 *     capra_poni_load ("experiment.poni", &settings.poni, &error);
 *     settings.width = 2070, settings.height = 2167;
 *     azimuthal = capra_azimuthal_new (device, &settings, &error);
 *     results = capra_azimuthal_new_results (azimuthal, 8, &error);
 *     capra_azimuthal_integrate (azimuthal, frames, 8, NULL, results, &error);  // returns at once
 *     capra_array_download (results, values, &error);                           // waits
 */
#pragma once

#include "algorithms/azimuthal/azimuthal-settings.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraAzimuthal:
 *
 * Integrates frames of one geometry. Reference-counted. Several threads may use it at once.
 */
typedef struct _CapraAzimuthal CapraAzimuthal;

/**
 * capra_azimuthal_new:
 * @settings: copied, with its images
 *
 * Builds the sparse matrix, whose rows are the bins, and uploads it.
 *
 * Returns: (transfer full): %NULL with @error set
 */
CAPRA_API
CapraAzimuthal *capra_azimuthal_new (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error);

CAPRA_API
CapraAzimuthal *capra_azimuthal_ref (CapraAzimuthal *azimuthal);
CAPRA_API
void capra_azimuthal_unref (CapraAzimuthal *azimuthal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraAzimuthal, capra_azimuthal_unref)

/**
 * capra_azimuthal_get_entries:
 * Returns: the number of entries of the sparse matrix
 */
CAPRA_API
gsize capra_azimuthal_get_entries (CapraAzimuthal *azimuthal);

/**
 * capra_azimuthal_get_radial:
 * Returns: (transfer none): the centers of the radial bins in the unit
 */
CAPRA_API
const double *capra_azimuthal_get_radial (CapraAzimuthal *azimuthal);

/**
 * capra_azimuthal_get_azimuths:
 * Returns: (transfer none): the centers of the azimuthal bins in degrees
 */
CAPRA_API
const double *capra_azimuthal_get_azimuths (CapraAzimuthal *azimuthal);

/**
 * capra_azimuthal_get_text:
 * Returns: (transfer none): the geometry as JSON and the corrections, in the lines of pyFAI's text files
 */
CAPRA_API
const char *capra_azimuthal_get_text (CapraAzimuthal *azimuthal);

/**
 * capra_azimuthal_new_results:
 * @n_frames: how many frames
 *
 * Returns: (transfer full): an f32 array for capra_azimuthal_integrate(): bins wide, azimuthal bins high, with
 *   %CAPRA_AZIMUTHAL_N_PLANES planes for each frame; %NULL with @error set
 */
CAPRA_API
CapraArray *capra_azimuthal_new_results (CapraAzimuthal *azimuthal, guint n_frames, GError **error);

/**
 * capra_azimuthal_integrate:
 * @frames: u8, u16, u32, i32 or f32 values with one channel; each plane is a frame
 * @n_frames: how many planes of @frames to integrate, from the first one on
 * @variance: (nullable): f32 variances with as many planes, or one plane for all frames, for
 *   %CAPRA_AZIMUTHAL_ERROR_VARIANCE; %NULL for those of the settings
 * @results: as from capra_azimuthal_new_results(), with room for @n_frames or more
 *
 * Enqueues the integration and returns without waiting. The matrix is read once for up to 8 frames.
 */
CAPRA_API
gboolean capra_azimuthal_integrate (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, CapraArray *variance,
                                    CapraArray *results, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings of an azimuthal integration: defaults and checks. */
#include "algorithms/azimuthal/azimuthal-settings.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-fail.h"

#define MAX_PIXELS (1u << 29)
#define MAX_ROWS (1u << 24)

void
capra_azimuthal_settings_init (CapraAzimuthalSettings *settings)
{
  *settings = (CapraAzimuthalSettings){ .poni = { .orientation = 3 },
                                        .unit = CAPRA_AZIMUTHAL_Q_NM,
                                        .bins = 1000,
                                        .azimuthal_bins = 1,
                                        .splitting = CAPRA_AZIMUTHAL_SPLIT_FULL,
                                        .error = CAPRA_AZIMUTHAL_ERROR_NONE,
                                        .solid_angle = TRUE,
                                        .polarization = NAN,
                                        .normalization = 1,
                                        .detector_mask = TRUE,
                                        .clip_threshold = 5,
                                        .clip_iterations = 5 };
}

static gboolean
check_sizes (const CapraAzimuthalSettings *settings, GError **error)
{
  const CapraPoni *poni = &settings->poni;

  if (settings->width < 1 || settings->height < 1 || (guint64) settings->width * settings->height > MAX_PIXELS)
    return capra_azimuthal_fail (error, _ ("a frame of %u by %u pixels cannot be integrated; it must have 1 to %u"),
                                 settings->width, settings->height, MAX_PIXELS);
  if (poni->width && (poni->width != settings->width || poni->height != settings->height))
    return capra_azimuthal_fail (error, _ ("the frame has %u by %u pixels, the detector of the geometry %u by %u"),
                                 settings->width, settings->height, poni->width, poni->height);
  if (settings->bins < 1 || settings->azimuthal_bins < 1
      || (guint64) settings->bins * settings->azimuthal_bins > MAX_ROWS)
    return capra_azimuthal_fail (error, _ ("%u by %u bins; there must be 1 to %u"), settings->bins,
                                 settings->azimuthal_bins, MAX_ROWS);
  return TRUE;
}

gboolean
capra_azimuthal_settings_check (const CapraAzimuthalSettings *settings, GError **error)
{
  if (!capra_poni_check (&settings->poni, error) || !check_sizes (settings, error))
    return FALSE;
  if (settings->unit == CAPRA_AZIMUTHAL_Q_NM && settings->poni.wavelength == 0)
    return capra_azimuthal_fail (
      error, _ ("the geometry has no wavelength, which the unit q requires: add it, or choose 2theta or r"));
  if (!isnan (settings->polarization) && !(fabs (settings->polarization) <= 1))
    return capra_azimuthal_fail (error, _ ("the polarization factor is %g; it must be -1 to 1"),
                                 settings->polarization);
  if (!isfinite (settings->normalization) || settings->normalization == 0)
    return capra_azimuthal_fail (error, _ ("the normalization is %g; it must be a number other than 0"),
                                 settings->normalization);
  if (settings->has_dummy && !(settings->delta_dummy >= 0 && isfinite (settings->dummy)))
    return capra_azimuthal_fail (
      error,
      _ ("the dummy value is %g, with a difference of up to %g; these must be a number, and a number "
         "that is not negative"),
      settings->dummy, settings->delta_dummy);
  if (settings->variance && settings->error != CAPRA_AZIMUTHAL_ERROR_VARIANCE)
    return capra_azimuthal_fail (error, _ ("the error model takes no image of variances"));
  if (settings->clip && !(settings->clip_threshold >= 0))
    return capra_azimuthal_fail (error, _ ("the threshold is %g; it must be 0 or more"), settings->clip_threshold);
  if (settings->clip && settings->error == CAPRA_AZIMUTHAL_ERROR_NONE)
    return capra_azimuthal_fail (
      error, _ ("values can only be clipped with an error model: Poisson, azimuthal, hybrid or a variance"));
  return TRUE;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: the object, made of settings. */
#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/azimuthal-text.h"

static double *
bin_centers (const AzimuthalAxis *axis, double scale)
{
  double *centers = g_new (double, axis->bins);

  for (guint i = 0; i < axis->bins; i++)
    centers[i] = (axis->min + (i + 0.5) * axis->delta) * scale;
  return centers;
}

CapraAzimuthal *
capra_azimuthal_make (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error)
{
  CapraContext *context = NULL;
  CapraAzimuthal *azimuthal = NULL;

  if (!capra_azimuthal_settings_check (settings, error))
    return NULL;
  context = capra_context_get (device, error);
  if (!context)
    return NULL;
  azimuthal = g_new0 (CapraAzimuthal, 1);
  azimuthal->refs = 1;
  azimuthal->context = context;
  azimuthal->settings = *settings;
  azimuthal->settings.matrix_path = NULL;
  azimuthal->text = capra_azimuthal_settings_to_text (settings);
  return azimuthal;
}

void
capra_azimuthal_set_axes (CapraAzimuthal *azimuthal, const AzimuthalAxis *radial, const AzimuthalAxis *azimuths)
{
  azimuthal->radial = bin_centers (radial, capra_azimuthal_unit_scale (azimuthal->settings.unit));
  azimuthal->azimuths = bin_centers (azimuths, 180 / G_PI);
}

CapraAzimuthal *
capra_azimuthal_new (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error)
{
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_make (device, settings, error);
  g_autofree guint8 *pixels = NULL;
  CapraAzimuthalPart all;

  if (!azimuthal)
    return NULL;
  azimuthal->settings.mask = NULL;
  azimuthal->settings.dark = azimuthal->settings.flat = azimuthal->settings.variance = NULL;
  all = capra_azimuthal_part_init (settings);
  pixels = capra_azimuthal_find_mask (settings);
  if (!capra_azimuthal_build (azimuthal, settings, &all, NULL, pixels, error))
    return NULL;
  capra_azimuthal_set_axes (azimuthal, &azimuthal->matrix.radial, &azimuthal->matrix.azimuthal);
  capra_azimuthal_make_resident (azimuthal);
  return g_steal_pointer (&azimuthal);
}

CapraAzimuthal *
capra_azimuthal_ref (CapraAzimuthal *azimuthal)
{
  g_atomic_int_inc (&azimuthal->refs);
  return azimuthal;
}

void
capra_azimuthal_unref (CapraAzimuthal *azimuthal)
{
  if (!g_atomic_int_dec_and_test (&azimuthal->refs))
    return;
  capra_azimuthal_clear_arrays (azimuthal);
  g_free (azimuthal->mask);
  g_free (azimuthal->text);
  g_free (azimuthal->radial);
  g_free (azimuthal->azimuths);
  g_free (azimuthal);
}

const char *
capra_azimuthal_get_text (CapraAzimuthal *azimuthal)
{
  return azimuthal->text;
}

gsize
capra_azimuthal_get_entries (CapraAzimuthal *azimuthal)
{
  return azimuthal->matrix.n_entries;
}

const double *
capra_azimuthal_get_radial (CapraAzimuthal *azimuthal)
{
  return azimuthal->radial;
}

const double *
capra_azimuthal_get_azimuths (CapraAzimuthal *azimuthal)
{
  return azimuthal->azimuths;
}

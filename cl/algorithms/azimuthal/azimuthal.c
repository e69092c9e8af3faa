/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: the object, made of settings, and what it has on the device. */
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-file.h"
#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/azimuthal-text.h"
#include "runtime/memory/array-transfer.h"

static double *
bin_centers (const CapraAxisBins *axis, double scale)
{
  double *centers = g_new (double, axis->bins);

  for (guint i = 0; i < axis->bins; i++)
    centers[i] = (axis->min + (i + 0.5) * axis->delta) * scale;
  return centers;
}

static CapraArray *
upload (CapraAzimuthal *azimuthal, gconstpointer data, gsize n, CapraType type, GError **error)
{
  return capra_array_new_from_data (azimuthal->context->device, &CAPRA_SHAPE_2D (MAX (n, 1), 1, type), data, error);
}

static gboolean
upload_matrix (CapraAzimuthal *azimuthal, const CapraSparse *matrix, GError **error)
{
  g_autofree float *fixed = capra_azimuthal_find_fixed (matrix, azimuthal->norm_image, azimuthal->dark_image);

  azimuthal->n_rows = matrix->n_rows;
  azimuthal->n_entries = matrix->n_entries;
  azimuthal->weighted = matrix->coefficients != NULL;
  azimuthal->radial = bin_centers (&matrix->radial, capra_azimuthal_unit_scale (azimuthal->settings.unit));
  azimuthal->azimuths = bin_centers (&matrix->azimuthal, 180 / G_PI);
  azimuthal->starts = upload (azimuthal, matrix->starts, (gsize) matrix->n_rows + 1, CAPRA_U32, error);
  if (azimuthal->starts)
    azimuthal->pixels = upload (azimuthal, matrix->pixels, matrix->n_entries, CAPRA_U32, error);
  if (azimuthal->pixels && azimuthal->weighted)
    azimuthal->coefficients = upload (azimuthal, matrix->coefficients, matrix->n_entries, CAPRA_F32, error);
  if (azimuthal->pixels && (azimuthal->coefficients || !azimuthal->weighted))
    azimuthal->fixed = upload (azimuthal, fixed, (gsize) matrix->n_rows * N_FIXED * 2, CAPRA_F32, error);
  return azimuthal->fixed != NULL;
}

/* The matrix from a file, if there is one, or built. */
static gboolean
get_matrix (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const guint8 *pixels, GError **error)
{
  const char *path = settings->matrix_path;
  g_autofree char *key = path ? capra_sparse_make_key (settings, pixels) : NULL;

  if (path && capra_sparse_load (matrix, settings, key, path))
    return TRUE;
  if (!capra_sparse_build (matrix, settings, pixels, error))
    return FALSE;
  if (!path || capra_sparse_save (matrix, key, path, error))
    return TRUE;
  capra_sparse_clear (matrix);
  return FALSE;
}

CapraAzimuthal *
capra_azimuthal_new (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error)
{
  g_autoptr (CapraAzimuthal) azimuthal = NULL;
  g_autofree guint8 *pixels = NULL;
  CapraSparse matrix = { 0 };
  CapraContext *context = NULL;
  gboolean uploaded = FALSE;
  gsize n = 0;

  if (!capra_azimuthal_settings_check (settings, error))
    return NULL;
  context = capra_context_get (device, error);
  if (!context)
    return NULL;
  n = (gsize) settings->width * settings->height;
  azimuthal = g_new0 (CapraAzimuthal, 1);
  azimuthal->refs = 1;
  g_mutex_init (&azimuthal->lock);
  azimuthal->context = context;
  azimuthal->settings = *settings;
  azimuthal->settings.mask = NULL;
  azimuthal->settings.dark = azimuthal->settings.flat = NULL;
  azimuthal->settings.matrix_path = NULL;
  azimuthal->text = capra_azimuthal_settings_to_text (settings);
  azimuthal->norm_image = g_new (float, n);
  pixels = g_malloc (n);
  capra_azimuthal_find_pixels (settings, pixels, azimuthal->norm_image);
  azimuthal->dark_image = g_memdup2 (settings->dark, settings->dark ? n * sizeof (float) : 0);
  if (!get_matrix (&matrix, settings, pixels, error))
    return NULL;
  uploaded = upload_matrix (azimuthal, &matrix, error);
  capra_sparse_clear (&matrix);
  return uploaded ? g_steal_pointer (&azimuthal) : NULL;
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
  g_clear_pointer (&azimuthal->starts, capra_array_unref);
  g_clear_pointer (&azimuthal->pixels, capra_array_unref);
  g_clear_pointer (&azimuthal->coefficients, capra_array_unref);
  g_clear_pointer (&azimuthal->fixed, capra_array_unref);
  g_clear_pointer (&azimuthal->norms, capra_array_unref);
  g_clear_pointer (&azimuthal->darks, capra_array_unref);
  g_mutex_clear (&azimuthal->lock);
  g_free (azimuthal->text);
  g_free (azimuthal->norm_image);
  g_free (azimuthal->dark_image);
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
  return azimuthal->n_entries;
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

gboolean
capra_azimuthal_upload_images (CapraAzimuthal *azimuthal, GError **error)
{
  gsize n = (gsize) azimuthal->settings.width * azimuthal->settings.height;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&azimuthal->lock);

  if (azimuthal->dark_image && !azimuthal->darks)
    azimuthal->darks = upload (azimuthal, azimuthal->dark_image, n, CAPRA_F32, error);
  if (azimuthal->dark_image && !azimuthal->darks)
    return FALSE;
  if (!azimuthal->norms)
    azimuthal->norms = upload (azimuthal, azimuthal->norm_image, n, CAPRA_F32, error);
  return azimuthal->norms != NULL;
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: the object, made of settings, and what it has on the device. */
#include <string.h>

#include "algorithms/azimuthal/azimuthal-file.h"
#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/azimuthal-text.h"
#include "runtime/device/tuning.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/array-transfer.h"

static double *
bin_centers (const AzimuthalAxis *axis, double scale)
{
  double *centers = g_new (double, axis->bins);

  for (guint i = 0; i < axis->bins; i++)
    centers[i] = (axis->min + (i + 0.5) * axis->delta) * scale;
  return centers;
}

/* The sums of each row that do not depend on the frame. */
static gboolean
find_fixed (CapraAzimuthal *azimuthal, GError **error)
{
  const CapraAzimuthalMatrix *matrix = &azimuthal->matrix;
  CapraShape shape = CAPRA_SHAPE_2D ((gsize) matrix->n_rows * N_FIXED * 2, 1, CAPRA_F32);
  CapraArray *darks = azimuthal->images.darks;
  gsize group = capra_azimuthal_row_group (azimuthal);
  g_autofree char *options = g_strdup_printf ("-DGROUP=%u%s%s%s", (guint) group,
                                              matrix->coefficients ? " -DWEIGHTED" : "", darks ? " -DDARK" : "",
                                              capra_azimuthal_has_doubles (azimuthal) ? " -DDOUBLES" : "");
  CapraLaunch launch;

  azimuthal->fixed = capra_array_new_uninitialized (azimuthal->context, &shape, error);
  if (!azimuthal->fixed)
    return FALSE;
  capra_launch_begin (&launch, azimuthal->context, "azimuthal-fixed", options, "azimuthal_fixed");
  capra_launch_read (&launch, matrix->starts);
  capra_launch_read (&launch, matrix->pixels);
  /* An argument that is not used needs an array all the same. */
  capra_launch_read (&launch, matrix->coefficients ? matrix->coefficients : matrix->pixels);
  capra_launch_read (&launch, azimuthal->images.norms);
  capra_launch_read (&launch, darks ? darks : azimuthal->images.norms);
  capra_launch_write (&launch, azimuthal->fixed);
  return capra_launch_run_1d (&launch, matrix->n_rows * group, group,
                              (guint64) matrix->n_entries * (matrix->coefficients ? 8 : 4), error);
}

/* Whether the matrix is built on the device. */
static gboolean
builds_on_device (CapraContext *context)
{
  return context->info->doubles && context->info->max_group >= BUILD_GROUP
         && g_str_equal (capra_tuning_get_word (context->device, "azimuthal.build", "device"), "device");
}

/* Reads the matrix from the file of the settings, if that fits. @pixels: whether each pixel is left out. */
static gboolean
load_matrix (const CapraAzimuthalSettings *settings, const guint8 *pixels, char **key, CapraSparse *matrix)
{
  if (!settings->matrix_path)
    return FALSE;
  *key = capra_sparse_make_key (settings, pixels);
  return capra_sparse_load (matrix, settings, *key, settings->matrix_path);
}

static gboolean
save_matrix (const CapraAzimuthalSettings *settings, const char *key, const CapraSparse *matrix, GError **error)
{
  return !key || capra_sparse_save (matrix, key, settings->matrix_path, error);
}

static gboolean
build_on_device (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, guint8 *pixels, GError **error)
{
  CapraAzimuthalImages *images = &azimuthal->images;
  CapraAzimuthalMatrix *matrix = &azimuthal->matrix;
  CapraSparse saved = { 0 };
  g_autofree char *key = NULL;
  gboolean done = FALSE;

  if (!capra_azimuthal_images_find (images, azimuthal->context, settings, pixels, error)
      || (settings->matrix_path && !capra_array_download (images->pixels, pixels, error)))
    return FALSE;
  if (load_matrix (settings, pixels, &key, &saved))
    done = capra_azimuthal_matrix_upload (matrix, azimuthal->context, &saved, error);
  else if (capra_azimuthal_matrix_build (matrix, azimuthal->context, settings, images, error))
    done = !key
           || (capra_azimuthal_matrix_download (matrix, &saved, error) && save_matrix (settings, key, &saved, error));
  capra_sparse_clear (&saved);
  g_clear_pointer (&images->pixels, capra_array_unref);
  return done;
}

static gboolean
build_on_host (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, guint8 *pixels, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (settings->width, settings->height, CAPRA_F32);
  CapraDevice *device = azimuthal->context->device;
  CapraAzimuthalImages *images = &azimuthal->images;
  g_autofree float *norms = g_new (float, capra_shape_count (&shape));
  g_autofree char *key = NULL;
  CapraSparse matrix = { 0 };
  gboolean done = FALSE;

  capra_azimuthal_find_norms (settings, pixels, norms);
  done = load_matrix (settings, pixels, &key, &matrix)
         || (capra_sparse_build (&matrix, settings, pixels, error) && save_matrix (settings, key, &matrix, error));
  done = done && capra_azimuthal_matrix_upload (&azimuthal->matrix, azimuthal->context, &matrix, error);
  capra_sparse_clear (&matrix);
  images->norms = done ? capra_array_new_from_data (device, &shape, norms, error) : NULL;
  images->darks = images->norms && settings->dark ? capra_array_new_from_data (device, &shape, settings->dark, error)
                                                  : NULL;
  return images->norms && (images->darks || !settings->dark);
}

typedef void (*ArrayFunc) (CapraArray *array);

/* Calls @func for all arrays. */
static void
each_array (CapraAzimuthal *azimuthal, ArrayFunc func)
{
  const CapraAzimuthalMatrix *matrix = &azimuthal->matrix;
  const CapraAzimuthalImages *images = &azimuthal->images;
  CapraArray *const all[] = { matrix->starts, matrix->pixels, matrix->coefficients, images->pixels,
                              images->norms,  images->darks,  azimuthal->variance,  azimuthal->fixed };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i])
      func (all[i]);
}

static gboolean
build (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, GError **error)
{
  g_autofree guint8 *pixels = g_malloc ((gsize) settings->width * settings->height);
  g_autoptr (GError) failure = NULL;

  capra_azimuthal_find_mask (settings, pixels);
  if (builds_on_device (azimuthal->context))
    {
      if (build_on_device (azimuthal, settings, pixels, &failure))
        return TRUE;
      /* The matrix takes a third of the memory that building it takes. */
      if (!g_error_matches (failure, CAPRA_ERROR, CAPRA_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      each_array (azimuthal, capra_array_unref);
      azimuthal->matrix = (CapraAzimuthalMatrix){ 0 };
      azimuthal->images = (CapraAzimuthalImages){ NULL };
    }
  return build_on_host (azimuthal, settings, pixels, error);
}

static gboolean
upload_variance (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (settings->width, settings->height, CAPRA_F32);

  if (settings->variance)
    azimuthal->variance = capra_array_new_from_data (azimuthal->context->device, &shape, settings->variance, error);
  return azimuthal->variance || !settings->variance;
}

static void
take (CapraArray *array)
{
  capra_array_ref (array);
}

void
capra_azimuthal_hold (CapraAzimuthal *azimuthal)
{
  each_array (azimuthal, take);
}

void
capra_azimuthal_release (CapraAzimuthal *azimuthal)
{
  each_array (azimuthal, capra_array_unref);
}

static void
make_resident (CapraArray *array)
{
  capra_array_make_resident (array, FALSE);
}

static void
release_resident (CapraArray *array)
{
  capra_array_release_resident (array, FALSE);
}

CapraAzimuthal *
capra_azimuthal_new (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error)
{
  g_autoptr (CapraAzimuthal) azimuthal = NULL;
  CapraContext *context = NULL;

  if (!capra_azimuthal_settings_check (settings, error))
    return NULL;
  context = capra_context_get (device, error);
  if (!context)
    return NULL;
  azimuthal = g_new0 (CapraAzimuthal, 1);
  azimuthal->refs = 1;
  azimuthal->context = context;
  azimuthal->settings = *settings;
  azimuthal->settings.mask = NULL;
  azimuthal->settings.dark = azimuthal->settings.flat = azimuthal->settings.variance = NULL;
  azimuthal->settings.matrix_path = NULL;
  azimuthal->text = capra_azimuthal_settings_to_text (settings);
  if (!build (azimuthal, settings, error) || !upload_variance (azimuthal, settings, error)
      || !find_fixed (azimuthal, error))
    return NULL;
  azimuthal->radial = bin_centers (&azimuthal->matrix.radial, capra_azimuthal_unit_scale (settings->unit));
  azimuthal->azimuths = bin_centers (&azimuthal->matrix.azimuthal, 180 / G_PI);
  each_array (azimuthal, make_resident);
  azimuthal->resident = TRUE;
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
  each_array (azimuthal, azimuthal->resident ? release_resident : capra_array_unref);
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

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: the matrix and the images on the device. */
#include <glib/gi18n-lib.h>

#include "algorithms/azimuthal/azimuthal-file.h"
#include "algorithms/azimuthal/azimuthal-run.h"
#include "runtime/base/error.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/memory.h"

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

/* Whether the device builds the matrix, and not the host. */
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
build_on_device (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                 const CapraAzimuthalRange *range, guint8 *pixels, GError **error)
{
  CapraAzimuthalImages *images = &azimuthal->images;
  CapraAzimuthalMatrix *matrix = &azimuthal->matrix;
  CapraSparse saved = { 0 };
  g_autofree char *key = NULL;
  gboolean done = FALSE;

  if (!capra_azimuthal_images_find (images, azimuthal->context, settings, part, pixels, error)
      || (settings->matrix_path && !capra_array_download (images->pixels, pixels, error)))
    return FALSE;
  if (load_matrix (settings, pixels, &key, &saved))
    done = capra_azimuthal_matrix_upload (matrix, azimuthal->context, &saved, error);
  else if (capra_azimuthal_matrix_build (matrix, azimuthal->context, settings, part, range, images, error))
    done = !key
           || (capra_azimuthal_matrix_download (matrix, &saved, error) && save_matrix (settings, key, &saved, error));
  capra_sparse_clear (&saved);
  g_clear_pointer (&images->pixels, capra_array_unref);
  return done;
}

static gboolean
build_on_host (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
               const CapraAzimuthalRange *range, guint8 *pixels, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (settings->width, part->rows, CAPRA_F32);
  gsize offset = capra_azimuthal_part_offset (part, settings);
  CapraDevice *device = azimuthal->context->device;
  CapraAzimuthalImages *images = &azimuthal->images;
  g_autofree float *norms = g_new (float, capra_shape_count (&shape));
  g_autofree char *key = NULL;
  CapraSparse matrix = { 0 };
  gboolean done = FALSE;

  capra_azimuthal_find_norms (settings, part, pixels, norms);
  done = load_matrix (settings, pixels, &key, &matrix)
         || (capra_sparse_build (&matrix, settings, part, range, pixels, error)
             && save_matrix (settings, key, &matrix, error));
  done = done && capra_azimuthal_matrix_upload (&azimuthal->matrix, azimuthal->context, &matrix, error);
  capra_sparse_clear (&matrix);
  images->norms = done ? capra_array_new_from_data (device, &shape, norms, error) : NULL;
  if (images->norms && settings->dark)
    images->darks = capra_array_new_from_data (device, &shape, settings->dark + offset, error);
  return images->norms && (images->darks || !settings->dark);
}

/* The bytes of an entry; with those of the sort, if the matrix is that of a band, which only the device builds. */
static guint64
get_entry_bytes (const CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, gboolean band)
{
  guint64 bytes = settings->splitting == CAPRA_AZIMUTHAL_SPLIT_NONE ? 4 : 8;

  return band && builds_on_device (azimuthal->context) ? 2 * (bytes + 4) : bytes;
}

gboolean
capra_azimuthal_check_budget (const CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings,
                              const CapraAzimuthalPart *part, gboolean band, const guint8 *pixels, GError **error)
{
  CapraContext *context = azimuthal->context;
  guint64 bytes = (settings->dark ? 8 : 4) + (settings->variance && !band ? 4 : 0), entries = 0;
  gsize n = capra_azimuthal_part_count (part, settings);
  CapraMemory memory;

  for (gsize k = 0; k < n; k++)
    entries += pixels[k] == 0;
  bytes = bytes * n + entries * get_entry_bytes (azimuthal, settings, band);
  capra_memory_query (context->device, &memory);
  if (bytes <= memory.budget)
    return TRUE;
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
               _ ("device %s: the sparse matrix and the images of the azimuthal integration take at least %.1f MiB, "
                  "Capra's memory budget is %.1f MiB: use smaller frames or another device, or raise "
                  "CAPRA_MEMORY_BUDGET"),
               context->info->name, bytes / 1048576.0, memory.budget / 1048576.0);
  return FALSE;
}

static gboolean
build_matrix (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
              const CapraAzimuthalRange *range, guint8 *pixels, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (builds_on_device (azimuthal->context))
    {
      if (build_on_device (azimuthal, settings, part, range, pixels, &failure))
        return TRUE;
      /* The matrix takes a third of the memory that building it takes. That of a band is only built where the range was
       * found: the host and the device round corners differently. */
      if (range || !g_error_matches (failure, CAPRA_ERROR, CAPRA_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      capra_azimuthal_clear_arrays (azimuthal);
    }
  return build_on_host (azimuthal, settings, part, range, pixels, error);
}

static gboolean
upload_variance (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                 GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (settings->width, part->rows, CAPRA_F32);

  if (settings->variance)
    azimuthal->variance = capra_array_new_from_data (
      azimuthal->context->device, &shape, settings->variance + capra_azimuthal_part_offset (part, settings), error);
  return azimuthal->variance || !settings->variance;
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

gboolean
capra_azimuthal_build (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings,
                       const CapraAzimuthalPart *part, const CapraAzimuthalRange *range, guint8 *pixels, GError **error)
{
  return (range || capra_azimuthal_check_budget (azimuthal, settings, part, FALSE, pixels, error))
         && build_matrix (azimuthal, settings, part, range, pixels, error)
         && upload_variance (azimuthal, settings, part, error) && (range || find_fixed (azimuthal, error));
}

gboolean
capra_azimuthal_extend_range (CapraAzimuthal *azimuthal, const CapraAzimuthalPart *part, GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  CapraShape shape = CAPRA_SHAPE_2D (settings->width, part->rows, CAPRA_U8);
  const guint8 *mask = azimuthal->mask + capra_azimuthal_part_offset (part, settings);
  g_autoptr (CapraArray) pixels = NULL;
  CapraAzimuthalImages images = { NULL };

  if (!builds_on_device (azimuthal->context))
    {
      capra_sparse_extend_range (&azimuthal->range, settings, part, mask);
      return TRUE;
    }
  images.pixels = pixels = capra_array_new_from_data (azimuthal->context->device, &shape, mask, error);
  return pixels
         && capra_azimuthal_matrix_extend_range (&azimuthal->range, azimuthal->context, settings, part, &images, error);
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

void
capra_azimuthal_make_resident (CapraAzimuthal *azimuthal)
{
  each_array (azimuthal, make_resident);
  azimuthal->resident = TRUE;
}

void
capra_azimuthal_clear_arrays (CapraAzimuthal *azimuthal)
{
  each_array (azimuthal, azimuthal->resident ? release_resident : capra_array_unref);
  azimuthal->matrix = (CapraAzimuthalMatrix){ 0 };
  azimuthal->images = (CapraAzimuthalImages){ NULL };
  azimuthal->variance = azimuthal->fixed = NULL;
  azimuthal->resident = FALSE;
}

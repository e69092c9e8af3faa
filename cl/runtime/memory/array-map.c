/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Mapping: in pinned staging memory, in place, or of the contents that an evicted array has on the host. */
#include "runtime/memory/array-map-private.h"

#include "runtime/base/fork.h"
#include "runtime/memory/array-buffer.h"
#include "runtime/memory/buffer-transfer.h"

/* Enqueues the upload of the staging memory. */
static gboolean
upload_staging (CapraArray *array, GError **error)
{
  gboolean sent = capra_buffer_enqueue_transfer (array->buffer, array->staging, CAPRA_UPLOAD, "upload", 0,
                                                 capra_shape_bytes (&array->shape), array->host, NULL, error);

  g_clear_pointer (&array->staging, capra_pool_release);
  return sent;
}

static gboolean
map_staging (CapraArray *array, gboolean read, GError **error)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  array->staging = capra_pool_allocate (array->context, bytes, CAPRA_MEMORY_STAGING, error);
  if (!array->staging)
    return FALSE;
  array->host = array->staging->host;

  /* The last transfer through this staging buffer may still be running. */
  if (capra_buffer_wait (array->staging, error)
      && (!read || capra_buffer_transfer (array->buffer, CAPRA_DOWNLOAD, "download", 0, bytes, array->host, error)))
    return TRUE;

  g_clear_pointer (&array->staging, capra_pool_release);
  array->host = NULL;
  return FALSE;
}

static gboolean
map (CapraArray *array, gboolean read, GError **error)
{
  if (read && !array->buffer)
    return (array->host = capra_array_get_saved (array, error)) != NULL;
  if (!array->buffer && !capra_array_restore (array, error))
    return FALSE;
  if (!array->context->info->unified)
    return map_staging (array, read, error);
  array->host = capra_buffer_map (array->buffer, read ? CAPRA_DOWNLOAD : CAPRA_UPLOAD,
                                  capra_shape_bytes (&array->shape), error);
  return array->host != NULL;
}

gpointer
capra_array_map_write (CapraArray *array, GError **error)
{
  gpointer host = NULL;

  if (!capra_fork_check (error))
    return NULL;
  g_return_val_if_fail (capra_array_can_map (array, TRUE), NULL);

  g_mutex_lock (&array->lock);
  if (map (array, FALSE, error))
    {
      array->writing = TRUE;
      host = array->host;
    }
  g_mutex_unlock (&array->lock);
  return host;
}

gconstpointer
capra_array_map_read (CapraArray *array, GError **error)
{
  gconstpointer host = NULL;

  if (!capra_fork_check (error))
    return NULL;
  g_return_val_if_fail (capra_array_can_map (array, FALSE), NULL);

  g_mutex_lock (&array->lock);
  if (array->readers > 0 || map (array, TRUE, error))
    {
      if (array->readers == 0)
        capra_array_ref (array);
      array->readers++;
      host = array->host;
    }
  g_mutex_unlock (&array->lock);
  return host;
}

static gboolean
unmap (CapraArray *array, gboolean read, GError **error)
{
  if (!array->staging && !array->saved)
    return capra_buffer_unmap (array->buffer, read ? CAPRA_DOWNLOAD : CAPRA_UPLOAD, capra_shape_bytes (&array->shape),
                               array->host, error);
  if (!read)
    return upload_staging (array, error);
  capra_array_end_reading (array);
  return TRUE;
}

gboolean
capra_array_unmap (CapraArray *array, GError **error)
{
  gboolean done = TRUE, mapped = FALSE, read = FALSE, last = FALSE;

  if (!capra_fork_check (error))
    return FALSE;
  g_mutex_lock (&array->lock);
  read = array->readers > 0;
  mapped = read || array->writing;
  last = mapped && (!read || --array->readers == 0);
  if (last)
    {
      done = unmap (array, read, error);
      array->writing = FALSE;
      array->host = NULL;
    }
  g_mutex_unlock (&array->lock);
  if (last && read)
    capra_array_unref (array);
  g_return_val_if_fail (mapped, FALSE);
  return done;
}

gboolean
capra_array_can_map (CapraArray *array, gboolean write)
{
  gboolean can_map = FALSE;

  g_mutex_lock (&array->lock);
  can_map = !array->writing && !(write && array->readers > 0);
  g_mutex_unlock (&array->lock);
  return can_map;
}

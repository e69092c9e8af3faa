/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Mapping: an array's contents in host memory, in pinned staging or in place. */
#include "runtime/memory/array-private.h"
#include "runtime/device/fork.h"

/* Sends off what was written to the staging. */
static gboolean
push_staging (CapraArray *array, GError **error)
{
  gboolean sent = capra_block_send (array->block, array->staging, TRUE, "upload", 0, capra_shape_bytes (&array->shape),
                                    array->host, NULL, error);

  g_clear_pointer (&array->staging, capra_block_free);
  return sent;
}

static gboolean
map_staging (CapraArray *array, gboolean read, GError **error)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  array->staging = capra_block_new (array->context, bytes, CAPRA_MEMORY_STAGING, error);
  if (!array->staging)
    return FALSE;
  array->host = array->staging->host;

  /* Staging from the pool may still be read or written by the last transfer through it. */
  if (capra_block_finish (array->staging, error)
      && (!read || capra_block_transfer (array->block, FALSE, "download", 0, bytes, array->host, error)))
    return TRUE;

  g_clear_pointer (&array->staging, capra_block_free);
  array->host = NULL;
  return FALSE;
}

static gboolean
unmap_in_place (CapraArray *array, gboolean read, GError **error)
{
  CapraContext *context = array->context;
  CapraQueue queue = read ? CAPRA_QUEUE_DOWNLOAD : CAPRA_QUEUE_UPLOAD;
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  status = clEnqueueUnmapMemObject (context->queues[queue], array->block->mem, array->host, 0, NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, !read, event);
      if (!read)
        capra_context_record (context, "upload", capra_shape_bytes (&array->shape), event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, "clEnqueueUnmapMemObject", NULL, error);
}

static gboolean
map_in_place (CapraArray *array, gboolean read, GError **error)
{
  CapraContext *context = array->context;
  CapraQueue queue = read ? CAPRA_QUEUE_DOWNLOAD : CAPRA_QUEUE_UPLOAD;
  gsize bytes = capra_shape_bytes (&array->shape);
  cl_event waits[CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  capra_block_before (array->block, queue, !read, waits, &n_waits);
  array->host = clEnqueueMapBuffer (context->queues[queue], array->block->mem, CL_FALSE,
                                    read ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, n_waits,
                                    n_waits ? waits : NULL, &event, &status);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, !read, event);
      if (read)
        capra_context_record (context, "download", bytes, event);
    }
  g_mutex_unlock (&context->enqueue);

  if (!capra_context_check (context, status, "clEnqueueMapBuffer", NULL, error))
    array->host = NULL;
  else if (!capra_context_wait (context, event, read ? "download" : "upload", error))
    {
      unmap_in_place (array, read, NULL);
      array->host = NULL;
    }
  return array->host != NULL;
}

static gboolean
map (CapraArray *array, gboolean read, GError **error)
{
  if (read && !array->block)
    return (array->host = capra_array_get_saved (array, error)) != NULL;
  if (!array->block && !capra_array_restore (array, error))
    return FALSE;
  return array->context->info->unified ? map_in_place (array, read, error) : map_staging (array, read, error);
}

gpointer
capra_array_map_write (CapraArray *array, GError **error)
{
  gpointer host = NULL;

  if (!capra_fork_check (error))
    return NULL;
  g_return_val_if_fail (capra_array_is_free (array, TRUE), NULL);

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
  g_return_val_if_fail (capra_array_is_free (array, FALSE), NULL);

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
    return unmap_in_place (array, read, error);
  if (!read)
    return push_staging (array, error);
  capra_array_settle (array);
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
capra_array_is_free (CapraArray *array, gboolean write)
{
  gboolean is_free = FALSE;

  g_mutex_lock (&array->lock);
  is_free = !array->writing && !(write && array->readers > 0);
  g_mutex_unlock (&array->lock);
  return is_free;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mapping: an array's contents in host memory, in pinned staging or in place. */
#include "array-private.h"
#include "timeline-private.h"

/* Enqueues the transfer between array and staging, recorded under @name. The caller gets a reference
 * of the event. */
static gboolean
enqueue_transfer (CapraArray *array, gboolean in, const char *name, cl_event *event, GError **error)
{
  CapraContext *context = array->context;
  CapraQueue queue = in ? CAPRA_QUEUE_IN : CAPRA_QUEUE_OUT;
  gsize bytes = capra_shape_bytes (&array->shape);
  cl_event waits[2 * CAPRA_N_QUEUES];
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  capra_block_before (array->block, queue, in, waits, &n_waits);
  capra_block_before (array->staging, queue, !in, waits, &n_waits);
  if (in)
    status = clEnqueueWriteBuffer (context->queues[queue], array->block->mem, CL_FALSE, 0, bytes,
                                   array->staging->host, n_waits, n_waits ? waits : NULL, event);
  else
    status = clEnqueueReadBuffer (context->queues[queue], array->block->mem, CL_FALSE, 0, bytes,
                                  array->staging->host, n_waits, n_waits ? waits : NULL, event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, in, *event);
      capra_block_after (array->staging, queue, !in, *event);
      capra_timeline_add (context, name, bytes, *event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, in ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer",
                              NULL, error);
}

static gboolean
make_staging (CapraArray *array, GError **error)
{
  array->staging = capra_block_new (array->context, capra_shape_bytes (&array->shape),
                                    CAPRA_MEMORY_STAGING, error);
  return array->staging != NULL;
}

gboolean
capra_array_pull_staging (CapraArray *array, const char *name, GError **error)
{
  cl_event event = NULL;

  if (!make_staging (array, error))
    return FALSE;
  if (enqueue_transfer (array, FALSE, name, &event, error)
      && capra_context_wait (array->context, event, name, error))
    return TRUE;
  g_clear_pointer (&array->staging, capra_block_free);
  return FALSE;
}

gboolean
capra_array_push_staging (CapraArray *array, const char *name, GError **error)
{
  cl_event event = NULL;
  gboolean done = enqueue_transfer (array, TRUE, name, &event, error);

  if (done)
    clReleaseEvent (event);
  /* It stays with what is mapped, and where it still is the only copy. */
  if (array->readers == 0 && (done || array->writing))
    g_clear_pointer (&array->staging, capra_block_free);
  return done;
}

/* Staging from the pool may still be read or written by the last transfer through it. */
static gboolean
map_write_staging (CapraArray *array, GError **error)
{
  if (!make_staging (array, error))
    return FALSE;
  if (capra_block_finish (array->staging, error))
    return TRUE;
  g_clear_pointer (&array->staging, capra_block_free);
  return FALSE;
}

static gboolean
map_in_place (CapraArray *array, gboolean read, GError **error)
{
  CapraContext *context = array->context;
  CapraQueue queue = read ? CAPRA_QUEUE_OUT : CAPRA_QUEUE_IN;
  gsize bytes = capra_shape_bytes (&array->shape);
  cl_event waits[CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  capra_block_before (array->block, queue, !read, waits, &n_waits);
  array->host = clEnqueueMapBuffer (context->queues[queue], array->block->mem, CL_FALSE,
                                    read ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes,
                                    n_waits, n_waits ? waits : NULL, &event, &status);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, !read, event);
      if (read)
        capra_timeline_add (context, "pull", bytes, event);
    }
  g_mutex_unlock (&context->enqueue);

  if (capra_context_check (context, status, "clEnqueueMapBuffer", NULL, error)
      && capra_context_wait (context, event, read ? "pull" : "push", error))
    return TRUE;
  array->host = NULL;
  return FALSE;
}

static gboolean
map (CapraArray *array, gboolean read, GError **error)
{
  if (!capra_array_check_kept (array, error)
      || (!read && !array->block && !capra_array_restore (array, error)))
    return FALSE;
  if (array->block && array->context->info->unified)
    return map_in_place (array, read, error);
  /* Evicted contents lie in staging already. */
  if (array->block && !(read ? capra_array_pull_staging (array, "pull", error)
                             : map_write_staging (array, error)))
    return FALSE;
  array->host = array->staging->host;
  return TRUE;
}

gpointer
capra_array_map_write (CapraArray *array, GError **error)
{
  gpointer host = NULL;

  g_return_val_if_fail (array->readers == 0 && !array->writing, NULL);

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

  g_return_val_if_fail (!array->writing, NULL);

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
unmap_in_place (CapraArray *array, gboolean read, GError **error)
{
  CapraContext *context = array->context;
  CapraQueue queue = read ? CAPRA_QUEUE_OUT : CAPRA_QUEUE_IN;
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  status = clEnqueueUnmapMemObject (context->queues[queue], array->block->mem, array->host, 0, NULL,
                                    &event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, !read, event);
      if (!read)
        capra_timeline_add (context, "push", capra_shape_bytes (&array->shape), event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, "clEnqueueUnmapMemObject", NULL, error);
}

static gboolean
unmap_staging (CapraArray *array, gboolean read, GError **error)
{
  if (!read)
    return capra_array_push_staging (array, "push", error);
  if (array->block) /* else the only copy lies there */
    g_clear_pointer (&array->staging, capra_block_free);
  return TRUE;
}

gboolean
capra_array_unmap (CapraArray *array, GError **error)
{
  gboolean done = TRUE;
  gboolean read = array->readers > 0;
  gboolean last = FALSE;

  g_return_val_if_fail (read || array->writing, FALSE);

  g_mutex_lock (&array->lock);
  last = !read || --array->readers == 0;
  if (last)
    {
      done = array->staging ? unmap_staging (array, read, error)
                            : unmap_in_place (array, read, error);
      array->writing = FALSE;
      array->host = NULL;
    }
  g_mutex_unlock (&array->lock);
  if (last && read)
    capra_array_unref (array);
  return done;
}

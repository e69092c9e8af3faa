/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mapping: an array's contents in host memory, in pinned staging or in place. */
#include "array-private.h"
#include "timeline-private.h"

/* Enqueues the transfer between array and staging, recorded under @name. The caller gets a reference
 * of the event. */
static gboolean
enqueue_transfer (CapraArray *array, gboolean in, cl_event *event, GError **error)
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
                                   array->host, n_waits, n_waits ? waits : NULL, event);
  else
    status = clEnqueueReadBuffer (context->queues[queue], array->block->mem, CL_FALSE, 0, bytes,
                                  array->host, n_waits, n_waits ? waits : NULL, event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (array->block, queue, in, *event);
      capra_block_after (array->staging, queue, !in, *event);
      capra_timeline_add (context, in ? "push" : "pull", bytes, *event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, in ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer",
                              NULL, error);
}

static gboolean
map_staging (CapraArray *array, gboolean read, GError **error)
{
  cl_event event = NULL;

  array->staging = capra_block_new (array->context, capra_shape_bytes (&array->shape),
                                    CAPRA_MEMORY_STAGING, error);
  if (!array->staging)
    return FALSE;
  array->host = array->staging->host;

  /* Staging from the pool may still be read or written by the last transfer through it. */
  if (read ? enqueue_transfer (array, FALSE, &event, error)
               && capra_context_wait (array->context, event, "pull", error)
           : capra_block_finish (array->staging, error))
    return TRUE;

  g_clear_pointer (&array->staging, capra_block_free);
  array->host = NULL;
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
  return array->context->info->unified ? map_in_place (array, read, error)
                                       : map_staging (array, read, error);
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

gboolean
capra_array_unmap (CapraArray *array, GError **error)
{
  gboolean done = TRUE;
  gboolean read = array->readers > 0;

  g_return_val_if_fail (read || array->writing, FALSE);

  g_mutex_lock (&array->lock);
  if (!read || --array->readers == 0)
    {
      array->writing = FALSE;
      if (array->staging)
        {
          cl_event event = NULL;

          if (!read && (done = enqueue_transfer (array, TRUE, &event, error)))
            clReleaseEvent (event);
          g_clear_pointer (&array->staging, capra_block_free);
        }
      else
        done = unmap_in_place (array, read, error);
      array->host = NULL;
    }
  g_mutex_unlock (&array->lock);
  return done;
}

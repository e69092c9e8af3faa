/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Transfers: enqueued in the queue of their direction, after the commands that use the buffer in other queues. */
#include "runtime/memory/buffer-transfer.h"

#include "runtime/base/fault-check.h"

static CapraQueue
queue_of (CapraDirection direction)
{
  return direction == CAPRA_UPLOAD ? CAPRA_QUEUE_UPLOAD : CAPRA_QUEUE_DOWNLOAD;
}

static const char *
name_of (CapraDirection direction)
{
  return direction == CAPRA_UPLOAD ? "upload" : "download";
}

gboolean
capra_buffer_enqueue_transfer (CapraBuffer *buffer, CapraBuffer *staging, CapraDirection direction, const char *name,
                               gsize offset, gsize bytes, gpointer host, cl_event *event, GError **error)
{
  CapraContext *context = buffer->context;
  CapraQueue queue = queue_of (direction);
  gboolean upload = direction == CAPRA_UPLOAD;
  cl_event waits[2 * CAPRA_N_QUEUES], enqueued = NULL;
  cl_uint n_waits = 0;
  cl_int status = capra_fault_check (context->device, upload ? CAPRA_FAULT_UPLOAD : CAPRA_FAULT_DOWNLOAD);

  g_mutex_lock (&context->enqueue);
  capra_buffer_add_waits (buffer, queue, upload, waits, &n_waits);
  if (staging)
    capra_buffer_add_waits (staging, queue, !upload, waits, &n_waits);
  if (status == CL_SUCCESS)
    status = upload ? clEnqueueWriteBuffer (context->queues[queue], buffer->mem, CL_FALSE, offset, bytes, host, n_waits,
                                            n_waits ? waits : NULL, &enqueued)
                    : clEnqueueReadBuffer (context->queues[queue], buffer->mem, CL_FALSE, offset, bytes, host, n_waits,
                                           n_waits ? waits : NULL, &enqueued);
  if (status == CL_SUCCESS)
    {
      capra_buffer_set_last_use (buffer, queue, upload, enqueued);
      if (staging)
        capra_buffer_set_last_use (staging, queue, !upload, enqueued);
      capra_context_record (context, name, bytes, enqueued);
      clFlush (context->queues[queue]);
      if (event)
        *event = enqueued;
      else
        clReleaseEvent (enqueued);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, upload ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", NULL, error);
}

gboolean
capra_buffer_transfer (CapraBuffer *buffer, CapraDirection direction, const char *name, gsize offset, gsize bytes,
                       gpointer host, GError **error)
{
  cl_event event = NULL;

  return capra_buffer_enqueue_transfer (buffer, NULL, direction, name, offset, bytes, host, &event, error)
         && capra_context_wait (buffer->context, event, name, error);
}

gboolean
capra_buffer_unmap (CapraBuffer *buffer, CapraDirection direction, gsize bytes, gpointer host, GError **error)
{
  CapraContext *context = buffer->context;
  CapraQueue queue = queue_of (direction);
  gboolean upload = direction == CAPRA_UPLOAD;
  cl_event event = NULL;
  cl_int fault = capra_fault_check (context->device, CAPRA_FAULT_MAP), status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  /* In spite of a fault of a test: a driver never frees what stays mapped. */
  status = clEnqueueUnmapMemObject (context->queues[queue], buffer->mem, host, 0, NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_buffer_set_last_use (buffer, queue, upload, event);
      if (upload)
        capra_context_record (context, name_of (direction), bytes, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, fault != CL_SUCCESS ? fault : status, "clEnqueueUnmapMemObject", NULL, error);
}

gpointer
capra_buffer_map (CapraBuffer *buffer, CapraDirection direction, gsize bytes, GError **error)
{
  CapraContext *context = buffer->context;
  CapraQueue queue = queue_of (direction);
  gboolean upload = direction == CAPRA_UPLOAD;
  cl_event waits[CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = capra_fault_check (context->device, CAPRA_FAULT_MAP);
  gpointer host = NULL;

  g_mutex_lock (&context->enqueue);
  capra_buffer_add_waits (buffer, queue, upload, waits, &n_waits);
  if (status == CL_SUCCESS)
    host = clEnqueueMapBuffer (context->queues[queue], buffer->mem, CL_FALSE,
                               upload ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ, 0, bytes, n_waits,
                               n_waits ? waits : NULL, &event, &status);
  if (status == CL_SUCCESS)
    {
      capra_buffer_set_last_use (buffer, queue, upload, event);
      if (!upload)
        capra_context_record (context, name_of (direction), bytes, event);
    }
  g_mutex_unlock (&context->enqueue);

  if (!capra_context_check (context, status, "clEnqueueMapBuffer", NULL, error))
    return NULL;
  if (capra_context_wait (context, event, name_of (direction), error))
    return host;
  capra_buffer_unmap (buffer, direction, bytes, host, NULL);
  return NULL;
}

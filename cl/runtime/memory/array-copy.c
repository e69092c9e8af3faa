/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Copies from array to array, on one device or between two: whole or some rows. */
#include <glib/gi18n-lib.h>

#include "runtime/memory/array-private.h"

/* A stretch of two arrays' contents, in bytes. */
typedef struct {
  gsize from, to, bytes;
} Stretch;

static gboolean
copy_within_device (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  CapraContext *context = target->context;
  CapraBlock *from = capra_array_get_buffer (source, error);
  CapraBlock *to = from ? capra_array_get_buffer (target, error) : NULL;
  cl_event waits[2 * CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  if (!to)
    return FALSE;
  g_mutex_lock (&context->enqueue);
  capra_block_before (from, CAPRA_QUEUE_COMPUTE, FALSE, waits, &n_waits);
  capra_block_before (to, CAPRA_QUEUE_COMPUTE, TRUE, waits, &n_waits);
  status = clEnqueueCopyBuffer (context->queues[CAPRA_QUEUE_COMPUTE], from->mem, to->mem, stretch->from, stretch->to,
                                stretch->bytes, n_waits, n_waits ? waits : NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (from, CAPRA_QUEUE_COMPUTE, FALSE, event);
      capra_block_after (to, CAPRA_QUEUE_COMPUTE, TRUE, event);
      capra_context_record (context, "copy", 2 * stretch->bytes, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, "clEnqueueCopyBuffer", NULL, error);
}

gboolean
capra_block_send (CapraBlock *block, CapraBlock *staging, gboolean in, const char *name, gsize offset, gsize bytes,
                  gpointer host, cl_event *event, GError **error)
{
  CapraContext *context = block->context;
  CapraQueue queue = in ? CAPRA_QUEUE_UPLOAD : CAPRA_QUEUE_DOWNLOAD;
  cl_event waits[2 * CAPRA_N_QUEUES], sent = NULL;
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  capra_block_before (block, queue, in, waits, &n_waits);
  if (staging)
    capra_block_before (staging, queue, !in, waits, &n_waits);
  status = in ? clEnqueueWriteBuffer (context->queues[queue], block->mem, CL_FALSE, offset, bytes, host, n_waits,
                                      n_waits ? waits : NULL, &sent)
              : clEnqueueReadBuffer (context->queues[queue], block->mem, CL_FALSE, offset, bytes, host, n_waits,
                                     n_waits ? waits : NULL, &sent);
  if (status == CL_SUCCESS)
    {
      capra_block_after (block, queue, in, sent);
      if (staging)
        capra_block_after (staging, queue, !in, sent);
      capra_context_record (context, name, bytes, sent);
      clFlush (context->queues[queue]);
      if (event)
        *event = sent;
      else
        clReleaseEvent (sent);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, in ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", NULL, error);
}

gboolean
capra_block_transfer (CapraBlock *block, gboolean in, const char *name, gsize offset, gsize bytes, gpointer host,
                      GError **error)
{
  cl_event event = NULL;

  return capra_block_send (block, NULL, in, name, offset, bytes, host, &event, error)
         && capra_context_wait (block->context, event, name, error);
}

static gboolean
push_part (CapraArray *array, gsize offset, gsize bytes, gconstpointer host, GError **error)
{
  CapraBlock *block = capra_array_get_buffer (array, error);

  return block && capra_block_transfer (block, TRUE, "upload", offset, bytes, (gpointer) host, error);
}

/* Where the source's contents can be had on the host, they are not fetched. */
static gboolean
copy_from_host (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  const char *host = capra_array_map_read (source, error);
  gboolean done = host && push_part (target, stretch->to, stretch->bytes, host + stretch->from, error);

  return host && capra_array_unmap (source, done ? error : NULL) && done;
}

static gboolean
copy_through_staging (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  CapraBlock *block = capra_array_get_buffer (source, error);
  g_autoptr (CapraBlock) staging = block
                                     ? capra_block_new (source->context, stretch->bytes, CAPRA_MEMORY_STAGING, error)
                                     : NULL;

  /* Staging from the pool may still be used by the last transfer through it. */
  return staging && capra_block_finish (staging, error)
         && capra_block_transfer (block, FALSE, "download", stretch->from, stretch->bytes, staging->host, error)
         && push_part (target, stretch->to, stretch->bytes, staging->host, error);
}

static gboolean
copy_stretch (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  if (capra_array_is_evicted (source))
    return copy_from_host (target, source, stretch, error);
  if (target->context == source->context)
    return copy_within_device (target, source, stretch, error);
  if (source->context->info->unified)
    return copy_from_host (target, source, stretch, error);
  return copy_through_staging (target, source, stretch, error);
}

gboolean
capra_array_copy (CapraArray *target, CapraArray *source, GError **error)
{
  const CapraShape *a = &target->shape, *b = &source->shape;
  const Stretch all = { 0, 0, capra_shape_bytes (b) };

  if (a->width != b->width || a->height != b->height || a->depth != b->depth || a->channels != b->channels
      || a->type != b->type)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("cannot copy between arrays of different shape or type"));
      return FALSE;
    }
  return target == source || copy_stretch (target, source, &all, error);
}

gboolean
capra_array_copy_rows (CapraArray *target, gsize to, CapraArray *source, gsize from, gsize rows, GError **error)
{
  const CapraShape *a = &target->shape, *b = &source->shape;
  gsize row = capra_shape_bytes (b) / b->height;
  const Stretch stretch = { from * row, to * row, rows * row };

  if (a->width != b->width || a->depth != 1 || b->depth != 1 || a->channels != b->channels || a->type != b->type
      || to > a->height || rows > a->height - to || from > b->height || rows > b->height - from || target == source)
    {
      g_set_error_literal (
        error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
        _ ("cannot copy rows: the images differ in width, channels or type, are the same image, or do "
           "not have these rows"));
      return FALSE;
    }
  return rows == 0 || copy_stretch (target, source, &stretch, error);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Copies from array to array, on one device or between two: whole, some rows or a rectangle. */
#include "runtime/memory/array-copy.h"

#include <glib/gi18n-lib.h>

#include "runtime/base/fault-check.h"
#include "runtime/memory/array-buffer.h"
#include "runtime/memory/array-map.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/buffer-transfer.h"

/* Equal parts of two arrays' contents, in bytes: @rows runs of @bytes each, which begin a pitch apart. */
typedef struct {
  gsize from, to, bytes;
  gsize rows, from_pitch, to_pitch;
} Stretch;

static Stretch
make_stretch (gsize from, gsize to, gsize bytes)
{
  return (Stretch){ from, to, bytes, 1, bytes, bytes };
}

static cl_int
enqueue_copy (cl_command_queue queue, cl_mem from, cl_mem to, const Stretch *stretch, cl_uint n_waits,
              const cl_event *waits, cl_event *event)
{
  const size_t origin[3] = { stretch->from % stretch->from_pitch, stretch->from / stretch->from_pitch, 0 };
  const size_t target[3] = { stretch->to % stretch->to_pitch, stretch->to / stretch->to_pitch, 0 };
  const size_t region[3] = { stretch->bytes, stretch->rows, 1 };

  if (stretch->rows == 1)
    return clEnqueueCopyBuffer (queue, from, to, stretch->from, stretch->to, stretch->bytes, n_waits, waits, event);
  return clEnqueueCopyBufferRect (queue, from, to, origin, target, region, stretch->from_pitch, 0, stretch->to_pitch, 0,
                                  n_waits, waits, event);
}

static gboolean
copy_within_device (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  CapraContext *context = target->context;
  CapraBuffer *from = capra_array_get_buffer (source, error);
  CapraBuffer *to = from ? capra_array_get_buffer (target, error) : NULL;
  cl_event waits[2 * CAPRA_N_QUEUES], event = NULL;
  cl_uint n_waits = 0;
  cl_int status = CL_SUCCESS;

  if (!to)
    return FALSE;
  status = capra_fault_check (context->device, CAPRA_FAULT_COPY);
  g_mutex_lock (&context->enqueue);
  capra_buffer_add_waits (from, CAPRA_QUEUE_COMPUTE, FALSE, waits, &n_waits);
  capra_buffer_add_waits (to, CAPRA_QUEUE_COMPUTE, TRUE, waits, &n_waits);
  if (status == CL_SUCCESS)
    status = enqueue_copy (context->queues[CAPRA_QUEUE_COMPUTE], from->mem, to->mem, stretch, n_waits,
                           n_waits ? waits : NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_buffer_set_last_use (from, CAPRA_QUEUE_COMPUTE, FALSE, event);
      capra_buffer_set_last_use (to, CAPRA_QUEUE_COMPUTE, TRUE, event);
      capra_context_record (context, "copy", 2 * stretch->bytes * stretch->rows, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return capra_context_check (context, status, "copying between buffers", NULL, error);
}

static gboolean
upload_part (CapraArray *array, gsize offset, gsize bytes, gconstpointer host, GError **error)
{
  CapraBuffer *buffer = capra_array_get_buffer (array, error);

  return buffer && capra_buffer_transfer (buffer, CAPRA_UPLOAD, "upload", offset, bytes, (gpointer) host, error);
}

/* The source's contents are on the host, or can be mapped there in place. */
static gboolean
copy_from_host (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  const char *host = capra_array_map_read (source, error);
  gboolean done = host && upload_part (target, stretch->to, stretch->bytes, host + stretch->from, error);

  return host && capra_array_unmap (source, done ? error : NULL) && done;
}

static gboolean
copy_through_staging (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  CapraBuffer *buffer = capra_array_get_buffer (source, error);
  g_autoptr (CapraBuffer) staging = buffer ? capra_pool_allocate (source->context, stretch->bytes, CAPRA_MEMORY_STAGING,
                                                                  error)
                                           : NULL;

  /* The last transfer through this staging buffer may still be running. */
  return staging && capra_buffer_wait (staging, error)
         && capra_buffer_transfer (buffer, CAPRA_DOWNLOAD, "download", stretch->from, stretch->bytes, staging->host,
                                   error)
         && upload_part (target, stretch->to, stretch->bytes, staging->host, error);
}

/* Copies a single run. */
static gboolean
copy_run (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  if (capra_array_is_evicted (source))
    return copy_from_host (target, source, stretch, error);
  if (target->context == source->context)
    return copy_within_device (target, source, stretch, error);
  if (source->context->info->unified)
    return copy_from_host (target, source, stretch, error);
  return copy_through_staging (target, source, stretch, error);
}

static gboolean
copy_stretch (CapraArray *target, CapraArray *source, const Stretch *stretch, GError **error)
{
  if (target->context == source->context && !capra_array_is_evicted (source))
    return copy_within_device (target, source, stretch, error);
  for (gsize i = 0; i < stretch->rows; i++)
    {
      const Stretch run = make_stretch (stretch->from + i * stretch->from_pitch, stretch->to + i * stretch->to_pitch,
                                        stretch->bytes);

      if (!copy_run (target, source, &run, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_array_copy (CapraArray *target, CapraArray *source, GError **error)
{
  const CapraShape *a = &target->shape, *b = &source->shape;
  const Stretch all = make_stretch (0, 0, capra_shape_bytes (b));

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
  gsize row = capra_shape_bytes (b) / (b->height * b->depth);
  Stretch stretch = { from * row, to * row, rows * row, b->depth, b->height * row, a->height * row };

  if (a->width != b->width || a->depth != b->depth || a->channels != b->channels || a->type != b->type || to > a->height
      || rows > a->height - to || from > b->height || rows > b->height - from || target == source)
    {
      g_set_error_literal (
        error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
        _ ("cannot copy rows: the images differ in width, channels or type, are the same image, or do "
           "not have these rows"));
      return FALSE;
    }
  if (rows == a->height && rows == b->height)
    stretch = make_stretch (0, 0, capra_shape_bytes (b));
  return rows == 0 || copy_stretch (target, source, &stretch, error);
}

/* Whether @a and @b are different images of one type, and positions (@x, @y) and (@u, @v) have a rectangle in them. */
static gboolean
have_rect (const CapraShape *a, gsize x, gsize y, const CapraShape *b, gsize u, gsize v, gsize width, gsize height)
{
  return a != b && a->depth == 1 && b->depth == 1 && a->channels == b->channels && a->type == b->type && x <= a->width
         && width <= a->width - x && y <= a->height && height <= a->height - y && u <= b->width && width <= b->width - u
         && v <= b->height && height <= b->height - v;
}

gboolean
capra_array_copy_rect (CapraArray *target, gsize to_x, gsize to_y, CapraArray *source, gsize x, gsize y, gsize width,
                       gsize height, GError **error)
{
  const CapraShape *a = &target->shape, *b = &source->shape;
  gsize to_pitch = capra_shape_bytes (a) / a->height, from_pitch = capra_shape_bytes (b) / b->height;
  gsize pixel = from_pitch / b->width;
  Stretch stretch = {
    y * from_pitch + x * pixel, to_y * to_pitch + to_x * pixel, width * pixel, height, from_pitch, to_pitch
  };

  if (!have_rect (a, to_x, to_y, b, x, y, width, height))
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("cannot copy a rectangle: the images differ in channels or type, are the same image, or "
                              "do not have these pixels"));
      return FALSE;
    }
  if (width == a->width && width == b->width)
    stretch = make_stretch (stretch.from, stretch.to, height * from_pitch);
  return width == 0 || height == 0 || copy_stretch (target, source, &stretch, error);
}

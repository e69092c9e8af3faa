/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Buffer: allocates memory of a device, and orders the commands of several queues that use it. */
#include "runtime/memory/buffer.h"

#include <glib/gi18n-lib.h>

#include "runtime/base/fault-check.h"
#include "runtime/base/fork.h"
#include "runtime/memory/large-pages.h"

/* Buffers of a CPU with at least this size are placed in large pages. */
#define MIN_LARGE_PAGES_BYTES (2 * CAPRA_LARGE_PAGE)

/* Whether the command of @event has not begun. The driver frees the memory of a buffer when the commands that use it
 * have ended, and those that were not flushed may never begin. */
static gboolean
is_queued (cl_event event)
{
  cl_int status = CL_COMPLETE;

  return clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS
         && status == CL_QUEUED;
}

void
capra_buffer_destroy (CapraBuffer *buffer)
{
  if (buffer->host)
    clEnqueueUnmapMemObject (buffer->context->queues[CAPRA_QUEUE_UPLOAD], buffer->mem, buffer->host, 0, NULL, NULL);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (buffer->last[i])
      {
        if (is_queued (buffer->last[i]) && !capra_context_is_simulated (buffer->context))
          clFlush (buffer->context->queues[i]);
        clReleaseEvent (buffer->last[i]);
      }
  if (buffer->mem)
    clReleaseMemObject (buffer->mem);
  g_free (buffer);
}

static cl_int
map_staging (CapraBuffer *buffer)
{
  cl_int status = capra_fault_check (buffer->context->device, CAPRA_FAULT_STAGING);

  if (status == CL_SUCCESS)
    buffer->host = clEnqueueMapBuffer (buffer->context->queues[CAPRA_QUEUE_UPLOAD], buffer->mem, CL_TRUE,
                                       CL_MAP_READ | CL_MAP_WRITE, 0, buffer->bytes, 0, NULL, NULL, &status);
  return status;
}

/* Makes the driver allocate now instead of at the first use, where a lack of memory could no longer be handled. */
static cl_int
allocate (CapraBuffer *buffer)
{
  CapraContext *context = buffer->context;
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  status = clEnqueueMigrateMemObjects (context->queues[CAPRA_QUEUE_UPLOAD], 1, &buffer->mem,
                                       CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_buffer_set_last_use (buffer, CAPRA_QUEUE_UPLOAD, TRUE, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return status;
}

/* Host memory under a buffer. */
typedef struct {
  gpointer begin;
  gsize bytes;
} Pages;

static Pages *
pages_new (gsize bytes)
{
  gpointer begin = capra_large_pages_map (bytes);
  Pages *pages = NULL;

  if (begin)
    {
      pages = g_new (Pages, 1);
      *pages = (Pages){ begin, bytes };
    }
  return pages;
}

static void CL_CALLBACK
pages_free (cl_mem mem, void *data)
{
  Pages *pages = data;

  capra_large_pages_unmap (pages->begin, pages->bytes);
  g_free (pages);
}

/* Creates a buffer over large pages, which a CPU accesses faster than what its driver allocates; NULL on failure. Its
 * capacity is a power of two, so that it serves requests whose sizes differ, as those of a host's chunks. */
static cl_mem
create_over_pages (CapraBuffer *buffer)
{
  gsize power = (gsize) 1 << g_bit_storage (buffer->bytes - 1);
  gsize capacity = MAX (buffer->bytes, MIN (power, (gsize) buffer->context->info->max_allocation));
  Pages *pages = pages_new (capacity);
  cl_mem mem = NULL;

  if (!pages && capacity > buffer->bytes)
    {
      capacity = buffer->bytes;
      pages = pages_new (capacity);
    }
  if (pages && capra_fault_check (buffer->context->device, CAPRA_FAULT_ALLOC) == CL_SUCCESS)
    mem = clCreateBuffer (buffer->context->cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, capacity, pages->begin, NULL);
  if (mem && clSetMemObjectDestructorCallback (mem, pages_free, pages) == CL_SUCCESS)
    {
      buffer->capacity = capacity;
      buffer->in_large_pages = TRUE;
      return mem;
    }
  if (mem)
    clReleaseMemObject (mem);
  if (pages)
    pages_free (NULL, pages);
  return NULL;
}

static cl_int
create (CapraBuffer *buffer)
{
  const CapraDeviceInfo *info = buffer->context->info;
  gboolean staging = buffer->kind == CAPRA_MEMORY_STAGING;
  cl_mem_flags flags = CL_MEM_READ_WRITE | (staging ? CL_MEM_ALLOC_HOST_PTR : 0);
  cl_int status = CL_SUCCESS;

  if (!staging && info->type == CAPRA_DEVICE_CPU && info->unified && buffer->bytes >= MIN_LARGE_PAGES_BYTES)
    buffer->mem = create_over_pages (buffer);
  if (!buffer->mem)
    status = capra_fault_check (buffer->context->device, staging ? CAPRA_FAULT_STAGING : CAPRA_FAULT_ALLOC);
  if (!buffer->mem && status == CL_SUCCESS)
    buffer->mem = clCreateBuffer (buffer->context->cl, flags, buffer->bytes, NULL, &status);
  g_atomic_int_inc (&buffer->context->allocations);
  if (status == CL_SUCCESS && staging)
    status = map_staging (buffer);
  else if (status == CL_SUCCESS && !info->unified)
    status = allocate (buffer);
  return status;
}

CapraBuffer *
capra_buffer_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, cl_int *status)
{
  CapraBuffer *buffer = g_new0 (CapraBuffer, 1);

  buffer->context = context;
  buffer->bytes = bytes;
  buffer->capacity = bytes;
  buffer->kind = kind;
  buffer->writer = -1;
  *status = create (buffer);
  if (*status != CL_SUCCESS)
    g_clear_pointer (&buffer, capra_buffer_destroy);
  return buffer;
}

gboolean
capra_buffer_is_idle (const CapraBuffer *buffer)
{
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    {
      cl_int status = CL_COMPLETE;

      if (buffer->last[i]
          && clGetEventInfo (buffer->last[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)
               == CL_SUCCESS
          && status > CL_COMPLETE)
        return FALSE;
    }
  return TRUE;
}

/* Releases the event of the last use in @queue if its command has ended. On NVIDIA's devices a command that waits for
 * an event of another queue starts some microseconds later, even if that event is complete. */
static gboolean
release_ended (CapraBuffer *buffer, int queue)
{
  cl_event event = buffer->last[queue];
  cl_int status = CL_QUEUED;

  if (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS
      || status != CL_COMPLETE)
    return FALSE;
  /* OpenCL defines waiting as synchronization, but not reading the status. */
  if (clWaitForEvents (1, &event) != CL_SUCCESS)
    return FALSE;
  clReleaseEvent (event);
  buffer->last[queue] = NULL;
  return TRUE;
}

static void
add_wait (CapraBuffer *buffer, int queue, cl_event *waits, cl_uint *n_waits)
{
  if (!buffer->last[queue] || release_ended (buffer, queue))
    return;
  for (cl_uint i = 0; i < *n_waits; i++)
    if (waits[i] == buffer->last[queue])
      return;
  /* A command may wait for an event of another queue only after that queue was flushed. */
  clFlush (buffer->context->queues[queue]);
  waits[(*n_waits)++] = buffer->last[queue];
}

void
capra_buffer_add_waits (CapraBuffer *buffer, CapraQueue queue, gboolean write, cl_event *waits, cl_uint *n_waits)
{
  /* Queues are in order: a command waits for other queues only, and the last event of the writer's queue is not earlier
   * than the write itself. */
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (i != (int) queue && (write || i == buffer->writer))
      add_wait (buffer, i, waits, n_waits);
}

void
capra_buffer_set_last_use (CapraBuffer *buffer, CapraQueue queue, gboolean write, cl_event event)
{
  clRetainEvent (event);
  if (buffer->last[queue])
    clReleaseEvent (buffer->last[queue]);
  buffer->last[queue] = event;
  if (write)
    buffer->writer = queue;
}

gboolean
capra_buffer_wait (CapraBuffer *buffer, GError **error)
{
  CapraContext *context = buffer->context;
  cl_event events[CAPRA_N_QUEUES];
  cl_uint n_events = 0;
  gboolean done = TRUE;

  if (!capra_fork_check (error))
    return FALSE;
  g_mutex_lock (&context->enqueue);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    add_wait (buffer, i, events, &n_events);
  for (cl_uint i = 0; i < n_events; i++)
    clRetainEvent (events[i]);
  g_mutex_unlock (&context->enqueue);

  for (cl_uint i = 0; i < n_events; i++)
    done &= capra_context_wait (context, events[i], _ ("pending commands"), done ? error : NULL);
  return done;
}

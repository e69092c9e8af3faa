/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Block: device memory from a pool of free pieces, or from the driver within the budget. */
#include <glib/gi18n-lib.h>

#include "runtime/memory/block.h"
#include "runtime/device/fork.h"
#include "runtime/memory/large-pages.h"
#include "runtime/memory/memory-private.h"

#define GRANULE 4096
/* From so many bytes on, buffers of a CPU lie in large pages. */
#define WORTH (2 * CAPRA_LARGE_PAGE)
/* A free piece serves a request of at least this share of its size. */
#define FIT(bytes) ((bytes) / 4 * 3)

void
capra_block_destroy (CapraBlock *block)
{
  if (block->host)
    clEnqueueUnmapMemObject (block->context->queues[CAPRA_QUEUE_UPLOAD], block->mem, block->host, 0, NULL, NULL);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (block->last[i])
      clReleaseEvent (block->last[i]);
  if (block->mem)
    clReleaseMemObject (block->mem); /* the driver keeps it until its commands are done */
  g_free (block);
}

static cl_int
map_staging (CapraBlock *block)
{
  cl_int status = CL_SUCCESS;

  block->host = clEnqueueMapBuffer (block->context->queues[CAPRA_QUEUE_UPLOAD], block->mem, CL_TRUE,
                                    CL_MAP_READ | CL_MAP_WRITE, 0, block->bytes, 0, NULL, NULL, &status);
  return status;
}

/* Has the driver allocate now, where it would at the first use only: then nobody could help any more. */
static cl_int
allocate (CapraBlock *block)
{
  CapraContext *context = block->context;
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;

  g_mutex_lock (&context->enqueue);
  status = clEnqueueMigrateMemObjects (context->queues[CAPRA_QUEUE_UPLOAD], 1, &block->mem,
                                       CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, &event);
  if (status == CL_SUCCESS)
    {
      capra_block_after (block, CAPRA_QUEUE_UPLOAD, TRUE, event);
      clReleaseEvent (event);
    }
  g_mutex_unlock (&context->enqueue);
  return status;
}

/* Memory of ours under a buffer. */
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

/* A buffer over large pages, which a CPU reaches faster than what its driver takes from the system; NULL if that cannot
 * be had. */
static cl_mem
create_over_pages (CapraBlock *block)
{
  Pages *pages = pages_new (block->bytes);
  cl_mem mem = NULL;

  if (pages)
    mem = clCreateBuffer (block->context->cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, block->bytes, pages->begin,
                          NULL);
  if (mem && clSetMemObjectDestructorCallback (mem, pages_free, pages) == CL_SUCCESS)
    return mem;
  if (mem)
    clReleaseMemObject (mem);
  if (pages)
    pages_free (NULL, pages);
  return NULL;
}

static cl_int
create_buffer (CapraBlock *block)
{
  const CapraDeviceInfo *info = block->context->info;
  gboolean staging = block->kind == CAPRA_MEMORY_STAGING;
  cl_mem_flags flags = CL_MEM_READ_WRITE | (staging ? CL_MEM_ALLOC_HOST_PTR : 0);
  cl_int status = CL_SUCCESS;

  if (!staging && info->type == CAPRA_DEVICE_CPU && info->unified && block->bytes >= WORTH)
    block->mem = create_over_pages (block);
  if (!block->mem)
    block->mem = clCreateBuffer (block->context->cl, flags, block->bytes, NULL, &status);
  g_atomic_int_inc (&block->context->allocations);
  if (status == CL_SUCCESS && staging)
    status = map_staging (block);
  else if (status == CL_SUCCESS && !block->context->info->unified)
    status = allocate (block);
  if (status != CL_SUCCESS && block->mem)
    clReleaseMemObject (g_steal_pointer (&block->mem));
  return status;
}

static gboolean
is_shortage (cl_int status)
{
  return status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY
         || status == CL_MAP_FAILURE;
}

/* Asks the driver until it has no more reason to refuse that we could take away. Staging may lack memory of
 * the device, too: with NVIDIA's driver what is mapped takes as much there. */
static cl_int
create_at_any_cost (CapraBlock *block)
{
  CapraContext *context = block->context;
  cl_int status = CL_SUCCESS;

  do
    status = create_buffer (block);
  while (is_shortage (status)
         && (capra_memory_trim (context->device) > 0 || capra_memory_evict (context, block->bytes)));
  return status;
}

static CapraBlock *
block_from_driver (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  CapraBlock *block = g_new0 (CapraBlock, 1);
  cl_int status = CL_SUCCESS;

  block->context = context;
  block->bytes = bytes;
  block->kind = kind;
  block->writer = -1;
  status = create_at_any_cost (block);
  if (capra_context_check (context, status, "clCreateBuffer", NULL, error))
    return block;
  capra_block_destroy (block);
  return NULL;
}

/* A free piece of the pool, if there is one; with @idle none that is still at work, unless the budget has no room for
 * another one. */
static CapraBlock *
take_free (CapraContext *context, gsize bytes, CapraMemoryKind kind, gboolean idle)
{
  CapraBlock *block = capra_pool_take (context, bytes, kind, idle);

  if (!block && idle && !capra_memory_has_room (context, bytes))
    block = capra_pool_take (context, bytes, kind, FALSE);
  return block;
}

static CapraBlock *
block_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, gboolean idle, GError **error)
{
  gsize wanted = (MAX (bytes, 1) + GRANULE - 1) / GRANULE * GRANULE;
  CapraBlock *block = NULL;
  gboolean last = FALSE;

  if (!capra_fork_check (error))
    return NULL;
  if (wanted > context->info->max_allocation)
    {
      g_set_error (
        error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
        _ ("device %s: cannot allocate %.1f MiB at once, its limit is %.1f MiB: use a smaller image or another "
           "device"),
        context->info->name, wanted / 1048576.0, context->info->max_allocation / 1048576.0);
      return NULL;
    }

  while (!(block = take_free (context, wanted, kind, idle)))
    {
      g_autoptr (GError) local = NULL;

      if (capra_memory_reserve (context, wanted, kind, &local))
        break;
      if (last)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      last = !capra_memory_evict (context, wanted);
    }
  if (block)
    return block;
  block = block_from_driver (context, wanted, kind, error);
  if (!block)
    capra_memory_release (context, wanted, kind);
  return block;
}

CapraBlock *
capra_block_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  return block_new (context, bytes, kind, FALSE, error);
}

CapraBlock *
capra_block_new_idle (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  return block_new (context, bytes, kind, !context->info->unified, error);
}

gboolean
capra_block_is_idle (const CapraBlock *block)
{
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    {
      cl_int status = CL_COMPLETE;

      if (block->last[i]
          && clGetEventInfo (block->last[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)
               == CL_SUCCESS
          && status > CL_COMPLETE)
        return FALSE;
    }
  return TRUE;
}

void
capra_block_free (CapraBlock *block)
{
  if (block && !capra_fork_is_child ())
    capra_pool_give (block);
}

gboolean
capra_block_fits (const CapraBlock *block, gsize wanted, gboolean staging)
{
  return (block->host != NULL) == staging && block->bytes >= wanted && FIT (block->bytes) <= wanted;
}

void
capra_block_set_kind (CapraBlock *block, CapraMemoryKind kind)
{
  capra_memory_move (block->context, block->bytes, block->kind, kind);
  block->kind = kind;
}

/* Forgets the last use in @queue if it is over. A command that waits for another queue's event starts some
 * microseconds later on NVIDIA's devices, even if the event is complete. */
static gboolean
is_over (CapraBlock *block, int queue)
{
  cl_event event = block->last[queue];
  cl_int status = CL_QUEUED;

  if (clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS
      || status != CL_COMPLETE)
    return FALSE;
  /* To ask is no synchronization in OpenCL's sense, to wait is. */
  if (clWaitForEvents (1, &event) != CL_SUCCESS)
    return FALSE;
  clReleaseEvent (event);
  block->last[queue] = NULL;
  return TRUE;
}

static void
wait_for (CapraBlock *block, int queue, cl_event *waits, cl_uint *n_waits)
{
  if (!block->last[queue] || is_over (block, queue))
    return;
  for (cl_uint i = 0; i < *n_waits; i++)
    if (waits[i] == block->last[queue])
      return;
  /* A command in one queue may wait for another queue's only if that one was sent off. */
  clFlush (block->context->queues[queue]);
  waits[(*n_waits)++] = block->last[queue];
}

void
capra_block_before (CapraBlock *block, CapraQueue queue, gboolean write, cl_event *waits, cl_uint *n_waits)
{
  /* The queues are in order: only other queues need waiting for. The last event of the writer's
   * queue stands for the write itself, which came no later. */
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (i != (int) queue && (write || i == block->writer))
      wait_for (block, i, waits, n_waits);
}

void
capra_block_after (CapraBlock *block, CapraQueue queue, gboolean write, cl_event event)
{
  clRetainEvent (event);
  if (block->last[queue])
    clReleaseEvent (block->last[queue]);
  block->last[queue] = event;
  if (write)
    block->writer = queue;
}

gboolean
capra_block_finish (CapraBlock *block, GError **error)
{
  CapraContext *context = block->context;
  cl_event events[CAPRA_N_QUEUES];
  cl_uint n_events = 0;
  gboolean done = TRUE;

  if (!capra_fork_check (error))
    return FALSE;
  g_mutex_lock (&context->enqueue);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    wait_for (block, i, events, &n_events);
  for (cl_uint i = 0; i < n_events; i++)
    clRetainEvent (events[i]);
  g_mutex_unlock (&context->enqueue);

  for (cl_uint i = 0; i < n_events; i++)
    done &= capra_context_wait (context, events[i], _ ("pending commands"), done ? error : NULL);
  return done;
}

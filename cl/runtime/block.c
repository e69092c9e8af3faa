/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block: device memory from a pool of free pieces, or from the driver within the budget. */
#include "block.h"
#include "memory-private.h"

#define GRANULE 4096
/* A free piece serves a request of at least this share of its size. */
#define FIT(bytes) ((bytes) / 4 * 3)

void
capra_block_destroy (CapraBlock *block)
{
  if (block->host)
    clEnqueueUnmapMemObject (block->context->queues[CAPRA_QUEUE_IN], block->mem, block->host, 0,
                             NULL, NULL);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    if (block->last[i])
      clReleaseEvent (block->last[i]);
  if (block->mem)
    clReleaseMemObject (block->mem); /* the driver keeps it until its commands are done */
  g_free (block);
}

static gboolean
block_map_staging (CapraBlock *block, GError **error)
{
  CapraContext *context = block->context;
  cl_int status = CL_SUCCESS;

  block->host = clEnqueueMapBuffer (context->queues[CAPRA_QUEUE_IN], block->mem, CL_TRUE,
                                    CL_MAP_READ | CL_MAP_WRITE, 0, block->bytes, 0, NULL, NULL,
                                    &status);
  return capra_context_check (context, status, "clEnqueueMapBuffer", "staging memory", error);
}

/* Asks the driver until it has no more reason to refuse that we could take away. */
static cl_mem
create_buffer (CapraContext *context, gsize bytes, CapraMemoryKind kind, cl_int *status)
{
  cl_mem_flags flags = CL_MEM_READ_WRITE | (kind == CAPRA_MEMORY_STAGING ? CL_MEM_ALLOC_HOST_PTR : 0);

  for (;;)
    {
      cl_mem mem = clCreateBuffer (context->cl, flags, bytes, NULL, status);

      g_atomic_int_inc (&context->allocations);
      if (*status != CL_MEM_OBJECT_ALLOCATION_FAILURE && *status != CL_OUT_OF_RESOURCES)
        return mem;
      /* What the pool holds may be just what lacks, be it of the device or of the host. */
      if (capra_memory_trim (context->device) > 0)
        continue;
      if (kind == CAPRA_MEMORY_STAGING || !capra_memory_evict (context, bytes))
        return NULL;
    }
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
  block->mem = create_buffer (context, bytes, kind, &status);
  if (!capra_context_check (context, status, "clCreateBuffer", NULL, error)
      || (kind == CAPRA_MEMORY_STAGING && !block_map_staging (block, error)))
    {
      capra_block_destroy (block);
      return NULL;
    }
  return block;
}

CapraBlock *
capra_block_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  gsize wanted = (MAX (bytes, 1) + GRANULE - 1) / GRANULE * GRANULE;
  CapraBlock *block = NULL;
  gboolean last = FALSE;

  if (wanted > context->info->max_allocation)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
                   "device %s: %.1f MiB in one piece are asked for, it allows %.1f MiB: use a smaller "
                   "image or another device", context->info->name, wanted / 1048576.0,
                   context->info->max_allocation / 1048576.0);
      return NULL;
    }

  while (!(block = capra_pool_take (context, wanted, kind)))
    {
      g_autoptr(GError) local = NULL;

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

void
capra_block_free (CapraBlock *block)
{
  if (block)
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

static void
wait_for (CapraBlock *block, int queue, cl_event *waits, cl_uint *n_waits)
{
  if (!block->last[queue])
    return;
  for (cl_uint i = 0; i < *n_waits; i++)
    if (waits[i] == block->last[queue])
      return;
  /* A command in one queue may wait for another queue's only if that one was sent off. */
  clFlush (block->context->queues[queue]);
  waits[(*n_waits)++] = block->last[queue];
}

void
capra_block_before (CapraBlock *block, CapraQueue queue, gboolean write, cl_event *waits,
                    cl_uint *n_waits)
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

  g_mutex_lock (&context->enqueue);
  for (int i = 0; i < CAPRA_N_QUEUES; i++)
    wait_for (block, i, events, &n_events);
  for (cl_uint i = 0; i < n_events; i++)
    clRetainEvent (events[i]);
  g_mutex_unlock (&context->enqueue);

  for (cl_uint i = 0; i < n_events; i++)
    done &= capra_context_wait (context, events[i], "work on an array", done ? error : NULL);
  return done;
}

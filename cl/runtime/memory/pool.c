/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pool: free buffers in a cache that trims itself, beside the budget and the queue for eviction. */
#include "runtime/memory/pool.h"

#include <glib/gi18n-lib.h>

#include "runtime/device/device-budget.h"
#include "runtime/base/fork.h"
#include "runtime/memory/budget.h"
#include "runtime/memory/idle-cache.h"

/* Free buffers that are not used for this time are returned to the driver; those in the host's memory later, as the
 * system clears that before it can be used again. */
#define IDLE_TIME (10 * G_TIME_SPAN_SECOND)
#define UNIFIED_IDLE_TIME (30 * G_TIME_SPAN_SECOND)
/* Sizes are multiples of this, in bytes. */
#define GRANULE 4096
/* The smallest request that a free buffer serves. Those in large pages serve smaller ones, too, while at most half of
 * the budget is in use, as the system would have to clear the pages of another buffer. */
#define MIN_REQUEST(bytes) ((bytes) / 4 * 3)
#define MIN_PAGES_REQUEST(bytes) ((bytes) / 4)

/* Atomic; (nullable). */
static CapraReleaseFunc release_function;

struct _CapraPool {
  GMutex lock; /* of the budget, and held while buffers change between use and the cache */
  CapraBudget budget;
  CapraIdleCache *free; /* of CapraBuffer */
  CapraEvictionQueue eviction;
  GMutex releasing; /* held while the release function runs */
};

/* Returns a free buffer to the driver. The lock is held. Returns its bytes of the device's memory. */
static gsize
destroy_free (CapraPool *pool, CapraBuffer *buffer)
{
  gsize bytes = buffer->host ? 0 : buffer->bytes;

  if (buffer->host)
    {
      capra_budget_move (&pool->budget, buffer->bytes, CAPRA_MEMORY_POOL, CAPRA_MEMORY_STAGING);
      capra_budget_release (&pool->budget, buffer->bytes, CAPRA_MEMORY_STAGING);
    }
  else
    capra_budget_release (&pool->budget, buffer->bytes, CAPRA_MEMORY_POOL);
  capra_buffer_destroy (buffer);
  return bytes;
}

static void
free_idle (gpointer data)
{
  CapraBuffer *buffer = data;
  CapraPool *pool = buffer->context->pool;

  g_mutex_lock (&pool->lock);
  destroy_free (pool, buffer);
  g_mutex_unlock (&pool->lock);
}

static CapraPool *
pool_get (CapraContext *context)
{
  if (g_once_init_enter (&context->pool))
    {
      CapraPool *pool = g_new0 (CapraPool, 1);
      GTimeSpan idle = context->info->unified ? UNIFIED_IDLE_TIME : IDLE_TIME;

      g_mutex_init (&pool->lock);
      g_mutex_init (&pool->releasing);
      pool->budget.memory.budget = capra_device_budget_get (context->info, NULL);
      pool->free = capra_idle_cache_new ("capra-free", idle, free_idle);
      capra_eviction_queue_init (&pool->eviction);
      g_once_init_leave (&context->pool, pool);
    }
  return context->pool;
}

static gboolean
is_device_memory (gpointer buffer, gpointer data)
{
  return !((CapraBuffer *) buffer)->host;
}

/* Returns free buffers to the driver. The lock is held. Returns their bytes of the device's memory. */
static guint64
drop_free (CapraPool *pool, CapraIdleCacheMatchFunc match)
{
  GSList *buffers = capra_idle_cache_steal (pool->free, match, NULL);
  guint64 bytes = 0;

  for (GSList *link = buffers; link; link = link->next)
    bytes += destroy_free (pool, link->data);
  g_slist_free (buffers);
  return bytes;
}

typedef struct {
  gsize bytes;
  gboolean staging, idle;
  const CapraBudget *budget;
} Request;

/* How much more memory @buffer occupies when it serves @request. */
static gsize
get_growth (const CapraBuffer *buffer, const Request *request)
{
  return request->bytes > buffer->bytes ? request->bytes - buffer->bytes : 0;
}

/* The smallest request that @buffer serves at present. */
static gsize
get_least (const CapraBuffer *buffer, const CapraBudget *budget)
{
  guint64 used = capra_budget_get_in_use (budget) + buffer->bytes;

  if (!buffer->in_large_pages)
    return MIN_REQUEST (buffer->capacity);
  return used <= budget->memory.budget / 2 ? MIN_PAGES_REQUEST (buffer->capacity) : MIN_REQUEST (buffer->bytes);
}

static gboolean
serves (const CapraBuffer *buffer, const Request *request)
{
  gsize growth = get_growth (buffer, request);

  return (buffer->host != NULL) == request->staging && buffer->capacity >= request->bytes
         && get_least (buffer, request->budget) <= request->bytes
         && (growth == 0 || capra_budget_has_room (request->budget, growth))
         && (!request->idle || capra_buffer_is_idle (buffer));
}

/* The buffer that serves a request with the least memory, so that larger ones remain for other requests; of several the
 * most recently used one, which is the likeliest to be in caches. */
static gint64
cost_of (gpointer data, gpointer user_data)
{
  const CapraBuffer *buffer = data;
  const Request *request = user_data;

  return serves (buffer, request) ? (gint64) (buffer->capacity + get_growth (buffer, request)) : -1;
}

/* The largest buffer that a slightly larger one replaces. */
static gint64
cost_of_smaller (gpointer data, gpointer user_data)
{
  const CapraBuffer *buffer = data;
  const Request *request = user_data;

  if ((buffer->host != NULL) != request->staging || buffer->capacity >= request->bytes
      || buffer->capacity < MIN_REQUEST (request->bytes) || !capra_buffer_is_idle (buffer))
    return -1;
  return (gint64) (request->bytes - buffer->capacity);
}

/* A free buffer, or NULL; with @idle none with pending commands. */
static CapraBuffer *
take_free (CapraPool *pool, gsize bytes, CapraMemoryKind kind, gboolean idle)
{
  Request request = { bytes, kind == CAPRA_MEMORY_STAGING, idle, &pool->budget };
  CapraBuffer *buffer = NULL;

  g_mutex_lock (&pool->lock);
  buffer = capra_idle_cache_take (pool->free, cost_of, &request);
  if (!buffer && idle && !capra_budget_has_room (&pool->budget, bytes))
    {
      request.idle = FALSE;
      buffer = capra_idle_cache_take (pool->free, cost_of, &request);
    }
  if (buffer)
    {
      capra_budget_grow (&pool->budget, get_growth (buffer, &request));
      buffer->bytes = MAX (buffer->bytes, bytes);
      capra_budget_move (&pool->budget, buffer->bytes, CAPRA_MEMORY_POOL, kind);
      buffer->kind = kind;
    }
  g_mutex_unlock (&pool->lock);
  return buffer;
}

/* Returns a free buffer to the driver that is a little too small for a request. The buffer that is allocated instead
 * serves both: otherwise, requests that grow step by step, as those of a host's chunks, would leave a free buffer of
 * each size. */
static void
drop_smaller (CapraPool *pool, gsize bytes, CapraMemoryKind kind)
{
  Request request = { bytes, kind == CAPRA_MEMORY_STAGING, TRUE, &pool->budget };
  CapraBuffer *buffer = NULL;

  g_mutex_lock (&pool->lock);
  buffer = capra_idle_cache_take (pool->free, cost_of_smaller, &request);
  if (buffer)
    destroy_free (pool, buffer);
  g_mutex_unlock (&pool->lock);
}

/* Counts @bytes more, if the budget allows that. */
static gboolean
reserve (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  CapraPool *pool = pool_get (context);
  gboolean fits = FALSE;

  g_mutex_lock (&pool->lock);
  if (kind != CAPRA_MEMORY_STAGING && !capra_budget_has_room (&pool->budget, bytes))
    drop_free (pool, is_device_memory);
  fits = capra_budget_reserve (&pool->budget, bytes, kind);
  if (!fits)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
                 _ ("device %s: allocating %.1f MiB exceeds Capra's memory budget of %.1f MiB (%.1f MiB in use): use a "
                    "smaller image or another device, or raise CAPRA_MEMORY_BUDGET"),
                 context->info->name, bytes / 1048576.0, pool->budget.memory.budget / 1048576.0,
                 capra_budget_get_in_use (&pool->budget) / 1048576.0);
  g_mutex_unlock (&pool->lock);
  return fits;
}

/* Calls the release function, if there is one. If another thread is calling it, waits for the memory that it frees. */
static gboolean
release (CapraContext *context)
{
  CapraPool *pool = pool_get (context);
  CapraReleaseFunc func = g_atomic_pointer_get (&release_function);
  gboolean first = FALSE, freed = FALSE;

  if (!func)
    return FALSE;
  first = g_mutex_trylock (&pool->releasing);
  if (first)
    freed = func (context->device);
  else
    g_mutex_lock (&pool->releasing);
  g_mutex_unlock (&pool->releasing);
  return freed || !first;
}

/* Frees some memory in favor of @bytes, unless the budget could not hold them in any case. What can be computed again
 * goes before arrays whose contents have to move to the host. */
static gboolean
free_for (CapraContext *context, gsize bytes)
{
  CapraPool *pool = pool_get (context);
  gboolean useful = FALSE;

  g_mutex_lock (&pool->lock);
  useful = bytes <= pool->budget.memory.budget;
  g_mutex_unlock (&pool->lock);
  return useful && (release (context) || capra_pool_evict (context));
}

static gboolean
is_shortage (cl_int status)
{
  return status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY
         || status == CL_MAP_FAILURE;
}

/* Allocates reserved @bytes from the driver. While that lacks memory, frees some and tries again. Staging may lack
 * memory of the device, too: NVIDIA's driver takes the same amount of it for mapped memory. */
static CapraBuffer *
allocate_reserved (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  CapraPool *pool = pool_get (context);
  CapraBuffer *buffer = NULL;
  cl_int status = CL_SUCCESS;
  guint64 staging = 0;

  do
    buffer = capra_buffer_new (context, bytes, kind, &status);
  while (is_shortage (status) && (capra_pool_trim (context, &staging) > 0 || staging > 0 || free_for (context, bytes)));
  if (!capra_context_check (context, status, "clCreateBuffer", NULL, error))
    {
      g_mutex_lock (&pool->lock);
      capra_budget_release (&pool->budget, bytes, kind);
      g_mutex_unlock (&pool->lock);
    }
  return buffer;
}

static CapraBuffer *
allocate (CapraContext *context, gsize bytes, CapraMemoryKind kind, gboolean idle, GError **error)
{
  gsize rounded = (MAX (bytes, 1) + GRANULE - 1) / GRANULE * GRANULE;
  CapraBuffer *buffer = NULL;
  gboolean freed = TRUE;

  if (!capra_fork_check (error))
    return NULL;
  if (rounded > context->info->max_allocation)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
                   _ ("device %s: cannot allocate %.1f MiB at once, its limit is %.1f MiB: use a smaller image or "
                      "another device"),
                   context->info->name, rounded / 1048576.0, context->info->max_allocation / 1048576.0);
      return NULL;
    }

  while (!(buffer = take_free (pool_get (context), rounded, kind, idle)))
    {
      g_autoptr (GError) local = NULL;

      drop_smaller (pool_get (context), rounded, kind);
      if (reserve (context, rounded, kind, &local))
        return allocate_reserved (context, rounded, kind, error);
      if (!freed)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      freed = free_for (context, rounded); /* if not, another thread may have done so meanwhile */
    }
  return buffer;
}

CapraBuffer *
capra_pool_allocate (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  return allocate (context, bytes, kind, FALSE, error);
}

CapraBuffer *
capra_pool_allocate_idle (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  return allocate (context, bytes, kind, !context->info->unified, error);
}

void
capra_pool_release (CapraBuffer *buffer)
{
  CapraPool *pool = NULL;

  if (!buffer || capra_fork_is_child ())
    return;
  pool = pool_get (buffer->context);
  g_mutex_lock (&pool->lock);
  capra_budget_move (&pool->budget, buffer->bytes, buffer->kind, CAPRA_MEMORY_POOL);
  buffer->kind = CAPRA_MEMORY_POOL;
  capra_idle_cache_add (pool->free, buffer);
  if (!capra_budget_has_room (&pool->budget, 0))
    drop_free (pool, is_device_memory);
  g_mutex_unlock (&pool->lock);
}

void
capra_pool_set_kind (CapraBuffer *buffer, CapraMemoryKind kind)
{
  CapraPool *pool = pool_get (buffer->context);

  g_mutex_lock (&pool->lock);
  capra_budget_move (&pool->budget, buffer->bytes, buffer->kind, kind);
  buffer->kind = kind;
  g_mutex_unlock (&pool->lock);
}

CapraEvictionQueue *
capra_pool_get_eviction_queue (CapraContext *context)
{
  return &pool_get (context)->eviction;
}

void
capra_pool_set_release_function (CapraReleaseFunc func)
{
  g_atomic_pointer_set (&release_function, func);
}

gboolean
capra_pool_evict (CapraContext *context)
{
  CapraPool *pool = pool_get (context);
  gboolean done = capra_eviction_queue_evict (&pool->eviction);

  g_mutex_lock (&pool->lock);
  pool->budget.memory.evictions += done;
  g_mutex_unlock (&pool->lock);
  return done;
}

guint64
capra_pool_trim (CapraContext *context, guint64 *staging)
{
  CapraPool *pool = pool_get (context);
  guint64 bytes = 0;

  g_mutex_lock (&pool->lock);
  if (staging)
    *staging = pool->budget.free_staging;
  bytes = drop_free (pool, NULL);
  g_mutex_unlock (&pool->lock);
  return bytes;
}

void
capra_pool_query (CapraContext *context, CapraMemory *memory)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  *memory = pool->budget.memory;
  g_mutex_unlock (&pool->lock);
}

void
capra_pool_set_budget (CapraContext *context, guint64 bytes)
{
  CapraPool *pool = pool_get (context);
  guint64 budget = bytes ? bytes : capra_device_budget_get (context->info, NULL);

  g_mutex_lock (&pool->lock);
  pool->budget.memory.budget = budget;
  g_mutex_unlock (&pool->lock);
}

void
capra_pool_count_freed (CapraContext *context, guint64 bytes)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  pool->budget.memory.freed += bytes;
  g_mutex_unlock (&pool->lock);
}

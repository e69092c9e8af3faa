/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory: the accounts of each device, its budget, the pool of free blocks, and who has to give way. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/memory/memory-private.h"
#include "runtime/device/settings.h"

/* Free blocks older than this go back to the driver. */
#define IDLE (10 * G_TIME_SPAN_SECOND)

struct _CapraPool {
  GMutex evicting; /* held while an array is evicted, so that others wait for what it frees */
  GMutex lock;
  GCond wake;
  GQueue blocks;    /* free, the oldest first */
  GQueue residents; /* arrays that may be evicted, the least recently used first */
  CapraMemory memory;
  guint64 staging;   /* bytes of the free blocks that are the host's */
  gboolean trimming; /* the thread that gives idle blocks back runs */
};

static guint64
parse_budget (const char *text, guint64 total)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);
  double unit = 1048576.0;

  if (end == text || !(value > 0))
    {
      g_warning (_ ("invalid memory budget \"%s\": use a size in MiB, or a number with the suffix K, M, G or %%"),
                 text);
      return 0;
    }
  switch (g_ascii_toupper (*end))
    {
    case 'K': unit = 1024.0; break;
    case 'G': unit = 1073741824.0; break;
    case '%': unit = total / 100.0; break;
    default: break;
    }
  return (guint64) (value * unit);
}

static guint64
default_budget (const CapraDeviceInfo *info)
{
  g_autofree char *text = capra_settings_get ("memory-budget");
  guint64 budget = text ? parse_budget (text, info->memory) : 0;

  if (budget == 0)
    budget = info->type == CAPRA_DEVICE_CPU ? info->memory / 2 : info->memory / 10 * 8;
  return budget;
}

static CapraPool *
pool_get (CapraContext *context)
{
  if (g_once_init_enter (&context->pool))
    {
      CapraPool *pool = g_new0 (CapraPool, 1);

      g_mutex_init (&pool->evicting);
      g_mutex_init (&pool->lock);
      g_cond_init (&pool->wake);
      g_queue_init (&pool->blocks);
      g_queue_init (&pool->residents);
      pool->memory.budget = default_budget (context->info);
      g_once_init_leave (&context->pool, pool);
    }
  return context->pool;
}

static guint64
in_use (const CapraMemory *memory)
{
  return memory->bytes[CAPRA_MEMORY_ARRAYS] + memory->bytes[CAPRA_MEMORY_RESIDENT];
}

static void
account (CapraMemory *memory, gint64 bytes, CapraMemoryKind kind)
{
  memory->bytes[kind] += bytes;
  memory->peak = MAX (memory->peak, in_use (memory));
}

/* Destroys free blocks that were given back at @before or earlier, of the device's memory only or of the host's, too;
 * returns how many bytes of the device's memory they had. Lock held. */
static guint64
pool_drop (CapraPool *pool, gint64 before, gboolean staging)
{
  guint64 dropped = 0;

  for (GList *link = pool->blocks.head, *next = NULL; link; link = next)
    {
      CapraBlock *block = link->data;

      next = link->next;
      if (block->freed > before)
        break;
      if (block->host && !staging)
        continue;
      g_queue_delete_link (&pool->blocks, link);
      account (&pool->memory, -(gint64) block->bytes, CAPRA_MEMORY_POOL);
      if (block->host)
        pool->staging -= block->bytes;
      else
        dropped += block->bytes;
      capra_block_destroy (block);
    }
  return dropped;
}

/* What counts against the budget: pinned memory of the host does not, it takes long to make. */
static guint64
taken (const CapraPool *pool)
{
  return in_use (&pool->memory) + pool->memory.bytes[CAPRA_MEMORY_POOL] - pool->staging;
}

/* Lives while the pool has blocks, so that an idle process gives its memory back. */
static gpointer
pool_trim_idle (gpointer data)
{
  CapraPool *pool = data;

  g_mutex_lock (&pool->lock);
  while (!g_queue_is_empty (&pool->blocks))
    {
      CapraBlock *oldest = g_queue_peek_head (&pool->blocks);

      if (!g_cond_wait_until (&pool->wake, &pool->lock, oldest->freed + IDLE))
        pool_drop (pool, g_get_monotonic_time () - IDLE, TRUE);
    }
  pool->trimming = FALSE;
  g_mutex_unlock (&pool->lock);
  return NULL;
}

gboolean
capra_memory_reserve (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error)
{
  CapraPool *pool = pool_get (context);
  CapraMemory *memory = &pool->memory;
  gboolean fits = TRUE;

  g_mutex_lock (&pool->lock);
  if (kind != CAPRA_MEMORY_STAGING)
    {
      if (taken (pool) + bytes > memory->budget)
        pool_drop (pool, G_MAXINT64, FALSE);
      fits = in_use (memory) + bytes <= memory->budget;
    }
  if (fits)
    {
      account (memory, (gint64) bytes, kind);
      memory->allocations++;
    }
  else
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
                 _ ("device %s: allocating %.1f MiB exceeds Capra's memory budget of %.1f MiB (%.1f MiB in use): use a "
                    "smaller image or another device, or raise CAPRA_MEMORY_BUDGET"),
                 context->info->name, bytes / 1048576.0, memory->budget / 1048576.0, in_use (memory) / 1048576.0);
  g_mutex_unlock (&pool->lock);
  return fits;
}

gboolean
capra_memory_has_room (CapraContext *context, gsize bytes)
{
  CapraPool *pool = pool_get (context);
  gboolean room = FALSE;

  g_mutex_lock (&pool->lock);
  room = taken (pool) + bytes <= pool->memory.budget;
  g_mutex_unlock (&pool->lock);
  return room;
}

void
capra_memory_release (CapraContext *context, gsize bytes, CapraMemoryKind kind)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  account (&pool->memory, -(gint64) bytes, kind);
  g_mutex_unlock (&pool->lock);
}

void
capra_memory_move (CapraContext *context, gsize bytes, CapraMemoryKind from, CapraMemoryKind to)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  pool->memory.bytes[from] -= bytes; /* before the peak is looked at: the sum does not change */
  account (&pool->memory, (gint64) bytes, to);
  g_mutex_unlock (&pool->lock);
}

CapraBlock *
capra_pool_take (CapraContext *context, gsize bytes, CapraMemoryKind kind, gboolean idle)
{
  CapraPool *pool = pool_get (context);
  CapraBlock *found = NULL;
  GList *best = NULL;

  g_mutex_lock (&pool->lock);
  /* The smallest, so that larger ones are there for who needs them, as they were the last time; of those the
   * latest: it is the likeliest to be in caches. */
  for (GList *link = pool->blocks.tail; link; link = link->prev)
    if (capra_block_fits (link->data, bytes, kind == CAPRA_MEMORY_STAGING)
        && (!best || ((CapraBlock *) link->data)->bytes < ((CapraBlock *) best->data)->bytes)
        && (!idle || capra_block_is_idle (link->data)))
      best = link;
  if (best)
    {
      found = best->data;
      g_queue_delete_link (&pool->blocks, best);
    }
  if (found)
    {
      pool->memory.bytes[CAPRA_MEMORY_POOL] -= found->bytes;
      if (found->host)
        pool->staging -= found->bytes;
      account (&pool->memory, (gint64) found->bytes, kind);
      found->kind = kind;
    }
  g_mutex_unlock (&pool->lock);
  return found;
}

void
capra_pool_give (CapraBlock *block)
{
  CapraPool *pool = pool_get (block->context);
  CapraMemory *memory = &pool->memory;

  g_mutex_lock (&pool->lock);
  memory->bytes[block->kind] -= block->bytes;
  memory->bytes[CAPRA_MEMORY_POOL] += block->bytes;
  block->freed = g_get_monotonic_time ();
  g_queue_push_tail (&pool->blocks, block);
  if (block->host)
    pool->staging += block->bytes;
  if (taken (pool) > memory->budget)
    pool_drop (pool, G_MAXINT64, FALSE);
  if (!pool->trimming && !g_queue_is_empty (&pool->blocks))
    {
      g_autoptr (GThread) thread = g_thread_try_new ("capra-trim", pool_trim_idle, pool, NULL);

      pool->trimming = thread != NULL;
    }
  g_mutex_unlock (&pool->lock);
}

void
capra_memory_touch (CapraContext *context, GList *link)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  if (link->prev || link->next || pool->residents.head == link)
    g_queue_unlink (&pool->residents, link);
  g_queue_push_tail_link (&pool->residents, link);
  g_mutex_unlock (&pool->lock);
}

void
capra_memory_forget (CapraContext *context, GList *link)
{
  CapraPool *pool = pool_get (context);

  g_mutex_lock (&pool->lock);
  if (link->prev || link->next || pool->residents.head == link)
    g_queue_unlink (&pool->residents, link);
  g_mutex_unlock (&pool->lock);
}

gboolean
capra_memory_evict (CapraContext *context, gsize bytes)
{
  CapraPool *pool = pool_get (context);
  gboolean done = FALSE;
  guint left = 0;

  g_mutex_lock (&pool->evicting);
  g_mutex_lock (&pool->lock);
  left = bytes <= pool->memory.budget ? pool->residents.length : 0;
  for (; !done && left > 0 && pool->residents.head; left--)
    {
      GList *link = g_queue_pop_head_link (&pool->residents);
      gpointer array = link->data;

      /* One that is in use goes behind the others. */
      g_queue_push_tail_link (&pool->residents, link);
      if (!capra_array_claim (array))
        continue;
      g_mutex_unlock (&pool->lock); /* the device is waited for */
      done = capra_array_evict (array);
      g_mutex_lock (&pool->lock);
    }
  pool->memory.evictions += done;
  g_mutex_unlock (&pool->lock);
  g_mutex_unlock (&pool->evicting);
  return done;
}

guint64
capra_memory_free_unused (CapraDevice *device)
{
  CapraContext *context = capra_context_peek (device);
  CapraPool *pool = context ? pool_get (context) : NULL;
  guint64 freed = 0;

  if (!pool)
    return 0;
  while (capra_memory_evict (context, 0))
    ;
  g_mutex_lock (&pool->lock);
  freed = pool_drop (pool, G_MAXINT64, TRUE);
  pool->memory.freed += freed;
  g_cond_signal (&pool->wake);
  g_mutex_unlock (&pool->lock);
  return freed;
}

void
capra_memory_query (CapraDevice *device, CapraMemory *memory)
{
  CapraContext *context = capra_context_peek (device);
  CapraPool *pool = context ? pool_get (context) : NULL;

  memset (memory, 0, sizeof *memory);
  if (!pool)
    {
      memory->budget = default_budget (capra_device_get_info (device));
      return;
    }
  g_mutex_lock (&pool->lock);
  *memory = pool->memory;
  g_mutex_unlock (&pool->lock);
}

void
capra_memory_set_budget (CapraDevice *device, guint64 bytes)
{
  CapraContext *context = capra_context_get (device, NULL);
  CapraPool *pool = context ? pool_get (context) : NULL;

  if (!pool)
    return;
  g_mutex_lock (&pool->lock);
  pool->memory.budget = bytes ? bytes : default_budget (context->info);
  g_mutex_unlock (&pool->lock);
}

guint64
capra_memory_trim (CapraDevice *device)
{
  CapraContext *context = capra_context_peek (device);
  CapraPool *pool = context ? pool_get (context) : NULL;
  guint64 bytes = 0;

  if (!pool)
    return 0;
  g_mutex_lock (&pool->lock);
  bytes = pool->memory.bytes[CAPRA_MEMORY_POOL];
  pool_drop (pool, G_MAXINT64, TRUE);
  g_cond_signal (&pool->wake);
  g_mutex_unlock (&pool->lock);
  return bytes;
}

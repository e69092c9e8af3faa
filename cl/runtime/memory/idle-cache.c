/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Idle cache: a queue ordered by use, and a thread that frees what was not used for a while. */
#include "runtime/memory/idle-cache.h"

#include "runtime/base/fork.h"

typedef struct {
  gpointer item;
  gint64 used; /* monotonic microseconds */
} Entry;

struct _CapraIdleCache {
  const char *name;
  GTimeSpan idle;
  GDestroyNotify free_item;
  GMutex lock;
  GCond changed;    /* the cache became empty, or the thread ended */
  GQueue entries;   /* of Entry, the most recently used last */
  gboolean running; /* the thread */
};

CapraIdleCache *
capra_idle_cache_new (const char *name, GTimeSpan idle, GDestroyNotify free_item)
{
  CapraIdleCache *cache = NULL;

  g_return_val_if_fail (name && idle > 0 && free_item, NULL);

  cache = g_new0 (CapraIdleCache, 1);
  cache->name = name;
  cache->idle = idle;
  cache->free_item = free_item;
  g_mutex_init (&cache->lock);
  g_cond_init (&cache->changed);
  g_queue_init (&cache->entries);
  return cache;
}

/* Removes the entry at @link and returns its item. The lock is held. */
static gpointer
remove_link (CapraIdleCache *cache, GList *link)
{
  Entry *entry = link->data;
  gpointer item = entry->item;

  g_queue_delete_link (&cache->entries, link);
  g_free (entry);
  return item;
}

/* Removes the items that were not used since @limit. The lock is held. */
static GSList *
remove_unused_since (CapraIdleCache *cache, gint64 limit)
{
  GSList *items = NULL;

  while (cache->entries.head && ((Entry *) cache->entries.head->data)->used <= limit)
    items = g_slist_prepend (items, remove_link (cache, cache->entries.head));
  return items;
}

static gpointer
free_idle_items (gpointer data)
{
  CapraIdleCache *cache = data;

  g_mutex_lock (&cache->lock);
  while (cache->entries.head)
    {
      gint64 end = ((Entry *) cache->entries.head->data)->used + cache->idle;
      GSList *items = NULL;

      if (g_cond_wait_until (&cache->changed, &cache->lock, end))
        continue;
      items = remove_unused_since (cache, g_get_monotonic_time () - cache->idle);
      g_mutex_unlock (&cache->lock);
      g_slist_free_full (items, cache->free_item);
      g_mutex_lock (&cache->lock);
    }
  cache->running = FALSE;
  g_cond_signal (&cache->changed);
  g_mutex_unlock (&cache->lock);
  return NULL;
}

void
capra_idle_cache_free (CapraIdleCache *cache)
{
  if (!cache || capra_fork_is_child ())
    return;
  g_slist_free_full (capra_idle_cache_steal (cache, NULL, NULL), cache->free_item);
  g_mutex_lock (&cache->lock);
  while (cache->running)
    g_cond_wait (&cache->changed, &cache->lock);
  g_mutex_unlock (&cache->lock);
  g_mutex_clear (&cache->lock);
  g_cond_clear (&cache->changed);
  g_free (cache);
}

void
capra_idle_cache_add (CapraIdleCache *cache, gpointer item)
{
  Entry *entry = NULL;

  if (capra_fork_is_child ())
    {
      cache->free_item (item);
      return;
    }
  entry = g_new (Entry, 1);
  g_mutex_lock (&cache->lock);
  *entry = (Entry){ item, g_get_monotonic_time () };
  g_queue_push_tail (&cache->entries, entry);
  if (!cache->running)
    {
      /* If the system refuses a thread, the next item tries again. */
      g_autoptr (GThread) thread = g_thread_try_new (cache->name, free_idle_items, cache, NULL);

      cache->running = thread != NULL;
    }
  g_mutex_unlock (&cache->lock);
}

gpointer
capra_idle_cache_find (CapraIdleCache *cache, CapraIdleCacheMatchFunc match, gpointer data)
{
  GList *link = NULL;
  gpointer item = NULL;

  if (capra_fork_is_child ())
    return NULL;
  g_mutex_lock (&cache->lock);
  for (link = cache->entries.tail; link; link = link->prev)
    if (match (((Entry *) link->data)->item, data))
      break;
  if (link)
    {
      Entry *entry = link->data;

      item = entry->item;
      entry->used = g_get_monotonic_time ();
      g_queue_unlink (&cache->entries, link);
      g_queue_push_tail_link (&cache->entries, link);
    }
  g_mutex_unlock (&cache->lock);
  return item;
}

gpointer
capra_idle_cache_take (CapraIdleCache *cache, CapraIdleCacheCostFunc cost, gpointer data)
{
  GList *best = NULL;
  gint64 lowest = G_MAXINT64;
  gpointer item = NULL;

  if (capra_fork_is_child ())
    return NULL;
  g_mutex_lock (&cache->lock);
  for (GList *link = cache->entries.tail; link && lowest > 0; link = link->prev)
    {
      gint64 found = cost ? cost (((Entry *) link->data)->item, data) : 0;

      if (found < 0 || found >= lowest)
        continue;
      best = link;
      lowest = found;
    }
  if (best)
    item = remove_link (cache, best);
  g_mutex_unlock (&cache->lock);
  return item;
}

GSList *
capra_idle_cache_steal (CapraIdleCache *cache, CapraIdleCacheMatchFunc match, gpointer data)
{
  GSList *items = NULL;

  if (capra_fork_is_child ())
    return NULL;
  g_mutex_lock (&cache->lock);
  for (GList *link = cache->entries.tail, *previous = NULL; link; link = previous)
    {
      previous = link->prev;
      if (!match || match (((Entry *) link->data)->item, data))
        items = g_slist_prepend (items, remove_link (cache, link));
    }
  if (!cache->entries.head)
    g_cond_signal (&cache->changed);
  g_mutex_unlock (&cache->lock);
  return items;
}

/* What the more recently used items occupy. */
typedef struct {
  CapraIdleCacheSizeFunc size;
  const CapraIdleCacheLimits *limits;
  guint items;
  guint64 bytes;
} Usage;

static gboolean
exceeds_limits (gpointer item, gpointer data)
{
  Usage *usage = data;

  usage->items++;
  usage->bytes += usage->size (item);
  return usage->items > usage->limits->kept
         && (usage->items > usage->limits->items || usage->bytes > usage->limits->bytes);
}

void
capra_idle_cache_limit (CapraIdleCache *cache, CapraIdleCacheSizeFunc size, const CapraIdleCacheLimits *limits)
{
  Usage usage = { size, limits };

  g_slist_free_full (capra_idle_cache_steal (cache, exceeds_limits, &usage), cache->free_item);
}

guint
capra_idle_cache_get_length (CapraIdleCache *cache)
{
  guint length = 0;

  if (capra_fork_is_child ())
    return 0;
  g_mutex_lock (&cache->lock);
  length = cache->entries.length;
  g_mutex_unlock (&cache->lock);
  return length;
}

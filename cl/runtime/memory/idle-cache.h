/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Idle cache: keeps items for their next use, and frees those that nobody has used for a while. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraIdleCache:
 *
 * A cache ordered by use. A thread of its own, which exists only while the cache holds items, frees each item that was
 * neither added nor found during the cache's idle time. All functions may be called from any thread.
 *
 * In a child forked from a process that has loaded an OpenCL driver, a cache is empty and stores nothing.
 */
typedef struct _CapraIdleCache CapraIdleCache;

/**
 * CapraIdleCacheMatchFunc:
 *
 * Called with the cache locked: must not call functions of the cache. May take a reference on @item when it matches.
 *
 * Returns: whether @item matches
 */
typedef gboolean (*CapraIdleCacheMatchFunc) (gpointer item, gpointer data);

/**
 * CapraIdleCacheCostFunc:
 *
 * Called with the cache locked: must not call functions of the cache.
 *
 * Returns: the cost of using @item; negative if it is unsuitable
 */
typedef gint64 (*CapraIdleCacheCostFunc) (gpointer item, gpointer data);

/**
 * capra_idle_cache_new:
 * @name: the name of its thread, at most 15 bytes; static
 * @idle: the idle time after which an item is freed, in microseconds, such as 10 * %G_TIME_SPAN_SECOND
 * @free_item: frees an item; called without locks, usually in the cache's thread
 *
 * Returns: (transfer full): an empty cache
 */
CAPRA_API
CapraIdleCache *capra_idle_cache_new (const char *name, GTimeSpan idle, GDestroyNotify free_item);

/**
 * capra_idle_cache_free:
 * @cache: (transfer full) (nullable): a cache that no other thread uses
 *
 * Frees the items and the cache, and ends its thread.
 */
CAPRA_API
void capra_idle_cache_free (CapraIdleCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraIdleCache, capra_idle_cache_free)

/**
 * capra_idle_cache_add:
 * @item: (transfer full): becomes the most recently used item
 */
CAPRA_API
void capra_idle_cache_add (CapraIdleCache *cache, gpointer item);

/**
 * capra_idle_cache_find:
 *
 * The item stays in the cache, which may free it at any time: if it is used further, @match takes a reference.
 *
 * Returns: (transfer none) (nullable): the most recently used item that matches; now the most recently used of all
 */
CAPRA_API
gpointer capra_idle_cache_find (CapraIdleCache *cache, CapraIdleCacheMatchFunc match, gpointer data);

/**
 * capra_idle_cache_take:
 * @cost: (nullable): %NULL if any item will do
 *
 * Removes the item with the lowest cost; of several, the most recently used one. The search goes from the most recently
 * used item to the least recently used one and ends at cost 0.
 *
 * Returns: (transfer full) (nullable): the item; %NULL if none is suitable
 */
CAPRA_API
gpointer capra_idle_cache_take (CapraIdleCache *cache, CapraIdleCacheCostFunc cost, gpointer data);

/**
 * capra_idle_cache_steal:
 * @match: (nullable): %NULL for all items; called from the most recently used item to the least recently used one
 *
 * Removes the items that match, and leaves freeing them to the caller.
 *
 * Returns: (transfer full): the items, the least recently used first
 */
CAPRA_API
GSList *capra_idle_cache_steal (CapraIdleCache *cache, CapraIdleCacheMatchFunc match, gpointer data);

/**
 * CapraIdleCacheSizeFunc:
 *
 * Called with the cache locked: must not call functions of the cache.
 *
 * Returns: the bytes that @item occupies
 */
typedef guint64 (*CapraIdleCacheSizeFunc) (gpointer item);

/**
 * CapraIdleCacheLimits:
 * @kept: the number of items that stay whatever their size
 * @items: the maximum number of items
 * @bytes: the maximum size of all items
 */
typedef struct {
  guint kept, items;
  guint64 bytes;
} CapraIdleCacheLimits;

/**
 * capra_idle_cache_limit:
 * @size: the size of an item
 *
 * Frees the least recently used items as far as the cache exceeds @limits.
 */
CAPRA_API
void capra_idle_cache_limit (CapraIdleCache *cache, CapraIdleCacheSizeFunc size, const CapraIdleCacheLimits *limits);

/**
 * capra_idle_cache_get_length:
 * Returns: the number of items
 */
CAPRA_API
guint capra_idle_cache_get_length (CapraIdleCache *cache);

G_END_DECLS

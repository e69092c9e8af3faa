/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation, or the parts that are computed, until something changes. */
#include "plugin/compute/result-cache.h"

#include "runtime/memory/idle-cache.h"

/* The time after which results that nobody asks for are freed. */
#define IDLE_TIME G_TIME_SPAN_MINUTE
/* The maximum size of all results is that of GEGL's tile cache divided by this. */
#define SHARE 2

struct _CapraResultCache {
  gatomicrefcount refs; /* one of them is of the list of results that may be freed */
  GMutex lock;          /* guards the rest */
  GeglBuffer *buffer;   /* (nullable): shows the result */
  CapraTileMap *map;    /* (nullable): the parts of the result, if it was computed in parts */
  guint generation;     /* incremented by each invalidation */
};

CapraResultCache *
capra_result_cache_new (void)
{
  CapraResultCache *cache = g_new0 (CapraResultCache, 1);

  g_atomic_ref_count_init (&cache->refs);
  g_mutex_init (&cache->lock);
  return cache;
}

static void
unref (CapraResultCache *cache)
{
  if (!g_atomic_ref_count_dec (&cache->refs))
    return;
  g_clear_object (&cache->buffer);
  g_clear_pointer (&cache->map, capra_tile_map_unref);
  g_mutex_clear (&cache->lock);
  g_free (cache);
}

/* Replaces the contents. Takes the references, and the lock, which it releases before it releases the old contents, as
 * that may call the driver. */
static void
replace (CapraResultCache *cache, GeglBuffer *buffer, CapraTileMap *map)
{
  GeglBuffer *old_buffer = cache->buffer;
  CapraTileMap *old_map = cache->map;

  cache->buffer = buffer;
  cache->map = map;
  g_mutex_unlock (&cache->lock);
  g_clear_object (&old_buffer);
  g_clear_pointer (&old_map, capra_tile_map_unref);
}

/* Frees the result; the operation computes it again. */
static void
free_result (gpointer data)
{
  CapraResultCache *cache = data;

  g_mutex_lock (&cache->lock);
  replace (cache, NULL, NULL);
  unref (cache);
}

/* The results of the process that may be freed. */
static CapraIdleCache *
get_results (void)
{
  static CapraIdleCache *results;

  if (g_once_init_enter (&results))
    g_once_init_leave (&results, capra_idle_cache_new ("capra-results", IDLE_TIME, free_result));
  return results;
}

static gboolean
is_item (gpointer item, gpointer data)
{
  return item == data;
}

static void
remove_item (gpointer item)
{
  unref (item);
}

void
capra_result_cache_free (CapraResultCache *cache)
{
  g_slist_free_full (capra_idle_cache_steal (get_results (), is_item, cache), remove_item);
  g_mutex_lock (&cache->lock);
  replace (cache, NULL, NULL);
  unref (cache);
}

static guint64
get_bytes (CapraResultCache *cache)
{
  guint64 bytes = 0;

  g_mutex_lock (&cache->lock);
  for (guint i = 0; cache->map && i < cache->map->parts->len; i++)
    {
      const CapraTileGrid *grid = capra_device_tiles_get_grid (cache->map->parts->pdata[i]);

      bytes += (guint64) grid->extent.width * (guint64) grid->extent.height * grid->tile_pixel;
    }
  g_mutex_unlock (&cache->lock);
  return bytes;
}

/* What the more recently used results occupy. */
typedef struct {
  guint n;
  guint64 bytes, max_bytes;
} Usage;

static gboolean
is_surplus (gpointer item, gpointer data)
{
  Usage *usage = data;

  usage->bytes += get_bytes (item);
  return usage->n++ > 0 && usage->bytes > usage->max_bytes;
}

/* Adds the result to those that may be freed, or marks it as used. */
static void
use_result (CapraResultCache *cache)
{
  guint64 tile_cache = 0;
  Usage usage = { 0 };

  if (!capra_idle_cache_find (get_results (), is_item, cache))
    {
      g_atomic_ref_count_inc (&cache->refs);
      capra_idle_cache_add (get_results (), cache);
    }
  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  usage.max_bytes = tile_cache / SHARE;
  g_slist_free_full (capra_idle_cache_steal (get_results (), is_surplus, &usage), free_result);
}

guint
capra_result_cache_begin (CapraResultCache *cache)
{
  guint generation = 0;

  g_mutex_lock (&cache->lock);
  generation = cache->generation;
  g_mutex_unlock (&cache->lock);
  return generation;
}

GeglBuffer *
capra_result_cache_get (CapraResultCache *cache)
{
  GeglBuffer *buffer = NULL;

  g_mutex_lock (&cache->lock);
  g_set_object (&buffer, cache->buffer);
  g_mutex_unlock (&cache->lock);
  return buffer;
}

CapraTileMap *
capra_result_cache_get_map (CapraResultCache *cache)
{
  CapraTileMap *map = NULL;

  g_mutex_lock (&cache->lock);
  if (cache->map)
    map = capra_tile_map_ref (cache->map);
  g_mutex_unlock (&cache->lock);
  if (map)
    use_result (cache);
  return map;
}

gboolean
capra_result_cache_is_valid (CapraResultCache *cache)
{
  gboolean valid = FALSE;

  g_mutex_lock (&cache->lock);
  valid = cache->buffer != NULL;
  g_mutex_unlock (&cache->lock);
  return valid;
}

void
capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, CapraTileMap *map, guint generation)
{
  g_mutex_lock (&cache->lock);
  if (generation != cache->generation)
    {
      g_mutex_unlock (&cache->lock);
      return;
    }
  replace (cache, buffer ? g_object_ref (buffer) : NULL, map ? capra_tile_map_ref (map) : NULL);
  if (map)
    use_result (cache);
}

void
capra_result_cache_invalidate (CapraResultCache *cache)
{
  g_mutex_lock (&cache->lock);
  cache->generation++;
  replace (cache, NULL, NULL);
}

void
capra_result_cache_invalidate_rect (CapraResultCache *cache, const GeglRectangle *rect, const GeglRectangle *removed)
{
  CapraTileMap *rest = NULL;

  g_mutex_lock (&cache->lock);
  cache->generation++;
  if (cache->map && !gegl_rectangle_is_empty (rect) && !gegl_rectangle_contains (rect, &cache->map->grid.extent))
    {
      rest = capra_tile_map_copy (cache->map);
      capra_tile_map_remove (rest, removed);
    }
  replace (cache, NULL, rest);
}

typedef struct {
  GClosure closure;
  CapraResultCache *cache;
  GeglOperation *operation; /* not a reference: the closure is invalidated with it */
  CapraInvalidatedFunc func;
} Watch;

/* The signal's arguments are the node and the invalidated rectangle. */
static void
node_invalidated (GClosure *closure, GValue *result, guint n_values, const GValue *values, gpointer hint, gpointer data)
{
  const Watch *watch = (const Watch *) closure;
  const GeglRectangle *rect = g_value_get_boxed (&values[1]);
  GeglRectangle removed = *rect;

  if (watch->func && !gegl_rectangle_is_empty (rect) && !gegl_rectangle_is_infinite_plane (rect))
    watch->func (watch->operation, &removed);
  capra_result_cache_invalidate_rect (watch->cache, rect, &removed);
}

void
capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation, CapraInvalidatedFunc func)
{
  GClosure *closure = g_closure_new_object (sizeof (Watch), G_OBJECT (operation));
  Watch *watch = (Watch *) closure;

  watch->cache = cache;
  watch->operation = operation;
  watch->func = func;
  g_closure_set_marshal (closure, node_invalidated);
  g_signal_connect_closure (operation->node, "invalidated", closure, FALSE);
}

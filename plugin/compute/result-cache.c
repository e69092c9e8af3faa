/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation, or the parts that are computed, until something changes. */
#include "plugin/compute/result-cache.h"

void
capra_result_cache_init (CapraResultCache *cache)
{
  g_mutex_init (&cache->lock);
}

void
capra_result_cache_clear (CapraResultCache *cache)
{
  g_clear_object (&cache->buffer);
  g_clear_pointer (&cache->map, capra_tile_map_unref);
  g_mutex_clear (&cache->lock);
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

/* Replaces the contents. References are released without the lock, as that may call the driver. */
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

void
capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, CapraTileMap *map, guint generation)
{
  g_mutex_lock (&cache->lock);
  if (generation == cache->generation)
    replace (cache, g_object_ref (buffer), map ? capra_tile_map_ref (map) : NULL);
  else
    g_mutex_unlock (&cache->lock);
}

void
capra_result_cache_invalidate (CapraResultCache *cache, const GeglRectangle *rect)
{
  CapraTileMap *rest = NULL;

  g_mutex_lock (&cache->lock);
  cache->generation++;
  if (rect && cache->map && !gegl_rectangle_is_empty (rect)
      && !gegl_rectangle_contains (rect, &cache->map->grid.extent))
    {
      rest = capra_tile_map_copy (cache->map);
      capra_tile_map_remove (rest, rect);
    }
  replace (cache, NULL, rest);
}

typedef struct {
  GClosure closure;
  CapraResultCache *cache;
} Watch;

/* The signal's arguments are the node and the invalidated rectangle. */
static void
node_invalidated (GClosure *closure, GValue *result, guint n_values, const GValue *values, gpointer hint, gpointer data)
{
  capra_result_cache_invalidate (((Watch *) closure)->cache, g_value_get_boxed (&values[1]));
}

void
capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation)
{
  GClosure *closure = g_closure_new_object (sizeof (Watch), G_OBJECT (operation));

  ((Watch *) closure)->cache = cache;
  g_closure_set_marshal (closure, node_invalidated);
  g_signal_connect_closure (operation->node, "invalidated", closure, FALSE);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation, or the parts that are computed, until something changes. */
#include "plugin/compute/result-cache.h"

#include "runtime/memory/idle-cache.h"

/* The time after which results that nobody asks for are freed. */
#define IDLE_TIME G_TIME_SPAN_MINUTE
/* The maximum size of all results is that of GEGL's tile cache divided by this. */
#define SHARE 2

/* A region that a thread computes. */
typedef struct {
  GThread *thread; /* only compared */
  GeglRectangle rect;
  guint generation;
} Computation;

struct _CapraResultCache {
  gatomicrefcount refs;     /* one of them is of the list of results that may be freed */
  GMutex lock;              /* guards the rest */
  CapraStoredResult stored; /* its generation is incremented by each invalidation */
  GArray *running;          /* of Computation */
  GCond ended;              /* one of them has ended */
};

void
capra_stored_result_clear (CapraStoredResult *stored)
{
  g_clear_object (&stored->buffer);
  g_clear_pointer (&stored->map, capra_tile_map_unref);
}

CapraResultCache *
capra_result_cache_new (void)
{
  CapraResultCache *cache = g_new0 (CapraResultCache, 1);

  g_atomic_ref_count_init (&cache->refs);
  g_mutex_init (&cache->lock);
  g_cond_init (&cache->ended);
  cache->running = g_array_new (FALSE, FALSE, sizeof (Computation));
  return cache;
}

static void
unref (CapraResultCache *cache)
{
  if (!g_atomic_ref_count_dec (&cache->refs))
    return;
  capra_stored_result_clear (&cache->stored);
  g_array_unref (cache->running);
  g_cond_clear (&cache->ended);
  g_mutex_clear (&cache->lock);
  g_free (cache);
}

/* Replaces the buffer and the map. Takes the references, and the lock, which it releases before it releases the old
 * ones, as that may call the driver. */
static void
replace (CapraResultCache *cache, GeglBuffer *buffer, CapraTileMap *map)
{
  g_auto (CapraStoredResult) old = cache->stored;

  cache->stored.buffer = buffer;
  cache->stored.map = map;
  g_mutex_unlock (&cache->lock);
}

/* Frees the result; the operation computes it again if that is necessary. */
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
count_bytes (const GeglRectangle *rect, gsize pixel)
{
  return (guint64) rect->width * (guint64) rect->height * pixel;
}

static guint64
get_bytes (gpointer data)
{
  CapraResultCache *cache = data;
  const CapraStoredResult *stored = &cache->stored;
  guint64 bytes = 0;

  g_mutex_lock (&cache->lock);
  for (guint i = 0; stored->map && i < stored->map->parts->len; i++)
    {
      const CapraTileGrid *grid = capra_device_tiles_get_grid (stored->map->parts->pdata[i]);

      bytes += count_bytes (&grid->extent, grid->tile_pixel);
    }
  if (stored->buffer && !stored->map)
    bytes = count_bytes (gegl_buffer_get_extent (stored->buffer),
                         (gsize) babl_format_get_bytes_per_pixel (gegl_buffer_get_format (stored->buffer)));
  g_mutex_unlock (&cache->lock);
  return bytes;
}

/* Marks the result as used. Returns FALSE if it is not among those that may be freed. */
static gboolean
mark_used (CapraResultCache *cache)
{
  return capra_idle_cache_find (get_results (), is_item, cache) != NULL;
}

/* Adds the result to those that may be freed, and frees others if all are too large. */
static void
add_result (CapraResultCache *cache)
{
  CapraIdleCacheLimits limits = { 1, G_MAXUINT, 0 };

  if (!mark_used (cache))
    {
      g_atomic_ref_count_inc (&cache->refs);
      capra_idle_cache_add (get_results (), cache);
    }
  g_object_get (gegl_config (), "tile-cache-size", &limits.bytes, NULL);
  limits.bytes /= SHARE;
  capra_idle_cache_limit (get_results (), get_bytes, &limits);
}

void
capra_result_cache_get (CapraResultCache *cache, CapraStoredResult *stored)
{
  g_mutex_lock (&cache->lock);
  *stored = cache->stored;
  if (stored->buffer)
    g_object_ref (stored->buffer);
  if (stored->map)
    capra_tile_map_ref (stored->map);
  g_mutex_unlock (&cache->lock);
  if (stored->buffer || stored->map)
    mark_used (cache);
}

void
capra_result_cache_store (CapraResultCache *cache, const CapraStoredResult *stored)
{
  g_mutex_lock (&cache->lock);
  if (stored->generation != cache->stored.generation)
    {
      g_mutex_unlock (&cache->lock);
      return;
    }
  cache->stored.computed = stored->computed;
  replace (cache, stored->buffer ? g_object_ref (stored->buffer) : NULL,
           stored->map ? capra_tile_map_ref (stored->map) : NULL);
  if (stored->buffer || stored->map)
    add_result (cache);
}

void
capra_result_cache_set_buffer (CapraResultCache *cache, GeglBuffer *buffer, const CapraTileMap *map)
{
  g_autoptr (GeglBuffer) old = NULL;

  g_mutex_lock (&cache->lock);
  if (cache->stored.map == map)
    {
      old = g_steal_pointer (&cache->stored.buffer);
      cache->stored.buffer = g_object_ref (buffer);
    }
  g_mutex_unlock (&cache->lock);
}

/* Whether parts of @a and @b show the same image in the same formats. */
static gboolean
have_same_image (const CapraTileMap *a, const CapraTileMap *b)
{
  return a->state == b->state && gegl_rectangle_equal (&a->grid.extent, &b->grid.extent)
         && capra_tile_grid_has_formats_of (&a->grid, &b->grid);
}

/* The parts that another thread has stored meanwhile, and @part; NULL if there are none. The lock is held. */
static CapraTileMap *
add_to_stored (CapraResultCache *cache, const CapraTileMap *begun, CapraDeviceTiles *part)
{
  const CapraTileMap *stored = cache->stored.map;
  CapraTileMap *map = NULL;

  if (!stored || stored == begun || !have_same_image (stored, begun))
    return NULL;
  map = capra_tile_map_copy (stored);
  capra_tile_map_add (map, capra_device_tiles_ref (part));
  return map;
}

void
capra_result_cache_add_part (CapraResultCache *cache, const CapraTileMap *begun, CapraDeviceTiles *part,
                             const CapraStoredResult *result)
{
  g_autoptr (CapraTileMap) merged = NULL;
  CapraTileMap *map = NULL;

  g_mutex_lock (&cache->lock);
  if (result->generation != cache->stored.generation)
    {
      g_mutex_unlock (&cache->lock);
      return;
    }
  merged = add_to_stored (cache, begun, part);
  map = capra_tile_map_limit (merged ? merged : result->map);
  replace (cache, map == result->map ? g_object_ref (result->buffer) : NULL, map);
  add_result (cache);
}

/* Whether another thread computes @wanted. The lock is held. */
static gboolean
is_running (CapraResultCache *cache, const GeglRectangle *wanted, guint generation)
{
  for (guint i = 0; i < cache->running->len; i++)
    {
      const Computation *running = &g_array_index (cache->running, Computation, i);

      if (running->thread != g_thread_self () && running->generation == generation
          && gegl_rectangle_contains (&running->rect, wanted))
        return TRUE;
    }
  return FALSE;
}

void
capra_result_cache_begin (CapraResultCache *cache, const GeglRectangle *wanted, const GeglRectangle *rect,
                          guint generation)
{
  Computation computation = { g_thread_self (), *rect, generation };

  g_mutex_lock (&cache->lock);
  while (is_running (cache, wanted, generation))
    g_cond_wait (&cache->ended, &cache->lock);
  g_array_append_val (cache->running, computation);
  g_mutex_unlock (&cache->lock);
}

void
capra_result_cache_end (CapraResultCache *cache)
{
  g_mutex_lock (&cache->lock);
  for (guint i = 0; i < cache->running->len; i++)
    if (g_array_index (cache->running, Computation, i).thread == g_thread_self ())
      {
        g_array_remove_index_fast (cache->running, i);
        break;
      }
  g_cond_broadcast (&cache->ended);
  g_mutex_unlock (&cache->lock);
}

void
capra_result_cache_invalidate (CapraResultCache *cache)
{
  g_mutex_lock (&cache->lock);
  cache->stored.generation++;
  cache->stored.computed = FALSE;
  replace (cache, NULL, NULL);
}

void
capra_result_cache_invalidate_rect (CapraResultCache *cache, const GeglRectangle *rect, const GeglRectangle *removed)
{
  const CapraTileMap *map = NULL;
  CapraTileMap *rest = NULL;

  g_mutex_lock (&cache->lock);
  map = cache->stored.map;
  cache->stored.generation++;
  cache->stored.computed = FALSE;
  if (map && !gegl_rectangle_is_empty (rect) && !gegl_rectangle_contains (rect, &map->grid.extent))
    {
      rest = capra_tile_map_copy (map);
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

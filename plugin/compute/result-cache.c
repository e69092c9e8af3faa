/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation, or the parts that are computed, until something changes. */
#include "plugin/compute/result-cache.h"

#include "plugin/buffers/resident.h"
#include "runtime/memory/idle-cache.h"
#include "runtime/memory/memory.h"

/* The time after which results that nobody asks for are freed. */
#define IDLE_TIME G_TIME_SPAN_MINUTE
/* The maximum size of all results is that of GEGL's tile cache divided by this. */
#define SHARE 2

/* A region that a thread computes. */
typedef struct {
  GThread *thread; /* only compared */
  GeglRectangle rect;
  guint generation;
  guint waiting; /* the number of threads that wait until it has ended; the last one frees it */
  gboolean ended, failed;
} Computation;

struct _CapraResultCache {
  gatomicrefcount refs;     /* one of them is of the list of results that may be freed */
  GMutex lock;              /* guards the rest */
  CapraStoredResult stored; /* its generation is incremented by each invalidation */
  GPtrArray *running;       /* of Computation */
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
  cache->running = g_ptr_array_new ();
  return cache;
}

static void
unref (CapraResultCache *cache)
{
  if (!g_atomic_ref_count_dec (&cache->refs))
    return;
  capra_stored_result_clear (&cache->stored);
  g_ptr_array_unref (cache->running);
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

/* The parts that are stored, or that the stored buffer shows; NULL if there are none. The lock is held. */
static CapraTileMap *
get_map (CapraResultCache *cache)
{
  const CapraStoredResult *stored = &cache->stored;

  return stored->map || !stored->buffer ? stored->map : capra_resident_peek_map (stored->buffer);
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

/* Whether a thread computes, or anybody else has the buffer or the parts. The lock is held. */
static gboolean
is_used (CapraResultCache *cache)
{
  const CapraStoredResult *stored = &cache->stored;
  CapraTileMap *map = get_map (cache);
  gint refs = (stored->map != NULL) + (stored->buffer && capra_resident_peek_map (stored->buffer) == map);

  return cache->running->len > 0 || (map && !g_atomic_ref_count_compare (&map->refs, refs))
         || (stored->buffer && g_atomic_int_get (&G_OBJECT (stored->buffer)->ref_count) > 1);
}

/* Removes @parts, and the buffer that shows them. Takes the lock, as replace(). */
static void
remove_parts (CapraResultCache *cache, const GPtrArray *parts)
{
  CapraTileMap *stored = cache->stored.map, *rest = NULL;

  if (stored && stored->parts->len > parts->len)
    {
      rest = capra_tile_map_copy (stored);
      for (guint i = 0; i < parts->len; i++)
        capra_tile_map_remove_part (rest, parts->pdata[i]);
    }
  replace (cache, NULL, rest);
}

static void
bands_unref (gpointer bands)
{
  g_array_unref (bands);
}

/* Frees what an unused result holds in memory of @device: of parts that the host has the arrays, other parts whole.
 * Where the stored buffer is the input, releases it, so that the result of another operation is not in use. */
static gboolean
free_memory (CapraResultCache *cache, CapraDevice *device)
{
  g_autoptr (GPtrArray) bands = g_ptr_array_new_with_free_func (bands_unref), lost = g_ptr_array_new ();
  CapraTileMap *map = NULL;

  g_mutex_lock (&cache->lock);
  map = get_map (cache);
  if (map && cache->stored.computed)
    {
      replace (cache, NULL, NULL);
      return TRUE;
    }
  if (is_used (cache))
    map = NULL;
  for (guint i = 0; map && i < map->parts->len; i++)
    {
      CapraDeviceTiles *part = map->parts->pdata[i];
      GArray *unused = NULL;

      if (!capra_device_tiles_occupies (part, device))
        continue;
      unused = capra_device_tiles_take_bands (part);
      g_ptr_array_add (unused ? bands : lost, unused ? (gpointer) unused : part);
    }
  if (lost->len > 0)
    remove_parts (cache, lost);
  else
    g_mutex_unlock (&cache->lock);
  return bands->len + lost->len > 0;
}

static gboolean
ref_item (gpointer item, gpointer list)
{
  g_atomic_ref_count_inc (&((CapraResultCache *) item)->refs);
  g_ptr_array_add (list, item);
  return FALSE;
}

static void
unref_item (gpointer item)
{
  unref (item);
}

static gboolean free_least_used (CapraDevice *device);

/* The results of the process that may be freed. */
static CapraIdleCache *
get_results (void)
{
  static CapraIdleCache *results;

  if (g_once_init_enter (&results))
    {
      capra_memory_set_release_function (free_least_used);
      g_once_init_leave (&results, capra_idle_cache_new ("capra-results", IDLE_TIME, free_result));
    }
  return results;
}

/* Frees what the least recently used result holds in memory of @device. The most recently used one stays: a host that
 * shows one image whose result does not fit would compute it again for each chunk. */
static gboolean
free_least_used (CapraDevice *device)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (unref_item);
  gboolean freed = FALSE;

  capra_idle_cache_find (get_results (), ref_item, list);
  for (guint i = list->len; i > 1 && !freed; i--)
    freed = free_memory (list->pdata[i - 1], device);
  return freed;
}

static gboolean
is_item (gpointer item, gpointer data)
{
  return item == data;
}

void
capra_result_cache_free (CapraResultCache *cache)
{
  g_slist_free_full (capra_idle_cache_steal (get_results (), is_item, cache), unref_item);
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
  const CapraTileMap *map = NULL;
  guint64 bytes = 0;

  g_mutex_lock (&cache->lock);
  map = get_map (cache);
  for (guint i = 0; map && i < map->parts->len; i++)
    {
      const CapraTileGrid *grid = capra_device_tiles_get_grid (map->parts->pdata[i]);

      bytes += count_bytes (&grid->extent, grid->tile_pixel);
    }
  if (stored->buffer && !map)
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
  cache->stored.state = stored->state;
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

/* What another thread computes of @wanted; NULL if there is none. The lock is held. */
static Computation *
find_running (CapraResultCache *cache, const GeglRectangle *wanted, guint generation)
{
  for (guint i = 0; i < cache->running->len; i++)
    {
      Computation *running = cache->running->pdata[i];

      if (running->thread != g_thread_self () && running->generation == generation
          && gegl_rectangle_contains (&running->rect, wanted))
        return running;
    }
  return NULL;
}

/* Waits until @computation has ended, with success or not. The lock is held. */
static gboolean
wait_for (CapraResultCache *cache, Computation *computation)
{
  gboolean failed = FALSE;

  computation->waiting++;
  while (!computation->ended)
    g_cond_wait (&cache->ended, &cache->lock);
  failed = computation->failed;
  if (--computation->waiting == 0)
    g_free (computation);
  return !failed;
}

gboolean
capra_result_cache_begin (CapraResultCache *cache, const GeglRectangle *wanted, const GeglRectangle *rect,
                          guint generation)
{
  Computation *running = NULL;
  gboolean succeeded = TRUE;

  g_mutex_lock (&cache->lock);
  while (succeeded && (running = find_running (cache, wanted, generation)))
    succeeded = wait_for (cache, running);
  if (succeeded)
    {
      running = g_new (Computation, 1);
      *running = (Computation){ g_thread_self (), *rect, generation };
      g_ptr_array_add (cache->running, running);
    }
  g_mutex_unlock (&cache->lock);
  return succeeded;
}

void
capra_result_cache_end (CapraResultCache *cache, gboolean failed)
{
  guint i = 0;
  Computation *computation = NULL;

  g_mutex_lock (&cache->lock);
  while (((Computation *) cache->running->pdata[i])->thread != g_thread_self ())
    i++;
  computation = g_ptr_array_steal_index_fast (cache->running, i);
  computation->ended = TRUE;
  computation->failed = failed;
  if (computation->waiting == 0)
    g_free (computation);
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

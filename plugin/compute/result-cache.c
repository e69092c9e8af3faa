/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation that needs its whole input, until something changes. */
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
  g_mutex_clear (&cache->lock);
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

gboolean
capra_result_cache_is_valid (CapraResultCache *cache)
{
  gboolean valid = FALSE;

  g_mutex_lock (&cache->lock);
  valid = cache->buffer != NULL;
  g_mutex_unlock (&cache->lock);
  return valid;
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

void
capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, guint generation)
{
  g_mutex_lock (&cache->lock);
  if (generation == cache->generation)
    g_set_object (&cache->buffer, buffer);
  g_mutex_unlock (&cache->lock);
}

void
capra_result_cache_invalidate (CapraResultCache *cache)
{
  GeglBuffer *buffer = NULL;

  g_mutex_lock (&cache->lock);
  buffer = g_steal_pointer (&cache->buffer);
  cache->generation++;
  g_mutex_unlock (&cache->lock);
  g_clear_object (&buffer); /* without the lock, as it may call the driver */
}

typedef struct {
  GClosure closure;
  CapraResultCache *cache;
} Watch;

static void
node_invalidated (GClosure *closure, GValue *result, guint n_values, const GValue *values, gpointer hint, gpointer data)
{
  capra_result_cache_invalidate (((Watch *) closure)->cache);
}

void
capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation)
{
  GClosure *closure = g_closure_new_object (sizeof (Watch), G_OBJECT (operation));

  ((Watch *) closure)->cache = cache;
  g_closure_set_marshal (closure, node_invalidated);
  g_signal_connect_closure (operation->node, "invalidated", closure, FALSE);
}

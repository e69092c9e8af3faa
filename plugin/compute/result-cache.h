/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation that needs its whole input, until something changes.
 *
 * Hosts request an image in chunks. Without the cache the whole input would be rendered for each chunk. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

typedef struct {
  GMutex lock;
  GeglBuffer *buffer;
  guint generation; /* incremented by each invalidation */
} CapraResultCache;

void capra_result_cache_init (CapraResultCache *cache);
void capra_result_cache_clear (CapraResultCache *cache);

/* The result: (transfer full) (nullable). */
GeglBuffer *capra_result_cache_get (CapraResultCache *cache);
gboolean capra_result_cache_is_valid (CapraResultCache *cache);

/* The generation to pass to capra_result_cache_store(). Called before the computation. */
guint capra_result_cache_begin (CapraResultCache *cache);

/* Stores @buffer, unless the cache was invalidated since @generation. */
void capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, guint generation);
void capra_result_cache_invalidate (CapraResultCache *cache);

/* Invalidates @cache whenever the operation's node emits "invalidated", because of a property or upstream, as long as
 * @operation exists. Called when the operation is attached to its node. */
void capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation);

G_END_DECLS

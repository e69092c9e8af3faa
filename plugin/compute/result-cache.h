/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Result cache: stores the result of an operation, or the parts that are computed, until something changes.
 *
 * Hosts request an image in chunks. Without the cache the input of each chunk, with all pixels that the operation reads
 * around it, would be rendered and uploaded for each chunk. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/tile-map.h"

G_BEGIN_DECLS

/**
 * CapraResultCache:
 *
 * Results that were computed in parts are freed if the host does not ask for them for a while, or if those of all
 * operations need more memory than half of GEGL's tile cache, the least recently used first. They are computed again
 * when they are needed.
 */
typedef struct _CapraResultCache CapraResultCache;

CapraResultCache *capra_result_cache_new (void);
void capra_result_cache_free (CapraResultCache *cache);

/* The number to pass to capra_result_cache_store(). Called before anything is read for the computation. */
guint capra_result_cache_begin (CapraResultCache *cache);

/* The result: (transfer full) (nullable). */
GeglBuffer *capra_result_cache_get (CapraResultCache *cache);
gboolean capra_result_cache_is_valid (CapraResultCache *cache);

/* The parts of the result: (transfer full) (nullable). */
CapraTileMap *capra_result_cache_get_map (CapraResultCache *cache);

/* Stores @buffer (nullable) and @map (nullable), unless the cache was invalidated since @generation. */
void capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, CapraTileMap *map, guint generation);

/* Removes everything. */
void capra_result_cache_invalidate (CapraResultCache *cache);

/* Removes what @removed touches from the parts, after a change of @rect; everything if that is the whole image or
 * empty, or there are no parts. GEGL gives an empty rectangle where a node is connected whose bounding box is not known
 * yet. */
void capra_result_cache_invalidate_rect (CapraResultCache *cache, const GeglRectangle *rect,
                                         const GeglRectangle *removed);

/* Sets @rect to the region whose bytes may change if GEGL invalidates @rect of the operation's result. */
typedef void (*CapraInvalidatedFunc) (GeglOperation *operation, GeglRectangle *rect);

/* Calls capra_result_cache_invalidate_rect() whenever the operation's node emits "invalidated", because of a property
 * or upstream, as long as @operation exists. Called when the operation is attached to its node. @func may be NULL. */
void capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation, CapraInvalidatedFunc func);

G_END_DECLS

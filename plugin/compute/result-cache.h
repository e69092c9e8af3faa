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
 * Results are freed if the host does not ask for them for a while, or if those of all operations need more memory than
 * half of GEGL's tile cache, the least recently used first. If memory of a device is short, what they hold there is
 * freed, except that of the most recently used one. They are computed again when they are needed.
 */
typedef struct _CapraResultCache CapraResultCache;

/**
 * CapraStoredResult:
 * @buffer: (nullable): a buffer that shows the result
 * @map: (nullable): the parts of the result, if it is computed in parts; @buffer shows them
 * @computed: whether the operation was computed and its result needs no other computation, even if @buffer was freed:
 *   the output is the input, or what replaces a result after a failure. What the operation has written or reported is
 *   not repeated
 * @state: the state of the operation, as it gave it, for a result that is not computed in parts
 * @generation: to pass to capra_result_cache_store()
 */
typedef struct {
  GeglBuffer *buffer;
  CapraTileMap *map;
  gboolean computed;
  guint state;
  guint generation;
} CapraStoredResult;

void capra_stored_result_clear (CapraStoredResult *stored);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraStoredResult, capra_stored_result_clear)

CapraResultCache *capra_result_cache_new (void);
void capra_result_cache_free (CapraResultCache *cache);

/* Sets @stored to what is stored, with references. Called before anything is read for a computation. */
void capra_result_cache_get (CapraResultCache *cache, CapraStoredResult *stored);

/* Stores @stored, unless the cache was invalidated since its generation. */
void capra_result_cache_store (CapraResultCache *cache, const CapraStoredResult *stored);

/* Stores @buffer, which shows the stored parts, if these are still @map. */
void capra_result_cache_set_buffer (CapraResultCache *cache, GeglBuffer *buffer, const CapraTileMap *map);

/* Stores @part, and the parts of @result with it, unless the cache was invalidated since the generation of @result.
 * @begun: the stored map when the computation began. If another thread has stored parts since then, @part is added to
 * these. */
void capra_result_cache_add_part (CapraResultCache *cache, const CapraTileMap *begun, CapraDeviceTiles *part,
                                  const CapraStoredResult *result);

/* Called before a thread computes @rect. If another thread computes @wanted, or more, in the same generation, waits
 * until it has ended: the result may be stored then. Returns FALSE if it has failed: this thread would fail, too. */
gboolean capra_result_cache_begin (CapraResultCache *cache, const GeglRectangle *wanted, const GeglRectangle *rect,
                                   guint generation);

/* Called by the same thread after capra_result_cache_begin(), when what it has computed is stored, or has failed. */
void capra_result_cache_end (CapraResultCache *cache, gboolean failed);

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

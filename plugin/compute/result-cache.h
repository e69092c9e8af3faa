/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memo: the result of an operation that needs its whole input, kept until something changes.
 *
 * Hosts process in parts; without the cache the whole input would be rendered for each of them. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

typedef struct {
  GMutex lock;
  GeglBuffer *buffer;
  guint generation; /* counts the changes */
} CapraResultCache;

void capra_result_cache_init (CapraResultCache *cache);
void capra_result_cache_clear (CapraResultCache *cache);

GeglBuffer *capra_result_cache_get (CapraResultCache *cache); /* (transfer full) (nullable) */
gboolean capra_result_cache_is_valid (CapraResultCache *cache);
guint capra_result_cache_begin (CapraResultCache *cache); /* before a computation, for capra_result_cache_store() */

/* Keeps @buffer, unless something has changed since capra_result_cache_begin() gave @generation. */
void capra_result_cache_store (CapraResultCache *cache, GeglBuffer *buffer, guint generation);
void capra_result_cache_drop (CapraResultCache *cache);

/* Drops @cache whenever the operation's node says that it is invalidated, by a property or from
 * upstream, as long as @operation lives. To be called when it is attached to its node. */
void capra_result_cache_watch (CapraResultCache *cache, GeglOperation *operation);

G_END_DECLS

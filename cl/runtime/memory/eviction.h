/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Eviction: frees device memory of objects that nobody uses at the moment, the least recently used first. Private.
 *
 * The queue knows nothing of the objects but this interface; arrays implement it (array-buffer.c). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  /* Takes a reference on @object; FALSE if it is being freed. Called with the queue locked: must not block. */
  gboolean (*claim) (gpointer object);
  /* Frees the device memory of @object if nobody uses it, and gives the reference back. Called without locks of the
   * queue; removes the object from the queue if it was evicted. Returns whether it was. */
  gboolean (*evict) (gpointer object);
} CapraEvictableInterface;

/* What an object embeds. */
typedef struct {
  const CapraEvictableInterface *interface;
  GList link; /* its data is the object */
} CapraEvictable;

typedef struct {
  GMutex evicting; /* held while an object is evicted, so that other threads wait for the memory that it frees */
  GMutex lock;
  GQueue objects; /* links of CapraEvictable, the least recently used first */
} CapraEvictionQueue;

void capra_eviction_queue_init (CapraEvictionQueue *queue);

/* Adds @evictable as the most recently used object, or makes it that. */
void capra_eviction_queue_touch (CapraEvictionQueue *queue, CapraEvictable *evictable);

/* Removes @evictable, if it is in the queue. */
void capra_eviction_queue_remove (CapraEvictionQueue *queue, CapraEvictable *evictable);

/* Evicts one object; FALSE if none can be. */
gboolean capra_eviction_queue_evict (CapraEvictionQueue *queue);

G_END_DECLS

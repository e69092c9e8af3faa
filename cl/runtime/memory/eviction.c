/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Eviction: a queue of objects whose device memory can be freed. */
#include "runtime/memory/eviction.h"

void
capra_eviction_queue_init (CapraEvictionQueue *queue)
{
  g_mutex_init (&queue->evicting);
  g_mutex_init (&queue->lock);
  g_queue_init (&queue->objects);
}

/* The lock is held. */
static void
unlink_evictable (CapraEvictionQueue *queue, CapraEvictable *evictable)
{
  GList *link = &evictable->link;

  if (link->prev || link->next || queue->objects.head == link)
    g_queue_unlink (&queue->objects, link);
}

void
capra_eviction_queue_touch (CapraEvictionQueue *queue, CapraEvictable *evictable)
{
  g_mutex_lock (&queue->lock);
  unlink_evictable (queue, evictable);
  g_queue_push_tail_link (&queue->objects, &evictable->link);
  g_mutex_unlock (&queue->lock);
}

void
capra_eviction_queue_remove (CapraEvictionQueue *queue, CapraEvictable *evictable)
{
  g_mutex_lock (&queue->lock);
  unlink_evictable (queue, evictable);
  g_mutex_unlock (&queue->lock);
}

gboolean
capra_eviction_queue_evict (CapraEvictionQueue *queue)
{
  gboolean done = FALSE;

  g_mutex_lock (&queue->evicting);
  g_mutex_lock (&queue->lock);
  for (guint left = queue->objects.length; !done && left > 0 && queue->objects.head; left--)
    {
      GList *link = g_queue_pop_head_link (&queue->objects);
      const CapraEvictableInterface
        *interface = ((CapraEvictable *) ((char *) link - G_STRUCT_OFFSET (CapraEvictable, link)))->interface;
      gpointer object = link->data;

      g_queue_push_tail_link (&queue->objects, link); /* an object in use moves to the end */
      if (!interface->claim (object))
        continue;
      g_mutex_unlock (&queue->lock); /* evicting waits for the device */
      done = interface->evict (object);
      g_mutex_lock (&queue->lock);
    }
  g_mutex_unlock (&queue->lock);
  g_mutex_unlock (&queue->evicting);
  return done;
}

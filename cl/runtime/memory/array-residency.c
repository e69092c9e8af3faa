/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Residency: counts the resident references of an array, and puts it into the queue for eviction. */
#include "runtime/memory/array-residency.h"

#include "runtime/base/fork.h"
#include "runtime/memory/array-buffer.h"

/* Adds resident references, negative numbers too, and updates the accounts and the queue for eviction. */
static void
add_residents (CapraArray *array, gint residents, gint discardable)
{
  CapraEvictionQueue *queue = capra_pool_get_eviction_queue (array->context);
  gboolean resident = FALSE;

  g_mutex_lock (&array->lock);
  g_atomic_int_add (&array->residents, residents);
  array->discardable += discardable;
  resident = g_atomic_int_get (&array->residents) > 0;
  array->evictable.interface = &capra_array_evictable;
  if (array->buffer)
    capra_pool_set_kind (array->buffer, resident ? CAPRA_MEMORY_RESIDENT : CAPRA_MEMORY_ARRAYS);
  if (array->buffer && resident)
    capra_eviction_queue_touch (queue, &array->evictable);
  else
    capra_eviction_queue_remove (queue, &array->evictable);
  g_mutex_unlock (&array->lock);
}

void
capra_array_make_resident (CapraArray *array, gboolean discardable)
{
  if (!capra_fork_is_child ())
    add_residents (array, 1, discardable ? 1 : 0);
}

void
capra_array_release_resident (CapraArray *array, gboolean discardable)
{
  if (capra_fork_is_child ())
    return;
  add_residents (array, -1, discardable ? -1 : 0);
  capra_array_unref (array);
}

gboolean
capra_array_is_evicted (CapraArray *array)
{
  gboolean evicted = FALSE;

  if (capra_fork_is_child ())
    return FALSE;
  g_mutex_lock (&array->lock);
  evicted = array->buffer == NULL;
  g_mutex_unlock (&array->lock);
  return evicted;
}

gboolean
capra_array_is_shared (CapraArray *array, guint held)
{
  return (guint) g_atomic_int_get (&array->refs) > held;
}

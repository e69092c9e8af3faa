/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eviction: the contents of kept arrays give way to others, on the host, and come back when used.
 *
 * Who uses an array has a reference, so an array may be evicted while there are none but its keepers' (and
 * that of read mappings). The evicting thread looks for that under the array's lock, and who takes a
 * reference after that look comes to the same lock in capra_array_hold(). It never waits for the lock of
 * an array, as it may hold another one's: so nothing can lock up. */
#include "array-private.h"
#include "memory-private.h"

gboolean
capra_array_claim (gpointer data)
{
  CapraArray *array = data;
  gint refs = g_atomic_int_get (&array->refs);

  while (refs > 0 && !g_atomic_int_compare_and_exchange (&array->refs, refs, refs + 1))
    refs = g_atomic_int_get (&array->refs);
  return refs > 0;
}

/* Whether only keepers and the evicting thread have references, and no mapping lies in the block. */
static gboolean
is_idle (CapraArray *array)
{
  gint mapped = array->readers > 0;
  gint keepers = g_atomic_int_get (&array->keepers);

  return array->block && !array->writing && (!mapped || array->staging) && keepers > 0
         && g_atomic_int_get (&array->refs) == keepers + 1 + mapped;
}

gboolean
capra_array_evict (gpointer data)
{
  CapraArray *array = data;
  gboolean done = FALSE;

  if (g_mutex_trylock (&array->lock))
    {
      /* What is mapped lies on the host already. */
      done = is_idle (array)
             && (array->staging || array->spares == array->keepers
                 || capra_array_pull_staging (array, "evict", NULL));
      if (done)
        {
          capra_memory_forget (array->context, &array->link);
          g_clear_pointer (&array->block, capra_block_free);
        }
      g_mutex_unlock (&array->lock);
    }
  capra_array_unref (array);
  return done;
}

gboolean
capra_array_check_kept (CapraArray *array, GError **error)
{
  if (array->block || array->staging)
    return TRUE;
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       "an array is used whose contents were dropped");
  return FALSE;
}

gboolean
capra_array_restore (CapraArray *array, GError **error)
{
  CapraMemoryKind kind = g_atomic_int_get (&array->keepers) > 0 ? CAPRA_MEMORY_RESIDENT
                                                                : CAPRA_MEMORY_ARRAYS;

  if (!capra_array_check_kept (array, error))
    return FALSE;
  array->block = capra_block_new (array->context, capra_shape_bytes (&array->shape), kind, error);
  if (!array->block)
    return FALSE;
  if (capra_array_push_staging (array, "restore", error))
    return TRUE;
  g_clear_pointer (&array->block, capra_block_free);
  return FALSE;
}

CapraBlock *
capra_array_hold (CapraArray *array, GError **error)
{
  CapraBlock *block = NULL;

  if (g_atomic_int_get (&array->keepers) == 0 && array->block)
    return array->block;
  g_mutex_lock (&array->lock);
  if (array->block || capra_array_restore (array, error))
    {
      block = array->block;
      if (g_atomic_int_get (&array->keepers) > 0)
        capra_memory_touch (array->context, &array->link);
    }
  g_mutex_unlock (&array->lock);
  return block;
}

gboolean
capra_array_is_evicted (CapraArray *array)
{
  gboolean evicted = FALSE;

  g_mutex_lock (&array->lock);
  evicted = array->block == NULL;
  g_mutex_unlock (&array->lock);
  return evicted;
}

/* Counts it as what it is now, and lets it be evicted or not. Lock held. */
static void
keepers_changed (CapraArray *array)
{
  gboolean kept = g_atomic_int_get (&array->keepers) > 0;

  if (array->block)
    capra_block_set_kind (array->block, kept ? CAPRA_MEMORY_RESIDENT : CAPRA_MEMORY_ARRAYS);
  if (array->block && kept)
    capra_memory_touch (array->context, &array->link);
  else
    capra_memory_forget (array->context, &array->link);
}

void
capra_array_keep (CapraArray *array, gboolean spare)
{
  g_mutex_lock (&array->lock);
  g_atomic_int_inc (&array->keepers);
  array->spares += spare;
  keepers_changed (array);
  g_mutex_unlock (&array->lock);
}

void
capra_array_let_go (CapraArray *array, gboolean spare)
{
  g_mutex_lock (&array->lock);
  g_atomic_int_add (&array->keepers, -1);
  array->spares -= spare;
  keepers_changed (array);
  g_mutex_unlock (&array->lock);
  capra_array_unref (array);
}

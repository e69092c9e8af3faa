/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Eviction: the contents of kept arrays give way to others, on the host, and come back when used.
 *
 * Who uses an array has a reference, so an array may be evicted while there are none but its keepers' (and
 * that of read mappings). The evicting thread looks for that under the array's lock, and who takes a
 * reference after that look comes to the same lock in capra_array_get_buffer(). It never waits for the lock of
 * an array, as it may hold another one's: so nothing can lock up. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/memory/array-private.h"
#include "runtime/device/fork.h"
#include "runtime/memory/memory-private.h"

/* Large pages of the system. */
#define LARGE_PAGE (2u << 20)

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

  return array->block && !array->writing && (!mapped || array->staging || array->saved) && keepers > 0
         && g_atomic_int_get (&array->refs) == keepers + 1 + mapped;
}

/* Memory for @bytes, of large pages if it is more: most of the time of an eviction goes into getting pages.
 * NULL if there is none; to be freed with free(). */
static gpointer
pages_new (gsize bytes)
{
  gpointer pages = NULL;

  if (posix_memalign (&pages, bytes < LARGE_PAGE ? 64 : LARGE_PAGE, bytes) != 0)
    return NULL;
  if (bytes >= LARGE_PAGE)
    madvise (pages, bytes, MADV_HUGEPAGE); /* a wish */
  return pages;
}

/* Makes sure that the contents are on the host as well. Not in staging, which takes memory of the device,
 * too, in some drivers. */
static gboolean
save (CapraArray *array)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  if (array->saved || array->staging || array->spares == array->keepers)
    return TRUE;
  array->saved = pages_new (bytes);
  if (array->saved && capra_block_transfer (array->block, FALSE, "evict", 0, bytes, array->saved, NULL))
    return TRUE;
  g_clear_pointer (&array->saved, free);
  return FALSE;
}

gboolean
capra_array_evict (gpointer data)
{
  CapraArray *array = data;
  gboolean done = FALSE;

  if (g_mutex_trylock (&array->lock))
    {
      done = is_idle (array) && save (array);
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

gpointer
capra_array_get_saved (CapraArray *array, GError **error)
{
  if (array->saved)
    return array->saved;
  if (array->staging)
    return array->staging->host;
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       _ ("the contents of this array were discarded to free memory"));
  return NULL;
}

void
capra_array_settle (CapraArray *array)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  if (array->block)
    g_clear_pointer (&array->saved, free);
  else if (!array->saved)
    {
      /* Evicted while it was mapped: the staging goes, but not what it holds. */
      array->saved = pages_new (bytes);
      if (!array->saved)
        return;
      memcpy (array->saved, array->staging->host, bytes);
    }
  g_clear_pointer (&array->staging, capra_block_free);
}

gboolean
capra_array_restore (CapraArray *array, GError **error)
{
  gsize bytes = capra_shape_bytes (&array->shape);
  CapraMemoryKind kind = g_atomic_int_get (&array->keepers) > 0 ? CAPRA_MEMORY_RESIDENT : CAPRA_MEMORY_ARRAYS;
  gpointer host = capra_array_get_saved (array, error);

  array->block = host ? capra_block_new (array->context, bytes, kind, error) : NULL;
  if (!array->block)
    return FALSE;
  if (!capra_block_transfer (array->block, TRUE, "restore", 0, bytes, host, error))
    {
      g_clear_pointer (&array->block, capra_block_free);
      return FALSE;
    }
  if (array->readers == 0)
    capra_array_settle (array);
  return TRUE;
}

CapraBlock *
capra_array_get_buffer (CapraArray *array, GError **error)
{
  CapraBlock *block = NULL;

  if (!capra_fork_check (error))
    return NULL;
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

  if (capra_fork_is_child ())
    return FALSE;
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
capra_array_make_resident (CapraArray *array, gboolean spare)
{
  if (capra_fork_is_child ())
    return;
  g_mutex_lock (&array->lock);
  g_atomic_int_inc (&array->keepers);
  array->spares += spare;
  keepers_changed (array);
  g_mutex_unlock (&array->lock);
}

void
capra_array_release_resident (CapraArray *array, gboolean spare)
{
  if (capra_fork_is_child ())
    return;
  g_mutex_lock (&array->lock);
  g_atomic_int_add (&array->keepers, -1);
  array->spares -= spare;
  keepers_changed (array);
  g_mutex_unlock (&array->lock);
  capra_array_unref (array);
}

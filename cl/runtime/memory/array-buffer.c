/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The buffer of an array: evicted while only residents have references, and restored when the array is used.
 *
 * Every user of an array has a reference, so an array may be evicted while all references are those of residents and of
 * read mappings. The evicting thread checks that with the array's lock held, and a user that takes a reference after
 * the check takes the same lock in capra_array_get_buffer(). The evicting thread never waits for the lock of an array,
 * as it may hold that of another one: so there is no deadlock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include "runtime/memory/array-buffer.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/fork.h"
#include "runtime/memory/buffer-transfer.h"
#include "runtime/memory/large-pages.h"

static gboolean
claim (gpointer data)
{
  CapraArray *array = data;
  gint refs = g_atomic_int_get (&array->refs);

  while (refs > 0 && !g_atomic_int_compare_and_exchange (&array->refs, refs, refs + 1))
    refs = g_atomic_int_get (&array->refs);
  return refs > 0;
}

/* Whether only residents and the evicting thread have references, and no mapping is in the buffer. */
static gboolean
is_idle (CapraArray *array)
{
  gint mapped = array->readers > 0;
  gint residents = g_atomic_int_get (&array->residents);

  return array->buffer && !array->writing && (!mapped || array->staging || array->saved) && residents > 0
         && g_atomic_int_get (&array->refs) == residents + 1 + mapped;
}

/* Memory for @bytes (free), in large pages if it has that size: most of the time of an eviction is spent on getting
 * pages. NULL if there is none. */
static gpointer
pages_new (gsize bytes)
{
  gpointer pages = NULL;

  if (posix_memalign (&pages, bytes < CAPRA_LARGE_PAGE ? 64 : CAPRA_LARGE_PAGE, bytes) != 0)
    return NULL;
  if (bytes >= CAPRA_LARGE_PAGE)
    madvise (pages, bytes, MADV_HUGEPAGE); /* a failure makes it slower only */
  return pages;
}

/* Downloads the contents if they are not on the host already. Not into staging, which takes memory of the device with
 * some drivers. */
static gboolean
save (CapraArray *array)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  if (array->saved || array->staging || array->discardable == array->residents)
    return TRUE;
  array->saved = pages_new (bytes);
  if (array->saved && capra_buffer_transfer (array->buffer, CAPRA_DOWNLOAD, "evict", 0, bytes, array->saved, NULL))
    return TRUE;
  g_clear_pointer (&array->saved, free);
  return FALSE;
}

static gboolean
evict (gpointer data)
{
  CapraArray *array = data;
  gboolean done = FALSE;

  if (g_mutex_trylock (&array->lock))
    {
      done = is_idle (array) && save (array);
      if (done)
        {
          capra_eviction_queue_remove (capra_pool_get_eviction_queue (array->context), &array->evictable);
          g_clear_pointer (&array->buffer, capra_pool_release);
        }
      g_mutex_unlock (&array->lock);
    }
  capra_array_unref (array);
  return done;
}

const CapraEvictableInterface capra_array_evictable = { claim, evict };

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
capra_array_end_reading (CapraArray *array)
{
  gsize bytes = capra_shape_bytes (&array->shape);

  if (array->buffer)
    g_clear_pointer (&array->saved, free);
  else if (!array->saved)
    {
      /* Evicted while it was mapped: the staging memory has the only copy. */
      array->saved = pages_new (bytes);
      if (!array->saved)
        return;
      memcpy (array->saved, array->staging->host, bytes);
    }
  g_clear_pointer (&array->staging, capra_pool_release);
}

gboolean
capra_array_restore (CapraArray *array, GError **error)
{
  gsize bytes = capra_shape_bytes (&array->shape);
  CapraMemoryKind kind = g_atomic_int_get (&array->residents) > 0 ? CAPRA_MEMORY_RESIDENT : CAPRA_MEMORY_ARRAYS;
  gpointer host = capra_array_get_saved (array, error);

  array->buffer = host ? capra_pool_allocate (array->context, bytes, kind, error) : NULL;
  if (!array->buffer)
    return FALSE;
  if (!capra_buffer_transfer (array->buffer, CAPRA_UPLOAD, "restore", 0, bytes, host, error))
    {
      g_clear_pointer (&array->buffer, capra_pool_release);
      return FALSE;
    }
  if (array->readers == 0)
    capra_array_end_reading (array);
  return TRUE;
}

CapraBuffer *
capra_array_get_buffer (CapraArray *array, GError **error)
{
  CapraBuffer *buffer = NULL;

  if (!capra_fork_check (error))
    return NULL;
  if (g_atomic_int_get (&array->residents) == 0 && array->buffer)
    return array->buffer;
  g_mutex_lock (&array->lock);
  if (array->buffer || capra_array_restore (array, error))
    {
      buffer = array->buffer;
      if (g_atomic_int_get (&array->residents) > 0)
        capra_eviction_queue_touch (capra_pool_get_eviction_queue (array->context), &array->evictable);
    }
  g_mutex_unlock (&array->lock);
  return buffer;
}

gboolean
capra_array_download_first (CapraArray *array, gpointer data, gsize bytes, GError **error)
{
  CapraBuffer *buffer = capra_array_get_buffer (array, error);

  return buffer && capra_buffer_transfer (buffer, CAPRA_DOWNLOAD, "result", 0, bytes, data, error);
}

CapraBuffer *
capra_array_start_download_first (CapraArray *array, gsize bytes, GError **error)
{
  CapraBuffer *buffer = capra_array_get_buffer (array, error), *staging = NULL;

  if (buffer)
    staging = capra_pool_allocate (array->context, bytes, CAPRA_MEMORY_STAGING, error);
  if (staging
      && !capra_buffer_enqueue_transfer (buffer, staging, CAPRA_DOWNLOAD, "result", 0, bytes, staging->host, NULL,
                                         error))
    g_clear_pointer (&staging, capra_pool_release);
  return staging;
}

gboolean
capra_array_upload_first (CapraArray *array, gconstpointer data, gsize bytes, GError **error)
{
  CapraBuffer *buffer = capra_array_get_buffer (array, error);

  return buffer && capra_buffer_transfer (buffer, CAPRA_UPLOAD, "numbers", 0, bytes, (gpointer) data, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources: images that are processed several times, with different values of a property. */
#include "ui/cli/run/sources.h"

typedef enum { UNUSED, FIRST_USE, USED } DeviceState;

typedef struct {
  guint items; /* that have not been processed */
  gboolean loading;
  guint64 bytes;
  CapraImage *image;
  GError *error;
  DeviceState *devices;
} Source;

struct _RunSources {
  GMutex mutex;
  GCond changed;
  GHashTable *table; /* number -> Source */
  guint devices;
};

static void
source_free (gpointer data)
{
  Source *source = data;

  g_clear_pointer (&source->image, capra_image_free);
  g_clear_error (&source->error);
  g_free (source->devices);
  g_free (source);
}

RunSources *
run_sources_new (guint devices)
{
  RunSources *sources = g_new0 (RunSources, 1);

  g_mutex_init (&sources->mutex);
  g_cond_init (&sources->changed);
  sources->table = g_hash_table_new_full (NULL, NULL, NULL, source_free);
  sources->devices = devices;
  return sources;
}

void
run_sources_free (RunSources *sources)
{
  g_hash_table_unref (sources->table);
  g_cond_clear (&sources->changed);
  g_mutex_clear (&sources->mutex);
  g_free (sources);
}

void
run_sources_expect (RunSources *sources, guint source)
{
  Source *entry = g_hash_table_lookup (sources->table, GUINT_TO_POINTER (source));

  if (!entry)
    {
      entry = g_new0 (Source, 1);
      entry->devices = g_new0 (DeviceState, sources->devices);
      g_hash_table_insert (sources->table, GUINT_TO_POINTER (source), entry);
    }
  entry->items++;
}

CapraImage *
run_sources_get (RunSources *sources, guint source, guint device, RunSourceLoad load, gpointer data, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&sources->mutex);
  Source *entry = g_hash_table_lookup (sources->table, GUINT_TO_POINTER (source));

  while (entry->loading || entry->devices[device] == FIRST_USE)
    g_cond_wait (&sources->changed, &sources->mutex);
  if (!entry->image && !entry->error)
    {
      CapraImage *image;
      GError *local = NULL;

      entry->loading = TRUE;
      g_mutex_unlock (&sources->mutex);
      image = load (source, data, &local);
      g_mutex_lock (&sources->mutex);
      entry->image = image;
      entry->error = local;
      entry->loading = FALSE;
      g_cond_broadcast (&sources->changed);
    }
  if (entry->devices[device] == UNUSED)
    entry->devices[device] = FIRST_USE;
  if (entry->error && error)
    *error = g_error_copy (entry->error);
  return entry->image;
}

void
run_sources_set_bytes (RunSources *sources, guint source, guint64 bytes)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&sources->mutex);
  Source *entry = g_hash_table_lookup (sources->table, GUINT_TO_POINTER (source));

  entry->bytes = bytes;
}

guint64
run_sources_release (RunSources *sources, guint source, guint device)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&sources->mutex);
  Source *entry = g_hash_table_lookup (sources->table, GUINT_TO_POINTER (source));
  guint64 bytes = entry->bytes;

  entry->devices[device] = USED;
  g_cond_broadcast (&sources->changed);
  if (--entry->items > 0)
    return 0;
  g_hash_table_remove (sources->table, GUINT_TO_POINTER (source));
  return bytes;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A monitor in a thread, since the tests wait for programs in their own. */
#include "runtime/trace/monitor.h"
#include "tests/hosts/watch.h"

#define PATIENCE G_TIME_SPAN_MINUTE

struct _HostsWatch {
  GMainContext *context;
  GThread *thread;
  GPtrArray *seen;
  GHashTable *running; /* of pid to HostsSeen */
  GMutex lock;
  GCond ready;
  gboolean listens, ending;
};

static void
seen_free (HostsSeen *seen)
{
  g_free (seen->name);
  g_free (seen->title);
  g_free (seen->last_kernel);
  g_free (seen);
}

static void
on_event (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  HostsWatch *watch = data;
  gpointer pid = GSIZE_TO_POINTER (process->pid);
  HostsSeen *seen = g_hash_table_lookup (watch->running, pid);

  if (!seen)
    {
      seen = g_new0 (HostsSeen, 1);
      seen->name = g_strdup (process->name);
      seen->title = g_strdup (process->title);
      g_ptr_array_add (watch->seen, seen);
      g_hash_table_insert (watch->running, pid, seen);
    }
  seen->recorded = process->recorded;
  for (guint i = 0; i < process->records->len; i++)
    {
      const char *name = g_array_index (process->records, CapraMonitorRecord, i).name;

      if (g_str_equal (name, "upload") || g_str_equal (name, "download"))
        continue;
      g_free (seen->last_kernel);
      seen->last_kernel = g_strdup (name);
    }
  if (event == CAPRA_MONITOR_LEFT)
    {
      seen->left = TRUE;
      g_hash_table_remove (watch->running, pid);
    }
}

static gpointer
run (gpointer data)
{
  HostsWatch *watch = data;
  g_autoptr (CapraMonitor) monitor = NULL;
  g_autoptr (GError) error = NULL;
  gint64 end = 0;

  g_main_context_push_thread_default (watch->context);
  monitor = capra_monitor_new (on_event, watch, &error);
  g_assert_no_error (error);
  g_mutex_lock (&watch->lock);
  watch->listens = TRUE;
  g_cond_signal (&watch->ready);
  while (!watch->ending || (g_hash_table_size (watch->running) > 0 && g_get_monotonic_time () < end))
    {
      if (end == 0 && watch->ending)
        end = g_get_monotonic_time () + PATIENCE;
      g_mutex_unlock (&watch->lock);
      if (!g_main_context_iteration (watch->context, FALSE))
        g_usleep (5000);
      g_mutex_lock (&watch->lock);
    }
  g_mutex_unlock (&watch->lock);
  g_main_context_pop_thread_default (watch->context);
  return NULL;
}

HostsWatch *
hosts_watch_begin (void)
{
  HostsWatch *watch = g_new0 (HostsWatch, 1);

  watch->context = g_main_context_new ();
  watch->seen = g_ptr_array_new_with_free_func ((GDestroyNotify) seen_free);
  watch->running = g_hash_table_new (NULL, NULL);
  g_mutex_init (&watch->lock);
  g_cond_init (&watch->ready);
  watch->thread = g_thread_new ("watch", run, watch);
  g_mutex_lock (&watch->lock);
  while (!watch->listens)
    g_cond_wait (&watch->ready, &watch->lock);
  g_mutex_unlock (&watch->lock);
  return watch;
}

GPtrArray *
hosts_watch_end (HostsWatch *watch)
{
  GPtrArray *seen = watch->seen;

  g_mutex_lock (&watch->lock);
  watch->ending = TRUE;
  g_mutex_unlock (&watch->lock);
  g_thread_join (watch->thread);
  g_hash_table_unref (watch->running);
  g_main_context_unref (watch->context);
  g_mutex_clear (&watch->lock);
  g_cond_clear (&watch->ready);
  g_free (watch);
  return seen;
}

const HostsSeen *
hosts_seen_find (const GPtrArray *seen, const char *name)
{
  const HostsSeen *found = NULL;

  for (guint i = 0; i < seen->len; i++)
    if (g_str_equal (((const HostsSeen *) seen->pdata[i])->name, name))
      {
        g_assert_null (found);
        found = seen->pdata[i];
      }
  if (!found)
    g_error ("no process called %s was seen", name);
  return found;
}

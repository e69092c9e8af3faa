/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends the program where a driver does not come back. */
#include <stdio.h>
#include <unistd.h>

#include "ui/cli/tune/tune-watchdog.h"

static gpointer
watch (gpointer data)
{
  TuneGuard *guard = data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&guard->lock);

  while (!guard->over)
    if (!g_cond_wait_until (&guard->change, &guard->lock, guard->limit))
      {
        fflush (stdout);
        fprintf (stderr,
                 "\ncapra tune: the time is up, and the driver does not come back from %s; what was found"
                 " before is kept\n",
                 guard->trying ? guard->trying : "its work");
        _exit (1); /* exit() would wait for it, too */
      }
  return NULL;
}

void
tune_guard_start (TuneGuard *guard, gint64 limit)
{
  g_mutex_init (&guard->lock);
  g_cond_init (&guard->change);
  guard->limit = limit;
  guard->over = FALSE;
  guard->trying = NULL;
  guard->thread = g_thread_new ("capra-guard", watch, guard);
}

void
tune_guard_set (TuneGuard *guard, const char *key, const char *value)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&guard->lock);

  g_free (guard->trying);
  guard->trying = g_strconcat (key, "=", value, NULL);
}

void
tune_guard_stop (TuneGuard *guard)
{
  g_mutex_lock (&guard->lock);
  guard->over = TRUE;
  g_cond_signal (&guard->change);
  g_mutex_unlock (&guard->lock);
  g_thread_join (guard->thread);
  g_free (guard->trying);
  g_mutex_clear (&guard->lock);
  g_cond_clear (&guard->change);
}

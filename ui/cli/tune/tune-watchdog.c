/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends the program when a driver hangs. */
#include <stdio.h>
#include <unistd.h>

#include "ui/cli/tune/tune-watchdog.h"

static gpointer
watch (gpointer data)
{
  TuneWatchdog *watchdog = data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&watchdog->lock);

  while (!watchdog->stopped)
    if (!g_cond_wait_until (&watchdog->change, &watchdog->lock, watchdog->limit))
      {
        fflush (stdout);
        fprintf (stderr,
                 "\ncapra tune: time limit reached, and the driver does not return from %s; earlier"
                 " results are stored\n",
                 watchdog->trying ? watchdog->trying : "its work");
        _exit (1); /* exit() would wait for the driver, too */
      }
  return NULL;
}

void
tune_watchdog_start (TuneWatchdog *watchdog, gint64 limit)
{
  g_mutex_init (&watchdog->lock);
  g_cond_init (&watchdog->change);
  watchdog->limit = limit;
  watchdog->stopped = FALSE;
  watchdog->trying = NULL;
  watchdog->thread = g_thread_new ("capra-watchdog", watch, watchdog);
}

void
tune_watchdog_set (TuneWatchdog *watchdog, const char *key, const char *value)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&watchdog->lock);

  g_free (watchdog->trying);
  watchdog->trying = g_strconcat (key, "=", value, NULL);
}

void
tune_watchdog_stop (TuneWatchdog *watchdog)
{
  g_mutex_lock (&watchdog->lock);
  watchdog->stopped = TRUE;
  g_cond_signal (&watchdog->change);
  g_mutex_unlock (&watchdog->lock);
  g_thread_join (watchdog->thread);
  g_free (watchdog->trying);
  g_mutex_clear (&watchdog->lock);
  g_cond_clear (&watchdog->change);
}

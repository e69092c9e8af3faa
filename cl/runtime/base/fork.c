/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fork: marks forked children, and keeps static locks free in them. */
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/fork.h"

#define MAX_GUARDED 8

static gint forked;        /* atomic: this process is a child of one that had loaded a driver */
static gint waits_at_exit; /* atomic: a driver's function at exit waits for threads, which a child does not have */
static GMutex guarding;
static GMutex *guarded[MAX_GUARDED];
static gint n_guarded; /* atomic; entries below it never change */

#ifdef __GLIBC__
/* The first of the functions at exit: those that were registered before the fork would be next. */
static void
end_child (int status, void *data)
{
  fflush (NULL);
  _exit (status);
}
#endif

static void
mark_child (void)
{
  g_atomic_int_set (&forked, TRUE);
#ifdef __GLIBC__
  if (g_atomic_int_get (&waits_at_exit))
    on_exit (end_child, NULL);
#endif
}

void
capra_fork_end_early (void)
{
  g_atomic_int_set (&waits_at_exit, TRUE);
}

void
capra_fork_watch (void)
{
  static gsize watching;

  if (g_once_init_enter (&watching))
    {
      pthread_atfork (NULL, NULL, mark_child);
      /* The locks of GLib and GObject stay locked in a child that is forked while a thread registers a type or a
       * string. So that a child can write JSON and return errors, what these need is registered before. */
      g_type_class_ref (JSON_TYPE_GENERATOR);
      capra_error_quark ();
      g_once_init_leave (&watching, 1);
    }
}

gboolean
capra_fork_is_child (void)
{
  return g_atomic_int_get (&forked);
}

gboolean
capra_fork_check (GError **error)
{
  if (!capra_fork_is_child ())
    return TRUE;
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE,
                       _ ("OpenCL does not work in a process forked from one that has used it: use Capra in the parent "
                          "process, fork workers before the first use of Capra, or start them as new programs (in "
                          "Python: multiprocessing.set_start_method (\"spawn\"))"));
  return FALSE;
}

/* Locks all or none, and keeps none while it waits: threads may take one guarded lock while they hold another, in any
 * order. */
static void
lock_guarded (void)
{
  while (TRUE)
    {
      GMutex *busy = NULL;
      gint i = 0;

      g_mutex_lock (&guarding);
      while (i < n_guarded && g_mutex_trylock (guarded[i]))
        i++;
      if (i == n_guarded)
        return;
      busy = guarded[i];
      while (i-- > 0)
        g_mutex_unlock (guarded[i]);
      g_mutex_unlock (&guarding);
      g_mutex_lock (busy);
      g_mutex_unlock (busy);
    }
}

static void
unlock_guarded (void)
{
  for (gint i = n_guarded; i-- > 0;)
    g_mutex_unlock (guarded[i]);
  g_mutex_unlock (&guarding);
}

/* When the library is loaded: later, another thread could fork the process meanwhile, and leave a lock to the child. */
__attribute__ ((constructor)) static void
guard_forks (void)
{
  pthread_atfork (lock_guarded, unlock_guarded, unlock_guarded);
}

static gboolean
is_guarded (const GMutex *lock)
{
  gint n = g_atomic_int_get (&n_guarded);

  for (gint i = 0; i < n; i++)
    if (guarded[i] == lock)
      return TRUE;
  return FALSE;
}

static void
guard (GMutex *lock)
{
  g_mutex_lock (&guarding);
  if (!is_guarded (lock))
    {
      g_assert (n_guarded < MAX_GUARDED);
      guarded[n_guarded] = lock;
      g_atomic_int_inc (&n_guarded);
    }
  g_mutex_unlock (&guarding);
}

void
capra_fork_lock (GMutex *lock)
{
  if (!is_guarded (lock))
    guard (lock);
  g_mutex_lock (lock);
}

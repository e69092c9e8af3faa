/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation, the side of the host: requests programs from another process. Not from a thread: a driver's compiler
 * that runs while the host ends crashes it, and holds locks for which other commands of the host wait. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* environ beside gnu11 */
#endif
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fork.h"
#include "runtime/base/helper.h"
#include "runtime/launch/preparation.h"
#include "runtime/launch/preparation-private.h"

#define IDLE_MILLISECONDS 5000 /* after this time the process ends: its compiler takes 100 MB */

/* The background process of this process; guarded by the lock. */
static GMutex lock;
static GCond changed;
static GHashTable *jobs; /* line -> CapraPreparationState */
static guint n_waiting;
static int helper = -1; /* the socket */
static GPid owner;      /* the process that started it: a forked child starts its own */

/* The child forks at once and ends, so that the host has a child for a short time only; 0 if it cannot be run. */
static pid_t
spawn (int child_socket)
{
  char *arguments[] = { (char *) "capra-prepare", NULL };
  const CapraHelperSetup setup = { arguments, environ, child_socket, -1, FALSE };

  return capra_helper_spawn (&setup);
}

/* The lock is held. */
static void
set_state (const char *line, CapraPreparationState state)
{
  gpointer key = NULL, old = NULL;

  if (!g_hash_table_lookup_extended (jobs, line, &key, &old) || GPOINTER_TO_INT (old) != CAPRA_PREPARATION_WAITING)
    return;
  g_hash_table_insert (jobs, g_strdup (line), GINT_TO_POINTER (state));
  n_waiting--;
  g_cond_broadcast (&changed);
}

/* The background process has ended: the programs that it did not build are built when they are used. The lock is
 * held. */
static void
end_requests (int socket)
{
  GHashTableIter iter;
  gpointer state = NULL;

  close (socket);
  helper = -1;
  g_hash_table_iter_init (&iter, jobs);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    if (GPOINTER_TO_INT (state) == CAPRA_PREPARATION_WAITING)
      g_hash_table_iter_replace (&iter, GINT_TO_POINTER (CAPRA_PREPARATION_FAILED));
  n_waiting = 0;
  g_cond_broadcast (&changed);
}

static void
read_answers (GString *text)
{
  for (char *end = NULL; (end = strchr (text->str, '\n')); g_string_erase (text, 0, end - text->str + 1))
    {
      *end = '\0';
      set_state (text->str + 1, text->str[0] == '+' ? CAPRA_PREPARATION_DONE : CAPRA_PREPARATION_FAILED);
    }
}

/* The thread that reads the answers, and closes the socket when no request is left. */
static gpointer
listen_to_helper (gpointer child)
{
  struct pollfd event = { .fd = helper, .events = POLLIN };
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean runs = TRUE;

  while (waitpid ((pid_t) GPOINTER_TO_INT (child), NULL, 0) < 0 && errno == EINTR)
    ;
  while (runs)
    {
      int ready = poll (&event, 1, IDLE_MILLISECONDS);
      char bytes[1024];
      gssize n = ready > 0 ? recv (event.fd, bytes, sizeof bytes, 0) : 0;

      g_mutex_lock (&lock);
      if (n > 0)
        {
          g_string_append_len (text, bytes, n);
          read_answers (text);
        }
      runs = n > 0 || (ready < 0 || n < 0 ? errno == EINTR : ready == 0 && n_waiting > 0);
      if (!runs)
        end_requests (event.fd);
      g_mutex_unlock (&lock);
    }
  return NULL;
}

/* The lock is held. */
static gboolean
start (void)
{
  int ends[2] = { -1, -1 };
  g_autoptr (GThread) thread = NULL;
  sigset_t all, before;
  pid_t child = 0;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return FALSE;
  child = spawn (ends[1]);
  close (ends[1]);
  helper = ends[0];
  owner = getpid ();
  sigfillset (&all); /* the host handles signals */
  pthread_sigmask (SIG_SETMASK, &all, &before);
  thread = child ? g_thread_try_new ("capra-prepare", listen_to_helper, GINT_TO_POINTER (child), NULL) : NULL;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (!thread)
    {
      close (helper);
      helper = -1;
    }
  return thread != NULL;
}

/* The lock is held. */
static gboolean
send_line (const char *line)
{
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  gssize length = (gssize) strlen (text);

  if (helper >= 0 && owner != getpid ())
    return FALSE;
  return (helper >= 0 || start ()) && send (helper, text, (gsize) length, MSG_NOSIGNAL | MSG_DONTWAIT) == length;
}

CapraPreparationState
capra_preparation_request (CapraContext *context, const char *name, const char *options, const char *size)
{
  g_autofree char *line = g_strdup_printf ("%u\t%s\t%s\t%s", context->info->index, name, options, size);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  gpointer state = NULL;

  if (!jobs)
    jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_lookup_extended (jobs, line, NULL, &state))
    return (CapraPreparationState) GPOINTER_TO_INT (state);
  if (!send_line (line))
    {
      g_hash_table_insert (jobs, g_steal_pointer (&line), GINT_TO_POINTER (CAPRA_PREPARATION_FAILED));
      return CAPRA_PREPARATION_FAILED;
    }
  g_hash_table_insert (jobs, g_steal_pointer (&line), GINT_TO_POINTER (CAPRA_PREPARATION_WAITING));
  n_waiting++;
  return CAPRA_PREPARATION_WAITING;
}

guint
capra_preparation_count (void)
{
  guint n = 0;

  if (capra_fork_is_child ())
    return 0;
  g_mutex_lock (&lock);
  n = n_waiting;
  g_mutex_unlock (&lock);
  return n;
}

gboolean
capra_preparation_wait (guint milliseconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) milliseconds * 1000;
  gboolean done = FALSE;

  if (capra_fork_is_child ())
    return TRUE;
  g_mutex_lock (&lock);
  while (n_waiting > 0 && g_cond_wait_until (&changed, &lock, end))
    ;
  done = n_waiting == 0;
  g_mutex_unlock (&lock);
  return done;
}

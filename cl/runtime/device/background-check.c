/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Background check, the side of the host: starts `capra check --background`, at most one for this process, with a
 * socket as its standard input, and writes a line with the id of each device. The end of the socket tells the program
 * that this process has ended. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* environ beside gnu11 */
#endif
#include "runtime/device/background-check.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/base/helper.h"
#include "runtime/base/settings.h"
#include "runtime/device/check-record-private.h"
#include "runtime/device/check-record.h"

/* The socket, -1 if no program was started; guarded by the lock. */
static GMutex lock;
static int helper = -1;

/* The program forks at once, and this child ends. */
static gpointer
wait_for_child (gpointer child)
{
  while (waitpid ((pid_t) GPOINTER_TO_INT (child), NULL, 0) < 0 && errno == EINTR)
    ;
  return NULL;
}

/* The lock is held. */
static void
start (void)
{
  char *arguments[] = { (char *) "capra", (char *) "check", (char *) "--background", NULL };
  int ends[2] = { -1, -1 };
  g_autoptr (GThread) thread = NULL;
  sigset_t all, before;
  pid_t child = 0;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  child = capra_helper_spawn (&(CapraHelperSetup){ arguments, environ, ends[1], -1, FALSE });
  close (ends[1]);
  if (helper >= 0)
    close (helper);
  helper = ends[0];
  if (child == 0)
    return;
  sigfillset (&all); /* the host handles signals */
  pthread_sigmask (SIG_SETMASK, &all, &before);
  thread = g_thread_try_new ("capra-check", wait_for_child, GINT_TO_POINTER (child), NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

/* The lock is held. FALSE if no program reads. */
static gboolean
send_line (const char *line)
{
  gssize length = (gssize) strlen (line);

  return helper >= 0 && send (helper, line, (gsize) length, MSG_NOSIGNAL | MSG_DONTWAIT) == length;
}

static void
request (CapraDevice *device)
{
  g_autofree char *line = g_strconcat (capra_device_get_info (device)->id, "\n", NULL);
  g_autofree char *path = capra_check_record_path (device), *folder = g_path_get_dirname (path);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  /* Not where the verdict cannot be kept. */
  if (send_line (line) || !capra_file_create_folder (folder))
    return;
  start ();
  send_line (line);
}

/* Writes to the log which kernels are wrong. */
static void
report (CapraDevice *device, const CapraCheckRecord *record)
{
  g_autofree char *differ = g_strjoinv (", ", record->differ), *failed = g_strjoinv (", ", record->failed);

  if (*differ || *failed)
    g_message (_ ("%s: kernels failed their check: %s%s%s; \"capra check\" prints the details"),
               capra_device_get_info (device)->name, differ, *differ && *failed ? ", " : "", failed);
}

void
capra_background_check_begin (CapraDevice *device)
{
  g_autofree char *setting = capra_settings_get ("check");
  g_autoptr (CapraCheckRecord) record = NULL;

  if (g_strcmp0 (setting, "off") == 0)
    return;
  record = capra_check_record_load (device);
  if (record)
    report (device, record);
  if (!record || !record->ended)
    request (device);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver wait: read from /proc, for the threads of a process and for its children, such as a linker that a driver's
 * compiler runs. */
#include "runtime/drivers/driver-wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Drivers start programs, which may start others. */
#define MAX_DEPTH 4

/* The contents of a file of @process, or of its thread @thread; NULL if it has ended. */
static char *
read_file (pid_t process, const char *thread, const char *name)
{
  g_autofree char *path = thread ? g_strdup_printf ("/proc/%d/task/%s/%s", (int) process, thread, name)
                                 : g_strdup_printf ("/proc/%d/%s", (int) process, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* Page faults that waited for a disk, and bytes read from disks. Network file systems count the former only. */
static guint64
count_reads (pid_t process)
{
  g_autofree char *stat = read_file (process, NULL, "stat"), *io = read_file (process, NULL, "io");
  const char *end = stat ? strrchr (stat, ')') : NULL, *bytes = io ? strstr (io, "read_bytes: ") : NULL;
  guint64 faults = 0;

  /* After the name in parentheses: state, parent, group, session, terminal, its group, flags, faults of two kinds,
   * those that waited for a disk. */
  if (end && sscanf (end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %" G_GUINT64_FORMAT, &faults) != 1)
    faults = 0;
  return faults + (bytes ? g_ascii_strtoull (bytes + strlen ("read_bytes: "), NULL, 10) : 0);
}

static void add_process (CapraDriverWait *wait, pid_t process, guint depth);

static void
add_thread (CapraDriverWait *wait, pid_t process, const char *thread, guint depth)
{
  g_autofree char *times = read_file (process, thread, "schedstat"), *stat = read_file (process, thread, "stat");
  g_autofree char *children = depth < MAX_DEPTH ? read_file (process, thread, "children") : NULL;
  const char *end = stat ? strrchr (stat, ')') : NULL;
  guint64 run = 0, delay = 0; /* in nanoseconds */

  if (times && sscanf (times, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &run, &delay) == 2)
    {
      wait->delay += (gint64) (delay / 1000);
      wait->run = MAX (wait->run, (gint64) (run / 1000));
    }
  wait->runnable |= end && g_str_has_prefix (end, ") R");
  wait->blocked |= end && g_str_has_prefix (end, ") D");
  for (char *at = children, *next = NULL; at; at = next)
    {
      long child = strtol (at, &next, 10);

      if (next == at)
        break;
      add_process (wait, (pid_t) child, depth + 1);
    }
}

static void
add_process (CapraDriverWait *wait, pid_t process, guint depth)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/task", (int) process);
  g_autoptr (GDir) threads = g_dir_open (folder, 0, NULL);
  const char *thread = NULL;

  wait->reads += count_reads (process);
  while (threads && (thread = g_dir_read_name (threads)))
    add_thread (wait, process, thread, depth);
}

CapraDriverWait
capra_driver_wait_read (pid_t process)
{
  CapraDriverWait wait = { FALSE, FALSE, 0, 0, 0 };

  add_process (&wait, process, 0);
  return wait;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load: processes that compute nothing for three quarters of the time, all at once. Programs of the lowest priority run
 * in the rest. Linux may share the time between sessions first, whatever the priority of their processes: each of these
 * has a session of its own, else programs of low priority in others would have most of it. */
#include "tests/support/support-load.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough to have most of the time beside other programs, too. */
#define PROCESSES_PER_PROCESSOR 8

/* In microseconds: of each period, the first part is busy. */
#define PERIOD 100000
#define BUSY 75000

static GArray *processes;

static pid_t
start_process (void)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  setsid ();
  for (;;)
    {
      gint64 position = g_get_monotonic_time () % PERIOD;

      if (position >= BUSY)
        g_usleep ((gulong) (PERIOD - position));
    }
}

gboolean
support_load_begin (void)
{
  guint n = PROCESSES_PER_PROCESSOR * g_get_num_processors ();

  if (getpriority (PRIO_PROCESS, 0) > 0)
    {
      g_test_skip ("needs a normal priority: not with nice");
      return FALSE;
    }
  processes = g_array_new (FALSE, FALSE, sizeof (pid_t));
  for (guint i = 0; i < n; i++)
    {
      pid_t pid = start_process ();

      g_array_append_val (processes, pid);
    }
  return TRUE;
}

void
support_load_end (void)
{
  for (guint i = 0; i < processes->len; i++)
    {
      pid_t pid = g_array_index (processes, pid_t, i);

      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
    }
  g_clear_pointer (&processes, g_array_unref);
}

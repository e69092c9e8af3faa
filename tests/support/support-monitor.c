/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of the monitor. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support-files.h"
#include "tests/support/support-monitor.h"
#include "tests/support/support.h"

static const char *program;
static char **environment; /* of the processes */
static char *folder;       /* of the sockets */

/* Uploads, fills and downloads once for each repeat. */
static void
work (guint repeats)
{
  CapraShape shape = CAPRA_SHAPE_2D (256, 64, CAPRA_F32);
  g_autofree float *data = support_noise (256 * 64, 0, 1, 1);

  for (guint i = 0; i < repeats; i++)
    {
      g_autoptr (CapraArray) array = capra_array_new_from_data (support_device (1), &shape, data, NULL);

      capra_array_fill (array, i, NULL);
      capra_array_download (array, data, NULL);
    }
}

/* Answers each line with "ok", until the end of its input. */
static int
child (const char *name)
{
  char line[32];

  g_set_prgname (name);
  g_set_application_name ("A worker");
  while (fgets (line, sizeof line, stdin))
    {
      if (line[0] == 'r')
        capra_timeline_reset ();
      else
        work ((guint) g_ascii_strtoull (line, NULL, 10));
      puts ("ok");
      fflush (stdout);
    }
  return 0;
}

/* A monitor that never runs its main context. */
static int
deaf_child (void)
{
  g_autoptr (CapraMonitor) monitor = capra_monitor_new (NULL, NULL, NULL);

  puts (monitor ? "ok" : "failed");
  fflush (stdout);
  while (getchar () != EOF)
    ;
  return 0;
}

GSubprocess *
support_worker_start (const char *role)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  GSubprocess *process = NULL;

  g_subprocess_launcher_set_environ (launcher, environment);
  process = g_subprocess_launcher_spawn (launcher, &error, program, role, NULL);
  g_assert_no_error (error);
  return process;
}

void
support_worker_expect_ok (GSubprocess *process)
{
  char answer[3] = "";
  gsize got = 0;

  g_input_stream_read_all (g_subprocess_get_stdout_pipe (process), answer, 3, &got, NULL, NULL);
  g_assert_cmpuint (got, ==, 3);
  g_assert_true (memcmp (answer, "ok\n", 3) == 0);
}

void
support_worker_send (GSubprocess *process, const char *line)
{
  g_output_stream_write_all (g_subprocess_get_stdin_pipe (process), line, strlen (line), NULL, NULL, NULL);
  support_worker_expect_ok (process);
}

void
support_worker_finish (GSubprocess *process)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
  g_subprocess_wait (process, NULL, NULL);
  g_assert_true (g_subprocess_get_successful (process));
}

const CapraMonitorProcess *
support_monitor_find (CapraMonitor *monitor, GSubprocess *process)
{
  const GPtrArray *all = capra_monitor_get_processes (monitor);
  gint64 pid = g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10);

  for (guint i = 0; i < all->len; i++)
    if (((const CapraMonitorProcess *) all->pdata[i])->pid == pid)
      return all->pdata[i];
  return NULL;
}

CapraMonitor *
support_monitor_new (CapraMonitorFunc func, gpointer data)
{
  g_autoptr (GError) error = NULL;
  CapraMonitor *monitor = capra_monitor_new (func, data, &error);

  g_assert_no_error (error);
  return monitor;
}

guint64
support_monitor_count (const CapraMonitorProcess *process, const char *name)
{
  for (guint i = 0; process && i < process->timings->len; i++)
    if (g_str_equal (g_array_index (process->timings, CapraMonitorTiming, i).name, name))
      return g_array_index (process->timings, CapraMonitorTiming, i).count;
  return 0;
}

void
support_worker_setenv (const char *name, const char *value)
{
  environment = g_environ_setenv (environment, name, value, TRUE);
}

const char *
support_monitor_folder (void)
{
  return folder;
}

int
support_monitor_main (int argc, char **argv, void (*add_tests) (void))
{
  g_autofree char *runtime = NULL, *parent = NULL;
  int status = 0;

  if (argc == 2 && g_str_equal (argv[1], "--work"))
    return child ("worker");
  if (argc == 2 && g_str_equal (argv[1], "--deaf"))
    return deaf_child ();

  program = argv[0];
  runtime = support_folder_make ("capra-monitor-XXXXXX");
  parent = g_build_filename (runtime, "capra", NULL);
  folder = g_build_filename (parent, "monitor", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  environment = g_get_environ ();
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  add_tests ();
  status = g_test_run ();
  g_free (folder);
  g_strfreev (environment);
  return status;
}

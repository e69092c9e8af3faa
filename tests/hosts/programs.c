/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that the tests run, each with a time limit. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include <gio/gio.h>

#include "tests/hosts/hosts.h"

#define SECONDS 60

void
hosts_run_free (HostsRun *run)
{
  g_free (run->out);
  g_free (run->err);
  g_free (run);
}

void
hosts_die_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

static gboolean
is_saving (const char *folder, const char *pid)
{
  g_autofree char *descriptors = g_build_filename ("/proc", pid, "fd", NULL);
  g_autoptr (GDir) open = g_dir_open (descriptors, 0, NULL);
  const char *name;

  while (open && (name = g_dir_read_name (open)))
    {
      g_autofree char *link = g_build_filename (descriptors, name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (target && g_str_has_prefix (target, folder))
        return TRUE;
    }
  return FALSE;
}

void
hosts_wait_until_saving (GSubprocess *process, const char *folder)
{
  const char *pid = NULL;

  while ((pid = g_subprocess_get_identifier (process)) && !is_saving (folder, pid))
    g_usleep (1000);
  g_assert_nonnull (pid);
}

HostsRun *
hosts_run (const char *settings, int seconds, const char *const *command)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) pairs = g_strsplit (settings ? settings : "", "\n", 0);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  HostsRun *run = g_new0 (HostsRun, 1);

  for (guint i = 0; pairs[i]; i++)
    {
      char *value = strchr (pairs[i], '=');

      if (!value)
        continue;
      *value = '\0';
      g_subprocess_launcher_setenv (launcher, pairs[i], value + 1, TRUE);
    }
  /* `timeout` ends the program together with its children. */
  g_ptr_array_add (words, g_strdup ("timeout"));
  g_ptr_array_add (words, g_strdup ("--kill-after=2"));
  g_ptr_array_add (words, g_strdup_printf ("%d", seconds));
  for (guint i = 0; command[i]; i++)
    g_ptr_array_add (words, g_strdup (command[i]));
  g_ptr_array_add (words, NULL);

  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &run->out, &run->err, &error);
  g_assert_no_error (error);
  run->status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process)
                                                     : 128 + g_subprocess_get_term_sig (process);
  return run;
}

void
hosts_assert_success (const HostsRun *run)
{
  if (run->status != 0 || *run->err)
    g_error ("status %d\n%s%s", run->status, run->out, run->err);
}

void
hosts_assert_error (const HostsRun *run, int status, const char *text)
{
  if (run->status != status || !strstr (run->err, text))
    g_error ("status %d instead of %d with \"%s\"\n%s%s", run->status, status, text, run->out, run->err);
}

/* @program: a command line that @arguments are added to */
static HostsRun *
run_with_module (const char *settings, const char *program, const char *arguments)
{
  g_autofree char *line = g_strconcat (program, " ", arguments, NULL);
  g_autofree char *all = g_strdup_printf ("GEGL_PATH=%s\n%s", g_getenv ("CAPRA_TEST_GEGL_PATH"),
                                          settings ? settings : "");
  g_auto (GStrv) command = NULL;
  g_autoptr (GError) error = NULL;

  g_shell_parse_argv (line, NULL, &command, &error);
  g_assert_no_error (error);
  return hosts_run (all, SECONDS, (const char *const *) command);
}

HostsRun *
hosts_gegl (const char *settings, const char *format, ...)
{
  g_autofree char *arguments = NULL;
  va_list list;

  va_start (list, format);
  arguments = g_strdup_vprintf (format, list);
  va_end (list);
  return run_with_module (settings, g_getenv ("CAPRA_TEST_GEGL"), arguments);
}

HostsRun *
hosts_capra_run (const char *settings, const char *format, ...)
{
  g_autofree char *program = g_strconcat (g_getenv ("CAPRA_PROGRAM"), " run", NULL);
  g_autofree char *arguments = NULL;
  va_list list;

  va_start (list, format);
  arguments = g_strdup_vprintf (format, list);
  va_end (list);
  return run_with_module (settings, program, arguments);
}

void
hosts_gegl_succeed (const char *settings, const char *format, ...)
{
  g_autofree char *arguments = NULL;
  g_autoptr (HostsRun) run = NULL;
  va_list list;

  va_start (list, format);
  arguments = g_strdup_vprintf (format, list);
  va_end (list);
  run = run_with_module (settings, g_getenv ("CAPRA_TEST_GEGL"), arguments);
  if (run->status != 0 || strstr (run->err, "CRITICAL") || strstr (run->err, "rror")
      || (!strstr (arguments, "gegl:") /* blurs and aux pads of GEGL leak buffers */
          && (strstr (run->err, "WARNING") || strstr (run->err, "leaked"))))
    g_error ("gegl %s: status %d\n%s%s", arguments, run->status, run->out, run->err);
}

static char **
csv_line (const char *csv, guint number)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", 0);

  g_assert_cmpuint (g_strv_length (lines), >, number);
  return g_strsplit (g_strchomp (lines[number]), ",", 0);
}

double
hosts_csv_get (const char *csv, guint row, const char *column)
{
  g_auto (GStrv) names = csv_line (csv, 0);
  g_auto (GStrv) cells = csv_line (csv, row + 1);

  for (guint i = 0; names[i] && cells[i]; i++)
    if (g_str_equal (names[i], column))
      return g_ascii_strtod (cells[i], NULL);
  g_error ("no %s in row %u of\n%s", column, row, csv);
}

guint
hosts_csv_rows (const char *csv)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", 0);
  guint count = 0;

  for (guint i = 1; lines[i]; i++)
    if (*g_strchomp (lines[i]))
      count++;
  return count;
}

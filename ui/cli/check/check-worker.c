/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worker: each line of the protocol begins with a letter: "j" a job begins, "c" a case of it and its name, "v" the
 * job's verdict, number of cases, seconds and message. Names and messages are escaped. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 beside gnu11 */
#endif
#include "ui/cli/check/check-worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <gio/gio.h>

static FILE *protocol;

/* A program that does not read any more wants no results. */
static void
put_line (const char *line)
{
  if (fprintf (protocol, "%s\n", line) < 0 || fflush (protocol) != 0)
    _exit (1);
}

static void
put_case (const char *name)
{
  g_autofree char *escaped = g_strescape (name, NULL), *line = g_strconcat ("c ", escaped, NULL);

  put_line (line);
}

int
check_worker_serve (CapraDevice *device, const GArray *jobs, guint first, gboolean full)
{
  int output = dup (STDOUT_FILENO);

  /* Ends with the program that started it, also while a kernel hangs. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  protocol = output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0 ? NULL : fdopen (output, "w");
  if (!protocol) /* drivers may write to the standard output */
    return 1;
  for (guint i = first; i < jobs->len; i++)
    {
      const CheckJob *job = &g_array_index (jobs, CheckJob, i);
      char seconds[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *message = NULL, *line = NULL;
      CheckResult result;

      put_line ("j");
      check_run (device, job->family, full, job->variant, put_case, &result);
      message = g_strescape (result.message ? result.message : "", NULL);
      line = g_strdup_printf ("v %d %u %s %s", result.verdict, result.cases,
                              g_ascii_dtostr (seconds, sizeof seconds, result.seconds), message);
      put_line (line);
      g_free (result.message);
      if (job->family->large)
        capra_memory_trim (device);
    }
  return 0;
}

static void
ignore_case (const char *name)
{
}

int
check_worker_serve_ahead (CapraDevice *device, const GArray *jobs, guint last, gboolean full)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  dup2 (STDOUT_FILENO, STDERR_FILENO); /* what drivers write is written by the worker, too */
  for (guint i = MIN (last + 1, jobs->len); i-- > 0;)
    {
      const CheckJob *job = &g_array_index (jobs, CheckJob, i);
      CheckResult result;

      if (job->family->large)
        continue;
      check_run (device, job->family, full, job->variant, ignore_case, &result);
      g_free (result.message);
    }
  return 0;
}

struct _CheckWorker {
  const char *device, *selection;
  gboolean full;
  guint limit;
  CheckSecondFunc on_second; /* nullable */
  GSubprocess *process;      /* NULL if none runs */
  int output;                /* of it */
  GString *text;             /* that was read from it */
  char *unusable;            /* why no process is started any more */
};

CheckWorker *
check_worker_new (CapraDevice *device, const char *selection, gboolean full, guint limit)
{
  CheckWorker *worker = g_new0 (CheckWorker, 1);

  *worker = (CheckWorker){
    capra_device_get_info (device)->id, selection, full, limit, NULL, NULL, -1, g_string_new (NULL)
  };
  return worker;
}

void
check_worker_set_second (CheckWorker *worker, CheckSecondFunc on_second)
{
  worker->on_second = on_second;
}

void
check_worker_stop (CheckWorker *worker)
{
  if (!worker->process)
    return;
  g_subprocess_force_exit (worker->process);
  g_subprocess_wait (worker->process, NULL, NULL);
  g_clear_object (&worker->process);
  if (worker->output >= 0)
    close (worker->output);
  worker->output = -1;
  g_string_truncate (worker->text, 0);
}

void
check_worker_free (CheckWorker *worker)
{
  check_worker_stop (worker);
  g_string_free (worker->text, TRUE);
  g_free (worker->unusable);
  g_free (worker);
}

/* Starts a process with the option @how, --worker or --ahead, and a number of a job. @output: its standard output */
static GSubprocess *
spawn (const CheckWorker *worker, const char *how, guint number, const char *variant, int output, GError **error)
{
  g_autofree char *quarantine = capra_settings_get ("quarantine");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *first = g_strdup_printf ("%u", number);
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_auto (GStrv) argv = NULL;

  g_strv_builder_add_many (arguments, program ? program : "capra", "check", how, first, "--device", worker->device,
                           NULL);
  if (worker->full)
    g_strv_builder_add (arguments, "--full");
  if (worker->selection)
    g_strv_builder_add_many (arguments, "--select", worker->selection, NULL);
  if (variant)
    g_strv_builder_add_many (arguments, "--variant", variant, NULL);
  /* Its kernels need no markers, which would remain where it is ended. */
  if (g_strcmp0 (quarantine, "off") != 0)
    g_subprocess_launcher_setenv (launcher, "CAPRA_QUARANTINE", "read", TRUE);
  argv = g_strv_builder_end (arguments);
  g_subprocess_launcher_take_stdout_fd (launcher, output);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, error);
}

static gboolean
start (CheckWorker *worker, guint number, const char *variant)
{
  g_autoptr (GError) error = NULL;
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) == 0)
    {
      worker->output = ends[0];
      worker->process = spawn (worker, "--worker", number, variant, ends[1], &error);
      if (!worker->process)
        close (ends[0]);
    }
  if (!worker->process)
    worker->unusable = g_strdup (error ? error->message : g_strerror (errno));
  return worker->process != NULL;
}

void
check_worker_start_ahead (CheckWorker *worker, guint last)
{
  int output = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  if (output >= 0)
    worker->process = spawn (worker, "--ahead", last, NULL, output, NULL);
}

typedef enum { READ_LINE, READ_END, READ_LATE, READ_CANCELED } Read;

/* Sets @line to the next line of the process. */
static Read
read_line (CheckWorker *worker, char **line)
{
  struct pollfd event = { .fd = worker->output, .events = POLLIN };
  guint waited = 0; /* seconds; not those for which the machine, or both processes, are suspended */
  char *newline = NULL;

  while (!(newline = strchr (worker->text->str, '\n')))
    {
      char bytes[1024];
      int ready = poll (&event, 1, 1000);
      gssize n = ready > 0 ? read (event.fd, bytes, sizeof bytes) : 0;

      if (ready == 0)
        {
          CheckSecond second = worker->on_second ? worker->on_second () : CHECK_SECOND_COUNTED;

          waited += second == CHECK_SECOND_COUNTED;
          if (second == CHECK_SECOND_LAST || waited >= worker->limit)
            return second == CHECK_SECOND_LAST ? READ_CANCELED : READ_LATE;
          continue;
        }
      if ((ready < 0 || n < 0) && errno == EINTR)
        continue;
      if (ready < 0 || n <= 0)
        return READ_END;
      g_string_append_len (worker->text, bytes, n);
    }
  *line = g_strndup (worker->text->str, (gsize) (newline - worker->text->str));
  g_string_erase (worker->text, 0, newline - worker->text->str + 1);
  return READ_LINE;
}

/* Returns FALSE if @line is not a verdict. */
static gboolean
read_verdict (const char *line, CheckResult *result)
{
  g_auto (GStrv) fields = g_strsplit (line, " ", 5);
  guint64 verdict = 0, cases = 0;

  if (g_strv_length (fields) != 5 || !g_str_equal (fields[0], "v")
      || !g_ascii_string_to_unsigned (fields[1], 10, 0, CHECK_NOT_RUN, &verdict, NULL)
      || !g_ascii_string_to_unsigned (fields[2], 10, 0, G_MAXUINT, &cases, NULL))
    return FALSE;
  result->verdict = (CheckVerdict) verdict;
  result->cases = (guint) cases;
  result->seconds = g_ascii_strtod (fields[3], NULL);
  result->message = *fields[4] ? g_strcompress (fields[4]) : NULL;
  return TRUE;
}

/* Why the process has no verdict. Ends the process. */
static char *
explain (CheckWorker *worker, Read how)
{
  char *reason = NULL;

  if (how == READ_END)
    g_subprocess_wait (worker->process, NULL, NULL);
  if (how == READ_LATE)
    reason = g_strdup_printf ("hung: it took longer than %u s (--time-limit)", worker->limit);
  else if (how == READ_END && g_subprocess_get_if_signaled (worker->process))
    reason = g_strdup_printf ("crashed: signal %d (%s)", g_subprocess_get_term_sig (worker->process),
                              g_strsignal (g_subprocess_get_term_sig (worker->process)));
  else
    reason = g_strdup ("the driver ended the process");
  check_worker_stop (worker);
  return reason;
}

/* @what: (nullable): the case that ran; NULL if no job had begun */
static void
fail (CheckWorker *worker, const char *what, Read how, CheckResult *result)
{
  g_autofree char *reason = explain (worker, how);

  result->verdict = CHECK_FAILED;
  result->message = g_strdup_printf ("%s: %s", what ? what : "start", reason);
  if (!what) /* other jobs would wait for the same */
    worker->unusable = g_strdup (result->message);
}

/* Whether the process was ended as all processes of a user are when the user logs out, or for want of memory. */
static gboolean
is_killed (CheckWorker *worker)
{
  static const int signals[] = { SIGTERM, SIGKILL, SIGHUP, SIGINT };
  gboolean killed = FALSE;

  g_subprocess_wait (worker->process, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (signals) && g_subprocess_get_if_signaled (worker->process); i++)
    killed = killed || g_subprocess_get_term_sig (worker->process) == signals[i];
  return killed;
}

gboolean
check_worker_run (CheckWorker *worker, const CheckJob *job, guint number, CheckResult *result)
{
  gint64 begin = g_get_monotonic_time ();
  g_autofree char *what = NULL;
  Read how = READ_LINE;

  *result = (CheckResult){ .family = job->family, .variant = job->variant };
  if (!worker->unusable && !worker->process && !start (worker, number, job->variant) && worker->on_second)
    return FALSE;
  if (worker->unusable)
    {
      result->verdict = CHECK_FAILED;
      result->message = g_strdup (worker->unusable);
      return TRUE;
    }
  for (;;)
    {
      g_autofree char *line = NULL;

      how = read_line (worker, &line);
      if (how == READ_LINE && line[0] == 'v' && read_verdict (line, result))
        break;
      if (how == READ_CANCELED || (how == READ_END && worker->on_second && (!what || is_killed (worker))))
        {
          check_worker_stop (worker);
          return FALSE;
        }
      if (how != READ_LINE)
        {
          fail (worker, what, how, result);
          result->seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
          return TRUE;
        }
      g_free (what);
      what = line[0] == 'c' && line[1] ? g_strcompress (line + 2) : g_strdup ("first case");
      result->cases += line[0] == 'c';
    }
  if (result->verdict == CHECK_FAILED)
    check_worker_stop (worker);
  return TRUE;
}

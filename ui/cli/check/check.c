/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra check: compares the kernels' results on a device with scalar references in double precision. */
#include <stdio.h>
#include <stdlib.h>

#include "ui/cli/check/check-background.h"
#include "ui/cli/check/check-report.h"
#include "ui/cli/check/check-set-aside.h"
#include "ui/cli/check/check-system.h"
#include "ui/cli/check/check-worker.h"
#include "ui/cli/command.h"
#include "ui/cli/json.h"

static char *device_name, *report_path, *selection, *worker_variant;
static gboolean as_json, background, full, list, with_progress;
static int time_limit = 300, worker_first = -1, ahead_last = -1;

#define MAX_TIME_LIMIT 86400
/* Processes that build kernels ahead; each holds a compiler in memory. */
#define MAX_AHEAD 7

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Device, as listed by `capra devices`", "NAME" },
  { "full", 0, 0, G_OPTION_ARG_NONE, &full, "All cases, all variants of the kernels, and buffers of more than 4 GiB",
    NULL },
  { "select", 's', 0, G_OPTION_ARG_STRING, &selection, "Only kernels that match, such as 'label*,otsu'", "GLOBS" },
  { "list", 0, 0, G_OPTION_ARG_NONE, &list, "Print the names of the kernels", NULL },
  { "report", 'r', 0, G_OPTION_ARG_FILENAME, &report_path, "Also write the report to FILE", "FILE" },
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { "progress", 'p', 0, G_OPTION_ARG_NONE, &with_progress, "Print each family on the standard error before it runs",
    NULL },
  { "time-limit", 't', 0, G_OPTION_ARG_INT, &time_limit, "End a family with a case that takes longer (300)",
    "SECONDS" },
  { "background", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &background, "For another process", NULL },
  { "worker", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &worker_first, "Run the jobs from this number on", "NUMBER" },
  { "ahead", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &ahead_last, "Build kernels from this job on, backwards",
    "NUMBER" },
  { "variant", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &worker_variant, "Of the worker's first job", "TUNING" },
  { NULL },
};

/* Appends @text (transfer full) to the report, and prints it unless JSON is wanted. */
static void
print (GString *report, char *text)
{
  if (!as_json)
    {
      fputs (text, stdout);
      fflush (stdout); /* what runs is visible, also if the driver crashes */
    }
  g_string_append (report, text);
  g_free (text);
}

/* For a program that started this one. If that has ended, nobody wants the results. */
static void
print_progress (const CheckFamily *family, guint number, guint count)
{
  if (with_progress && fprintf (stderr, "[%u/%u] %s\n", number, count, family->name) < 0)
    exit (1);
}

/* Starts processes that build kernels before they are needed, as drivers for CPUs take most of the time of a check for
 * that, on one core. */
static GPtrArray *
start_ahead (CapraDevice *device, guint n_jobs)
{
  GPtrArray *workers = g_ptr_array_new_with_free_func ((GDestroyNotify) check_worker_free);
  guint n = capra_device_get_info (device)->type == CAPRA_DEVICE_CPU ? MIN (g_get_num_processors (), MAX_AHEAD + 1) : 1;

  for (guint i = 1; i < MIN (n, n_jobs); i++)
    {
      CheckWorker *worker = check_worker_new (device, selection, full, (guint) time_limit);

      check_worker_start_ahead (worker, n_jobs * i / (n - 1) - 1);
      g_ptr_array_add (workers, worker);
    }
  return workers;
}

/* Checks the families in another process, which a driver may end. */
static void
run_jobs (CapraDevice *device, const GArray *jobs, GString *report, GPtrArray *results)
{
  g_autoptr (GPtrArray) ahead = start_ahead (device, jobs->len);
  g_autoptr (CheckWorker) worker = check_worker_new (device, selection, full, (guint) time_limit);

  for (guint i = 0; i < jobs->len; i++)
    {
      const CheckJob *job = &g_array_index (jobs, CheckJob, i);
      CheckResult *result = g_new (CheckResult, 1);

      print_progress (job->family, i + 1, jobs->len);
      print (report, check_report_name (job->family, job->variant));
      check_worker_run (worker, job, i, result);
      if (!job->variant && (result->verdict == CHECK_DIFFERS || result->verdict == CHECK_FAILED))
        check_set_aside (device, selection, full, (guint) time_limit, job, i, result);
      print (report, check_report_verdict (result));
      g_ptr_array_add (results, result);
    }
}

/* Keeps the record of a check of all families. The check itself does not depend on whether it can be kept. */
static void
keep (CapraDevice *device, const CapraCheckRecord *record)
{
  g_autoptr (GError) error = NULL;

  if (!selection && !capra_check_record_save (device, record, &error) && record->ended)
    fprintf (stderr, "capra check: the verdict cannot be kept for capra devices: %s\n", error->message);
}

/* Sets @passed to whether all results are right. Returns FALSE with @error set if the report cannot be written. */
static gboolean
check (CapraDevice *device, const GArray *jobs, gboolean *passed, GError **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) check_result_free);
  g_autoptr (GPtrArray) pairs = check_system_describe (device);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (CapraCheckRecord) begun = capra_check_record_new (full), ended = NULL;
  gint64 start = g_get_monotonic_time ();
  double seconds = 0;

  print (report, check_report_head (pairs, full));
  keep (device, begun); /* known also if the driver ends or hangs this program */
  run_jobs (device, jobs, report, results);
  ended = check_report_record (full, results);
  keep (device, ended);
  seconds = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  print (report, check_report_foot (results, seconds));
  if (as_json)
    {
      g_autoptr (JsonBuilder) json = check_report_json (pairs, full, results, seconds);
      g_autofree char *text = json_to_text (json);

      puts (text);
      g_string_printf (report, "%s\n", text);
    }
  *passed = check_report_passed (results);
  if (!report_path || capra_write_text (report_path, report->str, error))
    return TRUE;
  g_prefix_error (error, "cannot write %s: ", report_path);
  return FALSE;
}

/* Prints an error for invalid arguments. */
static gboolean
check_arguments (int argc, char **argv)
{
  g_autofree char *unmatched = selection ? check_jobs_find_unmatched (selection, full) : NULL;

  if (argc > 1)
    fprintf (stderr, "capra check: unexpected argument \"%s\"; select kernels with --select\n", argv[1]);
  else if (time_limit < 1 || time_limit > MAX_TIME_LIMIT)
    fprintf (stderr, "capra check: the time limit is %d s; it must be 1 to %d\n", time_limit, MAX_TIME_LIMIT);
  else if (unmatched)
    fprintf (stderr,
             "capra check: \"%s\" matches none of the kernels; --list prints them, with --full also those "
             "of large buffers\n",
             unmatched);
  else
    return TRUE;
  return FALSE;
}

static void
print_names (const GArray *jobs)
{
  for (guint i = 0; i < jobs->len; i++)
    if (!g_array_index (jobs, CheckJob, i).variant)
      printf ("%s\n", g_array_index (jobs, CheckJob, i).family->name);
}

int
capra_command_check (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("- compare the results of a device with references");
  g_autofree char *kernels = capra_settings_get_common ("kernels");
  g_autoptr (GArray) jobs = NULL;
  g_autoptr (GError) error = NULL;
  CapraDevice *device = NULL;
  gboolean passed = FALSE;

  g_option_context_add_main_entries (options, entries, NULL);
  /* Those that operations use in the end. "prepare" has the same, but does not save them. */
  if (g_strcmp0 (kernels, "prepare") != 0)
    capra_settings_choose ("kernels", "optimized");
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra check: %s\n", error->message);
      return 2;
    }
  if (background)
    return check_background ((guint) time_limit);
  if (!check_arguments (argc, argv))
    return 2;
  jobs = check_jobs_list (selection, full);
  if (list)
    {
      print_names (jobs);
      return 0;
    }
  device = capra_device_select (device_name, &error);
  if (worker_variant && worker_first >= 0 && worker_first < (int) jobs->len)
    g_array_index (jobs, CheckJob, worker_first).variant = worker_variant;
  if (device && ahead_last >= 0)
    return check_worker_serve_ahead (device, jobs, (guint) ahead_last, full);
  if (device && worker_first >= 0)
    return check_worker_serve (device, jobs, (guint) worker_first, full);
  if (!device || !check (device, jobs, &passed, &error))
    {
      fprintf (stderr, "capra check: %s\n", error->message);
      return 1;
    }
  return passed ? 0 : 1;
}

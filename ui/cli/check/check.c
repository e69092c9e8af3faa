/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra check: compares the kernels' results on a device with scalar references in double precision. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/check-report.h"
#include "ui/cli/check/check-system.h"
#include "ui/cli/command.h"
#include "ui/cli/json.h"

static char *device_name, *report_path, *selection;
static gboolean as_json, full, list, with_progress;

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
  { NULL },
};

static gboolean
is_selected (const CheckFamily *family)
{
  g_auto (GStrv) globs = selection ? g_strsplit (selection, ",", -1) : NULL;

  if (family->large && !full)
    return FALSE;
  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, family->name))
      return TRUE;
  return !selection;
}

/* A device or a pipe is written; other files are replaced when the report is complete. */
static gboolean
write_report (const char *path, const GString *report, GError **error)
{
  gboolean special = g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR);
  FILE *stream = special ? fopen (path, "w") : NULL;
  gboolean written = FALSE;

  if (!special)
    return g_file_set_contents (path, report->str, (gssize) report->len, error);
  written = stream && fwrite (report->str, 1, report->len, stream) == report->len;
  if (stream && fclose (stream) != 0)
    written = FALSE;
  if (!written)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot write %s: %s", path, g_strerror (errno));
  return written;
}

static gboolean
is_any_selected (void)
{
  for (guint i = 0; i < check_n_families; i++)
    if (is_selected (check_families[i]))
      return TRUE;
  return FALSE;
}

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

/* @count: of the results that are expected */
static void
run_family (CapraDevice *device, const CheckFamily *family, const char *variant, guint count, GString *report,
            GPtrArray *results)
{
  CheckResult *result = g_new (CheckResult, 1);

  print_progress (family, results->len + 1, count);
  print (report, check_report_name (family, variant));
  check_run (device, family, full, variant, result);
  print (report, check_report_verdict (result));
  g_ptr_array_add (results, result);
  if (family->large)
    capra_memory_trim (device);
}

/* Whether `CAPRA_TUNING` sets a key of @variant, which can then not be tried. */
static gboolean
is_forced (const char *variant)
{
  g_auto (GStrv) pairs = g_strsplit (variant, ",", -1);

  for (char **pair = pairs; *pair; pair++)
    {
      g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

      if (capra_tuning_is_forced (parts[0]))
        return TRUE;
    }
  return FALSE;
}

/* The variants of @family that are tried beside the one that the tuning chooses; NULL-terminated. */
static GPtrArray *
list_variants (const CheckFamily *family)
{
  GPtrArray *variants = g_ptr_array_new ();

  for (guint v = 0; full && family->variants && family->variants[v]; v++)
    if (!is_forced (family->variants[v]))
      g_ptr_array_add (variants, (gpointer) family->variants[v]);
  return variants;
}

static guint
count_selected (void)
{
  guint count = 0;

  for (guint i = 0; i < check_n_families; i++)
    if (is_selected (check_families[i]))
      {
        g_autoptr (GPtrArray) variants = list_variants (check_families[i]);

        count += 1 + variants->len;
      }
  return count;
}

/* Checks the selected families. A full check also tries the variants that the tuning does not choose. */
static void
run_families (CapraDevice *device, GString *report, GPtrArray *results)
{
  guint count = count_selected ();

  for (guint i = 0; i < check_n_families; i++)
    {
      const CheckFamily *family = check_families[i];
      g_autoptr (GPtrArray) variants = list_variants (family);

      if (!is_selected (family))
        continue;
      run_family (device, family, NULL, count, report, results);
      for (guint v = 0; v < variants->len; v++)
        run_family (device, family, variants->pdata[v], count, report, results);
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
check (CapraDevice *device, gboolean *passed, GError **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) check_result_free);
  g_autoptr (GPtrArray) pairs = check_system_describe (device);
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (CapraCheckRecord) begun = capra_check_record_new (full), ended = NULL;
  gint64 start = g_get_monotonic_time ();
  double seconds = 0;

  print (report, check_report_head (pairs, full));
  keep (device, begun); /* known also if the driver ends or hangs this program */
  run_families (device, report, results);
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
  return !report_path || write_report (report_path, report, error);
}

/* Prints an error for invalid arguments. */
static gboolean
check_arguments (int argc, char **argv)
{
  if (argc > 1)
    fprintf (stderr, "capra check: unexpected argument \"%s\"; select kernels with --select\n", argv[1]);
  else if (!is_any_selected ())
    fprintf (stderr,
             "capra check: \"%s\" matches none of the kernels; --list prints them, with --full also those "
             "of large buffers\n",
             selection);
  return argc <= 1 && is_any_selected ();
}

int
capra_command_check (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("- compare the results of a device with references");
  g_autoptr (GError) error = NULL;
  CapraDevice *device = NULL;
  gboolean passed = FALSE;

  g_option_context_add_main_entries (options, entries, NULL);
  capra_settings_choose ("kernels", "optimized"); /* those that operations use in the end */
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra check: %s\n", error->message);
      return 2;
    }
  if (!check_arguments (argc, argv))
    return 2;
  for (guint i = 0; list && i < check_n_families; i++)
    if (is_selected (check_families[i]))
      printf ("%s\n", check_families[i]->name);
  if (list)
    return 0;
  device = capra_device_select (device_name, &error);
  if (!device || !check (device, &passed, &error))
    {
      fprintf (stderr, "capra check: %s\n", error->message);
      return 1;
    }
  return passed ? 0 : 1;
}

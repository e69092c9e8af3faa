/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra bench: times workloads on devices, and compares them with the devices' copy bandwidth and arithmetic rate. */
#include <stdio.h>
#include <string.h>

#include "runtime/base/write-text.h"
#include "ui/cli/bench/bench-devices.h"
#include "ui/cli/bench/bench-inputs.h"
#include "ui/cli/bench/bench-json.h"
#include "ui/cli/bench/bench-print.h"
#include "ui/cli/bench/bench-run.h"
#include "ui/cli/command.h"
#include "ui/cli/json.h"

#define LARGEST 32768
#define WHOLE_REPEATS 5

static char **device_names, *together, *sizes, *selection, *inputs_folder, *results_folder;
static int repeats = 15;
static gboolean as_json, list, kernels;

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING_ARRAY, &device_names,
    "Device, as listed by `capra devices`; may be given several times", "NAME" },
  { "devices", 0, 0, G_OPTION_ARG_STRING, &together,
    "Compare devices in turn, at the same time, and with one volume split over them", "LIST" },
  { "select", 's', 0, G_OPTION_ARG_STRING, &selection, "Only workloads that match, such as 'label-*,otsu'", "GLOBS" },
  { "list", 0, 0, G_OPTION_ARG_NONE, &list, "Print the names of the workloads", NULL },
  { "size", 'n', 0, G_OPTION_ARG_STRING, &sizes,
    "Width and height of the images, one or several (default: 4096; 1000 with --devices), such as 1024,4096",
    "PIXELS" },
  { "repeats", 'r', 0, G_OPTION_ARG_INT, &repeats, "Timed runs of each workload (default: 15)", "COUNT" },
  { "kernels", 'k', 0, G_OPTION_ARG_NONE, &kernels, "Also print the time of each kernel", NULL },
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { "save-inputs", 0, 0, G_OPTION_ARG_FILENAME, &inputs_folder,
    "Only write the first image of each kind as raw 32-bit floats to FOLDER", "FOLDER" },
  { "save-results", 0, 0, G_OPTION_ARG_FILENAME, &results_folder,
    "Also write the result for the first image of each workload as raw 32-bit floats to FOLDER", "FOLDER" },
  { NULL },
};

static gboolean
save (const char *folder, const char *name, const float *values, gsize count, GError **error)
{
  g_autofree char *file = g_strconcat (name, ".f32", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  return capra_write_data (path, (const char *) values, count * sizeof (float), error);
}

static gboolean
save_result (const BenchInputs *inputs, GError **error)
{
  g_autoptr (GArray) values = bench_run_values (inputs, error);
  g_autofree float *floats = values ? g_new (float, values->len) : NULL;

  for (guint i = 0; values && i < values->len; i++)
    floats[i] = (float) g_array_index (values, double, i);
  return values && save (results_folder, inputs->workload->name, floats, values->len, error);
}

/* The first run, which builds kernels; stores its times in @result. */
static gboolean
run_first (const BenchInputs *inputs, CapraDevice *device, BenchResult *result, GError **error)
{
  CapraCounters before, after;
  capra_counters_query (device, &before);
  if (!bench_run_wall (inputs, 0, &result->first, error))
    return FALSE;
  capra_counters_query (device, &after);
  result->build = (after.build_time - before.build_time) * 1e-3;
  return TRUE;
}

static gboolean
run_whole (BenchInputs *inputs, BenchResult *result, GError **error)
{
  double walls[WHOLE_REPEATS], warm = 0;
  guint n = (guint) MIN (repeats, WHOLE_REPEATS);

  if (!bench_run_whole (inputs, &warm, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!bench_run_whole (inputs, &walls[i], error))
      return FALSE;
  result->whole = bench_median (walls, n);
  return TRUE;
}

static gboolean
run_often (BenchInputs *inputs, BenchResult *result, GError **error)
{
  g_autofree double *device = g_new (double, repeats), *wall = g_new (double, repeats);
  double warm = 0;

  if (!bench_run (inputs, 1, &warm, error))
    return FALSE;
  inputs->kernels = kernels ? bench_kernels_new () : NULL;
  for (int i = 0; i < repeats; i++)
    if (!bench_run_wall (inputs, (guint) (2 * i), &wall[i], error)
        || !bench_run (inputs, (guint) (2 * i + 1), &device[i], error))
      return FALSE;
  result->device = bench_median (device, (guint) repeats);
  result->device_min = device[0];
  result->device_max = device[repeats - 1];
  result->wall = bench_median (wall, (guint) repeats);
  result->wall_min = wall[0];
  result->wall_max = wall[repeats - 1];
  return TRUE;
}

static gboolean
run_workload (const BenchTable *table, const BenchWorkload *workload, BenchResult *result, GError **error)
{
  g_autoptr (BenchInputs) inputs = bench_inputs_new (workload, table->device, (gsize) table->size, error);
  double bytes = 0;

  if (!inputs || !run_first (inputs, table->device, result, error) || !run_often (inputs, result, error)
      || !run_whole (inputs, result, error) || (results_folder && !save_result (inputs, error)))
    return FALSE;
  bench_inputs_transfers (inputs, &result->upload, &result->download);
  result->kernels = g_steal_pointer (&inputs->kernels);
  bytes = (double) bench_inputs_bytes (inputs);
  result->traffic = workload->traffic * bytes / table->copy * 1e3;
  result->arithmetic = workload->adds * bytes / sizeof (float) / table->adds * 1e3;
  return TRUE;
}

static gboolean
is_selected (const char *name)
{
  g_auto (GStrv) globs = selection ? g_strsplit (selection, ",", -1) : NULL;

  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, name))
      return TRUE;
  return !selection;
}

/* Runs the selected workloads on one device at one size. A workload that fails is reported, sets @ok to FALSE, and does
 * not stop the others. */
static gboolean
run_table (CapraDevice *device, int size, JsonBuilder *json, gboolean first, gboolean *ok, GError **error)
{
  BenchTable table = { device, size, repeats };

  table.copy = capra_device_measure_copy (device, error);
  table.adds = table.copy > 0 ? capra_device_measure_arithmetic (device, error) : -1;
  if (table.adds <= 0)
    return FALSE;
  if (json)
    bench_json_begin_table (json, &table);
  else
    bench_print_head (&table, first);
  for (guint i = 0; i < bench_n_workloads; i++)
    {
      g_autoptr (GError) failure = NULL;
      BenchResult result = { 0 };

      if (!is_selected (bench_workloads[i].name))
        continue;
      if (!run_workload (&table, &bench_workloads[i], &result, &failure))
        *ok = FALSE;
      if (json)
        bench_json_add_row (json, &table, &bench_workloads[i], &result, failure);
      else
        bench_print_row (&bench_workloads[i], &result, failure);
      g_clear_pointer (&result.kernels, g_ptr_array_unref);
      capra_memory_trim (device);
    }
  if (json)
    bench_json_end_table (json);
  return TRUE;
}

/* The devices of --device, or the default one. All names are checked before anything runs. */
static GPtrArray *
find_devices (GError **error)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  char *none[] = { NULL, NULL }, **names = device_names ? device_names : none;

  for (guint i = 0; i == 0 || names[i]; i++)
    {
      CapraDevice *device = capra_device_select (names[i], error);

      if (!device)
        return NULL;
      g_ptr_array_add (devices, device);
    }
  return g_steal_pointer (&devices);
}

static gboolean
bench (const GArray *pixels, gboolean *ok, GError **error)
{
  g_autoptr (GPtrArray) devices = find_devices (error);
  g_autoptr (JsonBuilder) json = as_json ? json_builder_new () : NULL;
  gboolean first = TRUE;

  if (!devices)
    return FALSE;
  if (json)
    {
      json_builder_begin_object (json);
      json_begin_array (json, "runs");
    }
  for (guint d = 0; d < devices->len; d++)
    for (guint s = 0; s < pixels->len; s++)
      {
        if (!run_table (devices->pdata[d], g_array_index (pixels, int, s), json, first, ok, error))
          return FALSE;
        first = FALSE;
      }
  if (json)
    {
      json_builder_end_array (json);
      json_builder_end_object (json);
      json_print (json);
    }
  return TRUE;
}

/* Noise is written for four channels; images of one channel use its beginning. */
static gboolean
save_inputs (gsize size, GError **error)
{
  static const char *const names[] = { "noise", "blobs", "noise-50", "noise-59", "sparse", "full" };
  g_autofree float *values = g_try_new (float, size * size * 4);

  if (!values)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, "not enough memory for images of %zu x %zu", size, size);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize width = size * (i == 0 ? 4 : 1);

      bench_input (names[i], width, size, 0, values);
      if (!save (inputs_folder, names[i], values, width * size, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns NULL after printing an error if a size is invalid. */
static GArray *
parse_sizes (void)
{
  g_auto (GStrv) words = g_strsplit (sizes ? sizes : together ? "1000" : "4096", ",", -1);
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (int));

  for (char **word = words; *word; word++)
    {
      g_autoptr (GError) error = NULL;
      gint64 value = 0;
      int size = 0;

      if (!g_ascii_string_to_signed (*word, 10, 1, LARGEST, &value, &error))
        {
          fprintf (stderr, "capra bench: invalid size \"%s\"; sizes are 1 to %d\n", *word, LARGEST);
          return NULL;
        }
      size = (int) value;
      g_array_append_val (pixels, size);
    }
  if (pixels->len == 0)
    fprintf (stderr, "capra bench: --size is empty\n");
  return pixels->len > 0 ? g_steal_pointer (&pixels) : NULL;
}

/* Prints an error for invalid arguments. */
static gboolean
check_arguments (int argc, char **argv)
{
  gboolean any = FALSE;

  if (argc > 1)
    fprintf (stderr, "capra bench: unexpected argument \"%s\"; select workloads with --select\n", argv[1]);
  else if (together
           && (device_names || selection || inputs_folder || results_folder || kernels || list
               || (sizes && strchr (sizes, ','))))
    fprintf (stderr, "capra bench: --devices can be combined with --repeats, --json and one --size only\n");
  else if (repeats < 1 || repeats > 100000)
    fprintf (stderr, "capra bench: --repeats must be 1 to 100000\n");
  else
    {
      for (guint i = 0; i < bench_n_workloads; i++)
        any |= is_selected (bench_workloads[i].name);
      if (!any)
        fprintf (stderr, "capra bench: \"%s\" matches none of the workloads; --list prints them\n", selection);
    }
  return any;
}

static gboolean
run (const GArray *pixels, gboolean *ok, GError **error)
{
  int first = g_array_index (pixels, int, 0);

  if (together)
    return bench_devices (together, first, repeats, as_json, error);
  return inputs_folder ? save_inputs ((gsize) first, error) : bench (pixels, ok, error);
}

int
capra_command_bench (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("- time the operations on a device");
  g_autoptr (GArray) pixels = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = TRUE;

  g_option_context_add_main_entries (options, entries, NULL);
  capra_settings_choose ("kernels", "optimized"); /* no builds in the background, no quickly built kernels */
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra bench: %s\n", error->message);
      return 2;
    }
  pixels = check_arguments (argc, argv) ? parse_sizes () : NULL;
  if (!pixels)
    return 2;
  for (guint i = 0; list && i < bench_n_workloads; i++)
    if (is_selected (bench_workloads[i].name))
      printf ("%s\n", bench_workloads[i].name);
  if (list)
    return 0;
  if (run (pixels, &ok, &error))
    return ok ? 0 : 1;
  fprintf (stderr, "capra bench: %s\n", error->message);
  return 1;
}

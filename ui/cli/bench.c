/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra bench: times workloads on a device, beside the device's own copy. */
#include <stdio.h>

#include "bench-inputs.h"
#include "bench-run.h"
#include "command.h"

static char *device_name, *selection, *inputs_folder;
static int size = 4096, repeats = 15;
static gboolean as_json;

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Device (as `capra devices` names them)", "NAME" },
  { "select", 's', 0, G_OPTION_ARG_STRING, &selection, "Only workloads that match, such as 'label-*,otsu'", "GLOBS" },
  { "size", 'n', 0, G_OPTION_ARG_INT, &size, "Width and height of the images (4096)", "PIXELS" },
  { "repeats", 'r', 0, G_OPTION_ARG_INT, &repeats, "Timed runs of each workload (15)", "COUNT" },
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { "save-inputs", 0, 0, G_OPTION_ARG_FILENAME, &inputs_folder,
    "Write the first image of each kind as raw float32 into a folder, for peers", "FOLDER" },
  { NULL },
};

typedef struct {
  double device, device_min, device_max; /* first kernel's start to last kernel's end, ms; median, extremes */
  double wall;                           /* of the call until its work is done, ms, median */
  double push, pull;                     /* of the input and of an output of its size, ms, median */
  double first;                          /* wall time of the very first run, builds included, ms */
  double limit;                          /* the bytes that must move over the copy bandwidth, ms */
} Result;

static gboolean
run_workload (const BenchWorkload *workload, CapraDevice *target, double bandwidth, Result *result,
              GError **error)
{
  g_autoptr(BenchInputs) inputs = bench_inputs_new (workload, target, (gsize) size, error);
  g_autofree double *device = g_new (double, repeats), *wall = g_new (double, repeats);
  double warm = 0;

  if (!inputs || !bench_run (inputs, 0, &warm, &result->first, error)
      || !bench_run (inputs, 1, &warm, &warm, error))
    return FALSE;
  for (int i = 0; i < repeats; i++)
    if (!bench_run (inputs, (guint) i, &device[i], &wall[i], error))
      return FALSE;

  result->device = bench_median (device, (guint) repeats);
  result->device_min = device[0];
  result->device_max = device[repeats - 1];
  result->wall = bench_median (wall, (guint) repeats);
  result->push = bench_median (inputs->push, BENCH_ROTATION);
  result->pull = bench_median (inputs->pull, BENCH_ROTATION);
  result->limit = workload->traffic
                  * (double) capra_shape_bytes (capra_array_get_shape (inputs->images[0])) / bandwidth * 1e3;
  return TRUE;
}

static void
print_head (CapraDevice *device, double bandwidth)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);

  if (as_json)
    {
      g_autofree char *name = g_strescape (info->name, NULL);

      printf ("{\"device\": \"%s\", \"size\": %d, \"repeats\": %d, \"copy_bytes_per_s\": %.0f, "
              "\"unit\": \"ms\", \"workloads\": [", name, size, repeats, bandwidth);
      return;
    }
  printf ("%s, %d x %d float32, medians of %d runs in ms; copy bandwidth %.1f GB/s\n", info->name, size,
          size, repeats, bandwidth * 1e-9);
  printf ("device: first kernel's start to last kernel's end; limit: least bytes at the copy bandwidth\n\n");
  printf ("%-22s %9s %9s %9s %9s %9s %9s %9s %9s %7s\n", "workload", "device", "min", "max", "wall",
          "push", "pull", "first", "limit", "share");
}

static void
print_result (const BenchWorkload *workload, const Result *r, gboolean first)
{
  if (as_json)
    printf ("%s\n  {\"name\": \"%s\", \"device\": %.4f, \"min\": %.4f, \"max\": %.4f, \"wall\": %.4f, "
            "\"push\": %.4f, \"pull\": %.4f, \"first\": %.4f, \"limit\": %.4f}",
            first ? "" : ",", workload->name, r->device, r->device_min, r->device_max, r->wall, r->push,
            r->pull, r->first, r->limit);
  else
    printf ("%-22s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %6.0f%%\n", workload->name, r->device,
            r->device_min, r->device_max, r->wall, r->push, r->pull, r->first, r->limit,
            100 * r->limit / r->device);
  fflush (stdout);
}

static gboolean
is_selected (const char *name)
{
  g_auto(GStrv) globs = selection ? g_strsplit (selection, ",", -1) : NULL;

  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, name))
      return TRUE;
  return !selection;
}

static gboolean
save_inputs (GError **error)
{
  static const char *const names[] = { "noise", "blobs", "noise-50", "noise-59", "sparse", "full" };
  gsize count = (gsize) size * (gsize) size;
  g_autofree float *values = g_new (float, count);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_strconcat (names[i], ".f32", NULL);
      g_autofree char *path = g_build_filename (inputs_folder, file, NULL);

      bench_input (names[i], (gsize) size, (gsize) size, 0, values);
      if (!g_file_set_contents (path, (const char *) values, (gssize) (count * sizeof (float)), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
bench (GError **error)
{
  CapraDevice *device = capra_device_select (device_name, error);
  double bandwidth = device ? capra_device_measure_copy (device, error) : -1;
  gboolean first = TRUE;

  if (bandwidth <= 0)
    return FALSE;
  print_head (device, bandwidth);
  for (guint i = 0; i < bench_n_workloads; i++)
    {
      Result result = { 0 };

      if (!is_selected (bench_workloads[i].name))
        continue;
      if (!run_workload (&bench_workloads[i], device, bandwidth, &result, error))
        return FALSE;
      print_result (&bench_workloads[i], &result, first);
      first = FALSE;
      capra_memory_trim (device);
    }
  if (as_json)
    printf ("\n]}\n");
  return TRUE;
}

int
capra_command_bench (int argc, char **argv)
{
  g_autoptr(GOptionContext) options = g_option_context_new ("- time the operations on a device");
  g_autoptr(GError) error = NULL;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error) || size < 1 || size > 32768 || repeats < 1)
    {
      fprintf (stderr, "capra bench: %s\n", error ? error->message : "size or repeats out of range");
      return 2;
    }
  if (inputs_folder ? save_inputs (&error) : bench (&error))
    return 0;
  fprintf (stderr, "capra bench: %s\n", error->message);
  return 1;
}

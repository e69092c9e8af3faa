/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra bench: times workloads on a device, beside the device's own copy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench-inputs.h"
#include "bench-workloads.h"
#include "command.h"

/* Inputs take turns, so that no run finds its input in a cache. */
#define ROTATION 4

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

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, guint n)
{
  qsort (values, n, sizeof (double), compare_doubles);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static gboolean
is_transfer (const char *name)
{
  return g_str_equal (name, "push") || g_str_equal (name, "pull") || g_str_equal (name, "result");
}

/* From the first kernel's start to the last one's end of everything recorded since the last reset; waits
 * for it. */
static double
device_time (void)
{
  g_autoptr(GArray) records = capra_timeline_records (0);
  guint64 start = G_MAXUINT64, end = 0;

  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      if (is_transfer (record->name))
        continue;
      start = MIN (start, record->start);
      end = MAX (end, record->end);
    }
  return end > 0 ? (double) (end - start) * 1e-6 : 0;
}

static CapraArray *
make_input (const BenchWorkload *workload, CapraDevice *device, guint number, double *push,
            GError **error)
{
  CapraShape shape = { workload->width ? workload->width : (gsize) size,
                       workload->height ? workload->height : (gsize) size,
                       workload->depth, workload->channels, CAPRA_F32 };
  g_autofree float *values = g_malloc (capra_shape_bytes (&shape));
  CapraArray *image = NULL;

  bench_input (workload->input, shape.width * shape.channels, shape.height * shape.depth, number,
               values);
  capra_timeline_reset ();
  image = capra_array_new_from_data (device, &shape, values, error);
  *push = capra_timeline_total (device, "push", NULL, NULL);
  return image;
}

static double
time_pull (CapraDevice *device, CapraArray *image, GError **error)
{
  gconstpointer host = NULL;

  capra_timeline_reset ();
  host = capra_array_map_read (image, error);
  if (!host || !capra_array_unmap (image, error))
    return -1;
  return capra_timeline_total (device, "pull", NULL, NULL);
}

/* Runs once; the wall time ends when the device is done. */
static gboolean
run_once (const BenchWorkload *workload, CapraArray *image, CapraArray *second, double *device,
          double *wall, GError **error)
{
  gint64 start = 0;

  capra_timeline_reset ();
  start = g_get_monotonic_time ();
  if (!workload->run (workload, image, second, error))
    return FALSE;
  *device = device_time ();
  *wall = (double) (g_get_monotonic_time () - start) * 1e-3;
  return TRUE;
}

static gboolean
run_workload (const BenchWorkload *workload, CapraDevice *target, double bandwidth, Result *result,
              GError **error)
{
  g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_array_unref);
  g_autoptr(CapraArray) second = NULL;
  g_autofree double *device = g_new (double, repeats), *wall = g_new (double, repeats);
  double push[ROTATION], pull[ROTATION], warm = 0;

  for (guint i = 0; i < ROTATION; i++)
    {
      CapraArray *image = make_input (workload, target, i, &push[i], error);

      if (!image)
        return FALSE;
      g_ptr_array_add (images, image);
      pull[i] = time_pull (target, image, error);
      if (pull[i] < 0)
        return FALSE;
    }
  if (workload->prepare)
    {
      second = workload->prepare (workload, images->pdata[0], error);
      if (!second)
        return FALSE;
    }

  if (!run_once (workload, images->pdata[0], second, &warm, &result->first, error)
      || !run_once (workload, images->pdata[1], second, &warm, &warm, error))
    return FALSE;
  for (int i = 0; i < repeats; i++)
    /* A second input belongs to the first image. */
    if (!run_once (workload, images->pdata[workload->prepare ? 0 : i % ROTATION], second, &device[i],
                   &wall[i], error))
      return FALSE;

  result->device = median (device, (guint) repeats);
  result->device_min = device[0];
  result->device_max = device[repeats - 1];
  result->wall = median (wall, (guint) repeats);
  result->push = median (push, ROTATION);
  result->pull = median (pull, ROTATION);
  result->limit = workload->traffic
                  * (double) capra_shape_bytes (capra_array_get_shape (images->pdata[0])) / bandwidth * 1e3;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `capra bench` prints. */
#include <stdio.h>

#include "ui/cli/bench/bench-print.h"
#include "ui/cli/bench/bench-run.h"
#include "ui/cli/json.h"

void
bench_print_head (const BenchTable *table, gboolean json, gboolean first)
{
  const CapraDeviceInfo *info = capra_device_get_info (table->device);

  if (json)
    {
      printf ("%s\n{", first ? "{\"runs\": [" : ",");
      json_print_string ("device", info->name);
      printf (", ");
      json_print_string ("id", info->id);
      printf (", ");
      json_print_string ("driver", info->driver);
      printf (", \"size\": %d, \"repeats\": %d, \"copy_bytes_per_s\": %.0f, \"multiply_adds_per_s\": %.0f, "
              "\"unit\": \"ms\", \"workloads\": [",
              table->size, table->repeats, table->copy, table->adds);
      return;
    }
  printf ("%s%s, %d x %d float32, medians of %d runs in ms\n", first ? "" : "\n", info->name, table->size, table->size,
          table->repeats);
  printf ("copy bandwidth %.1f GB/s (read and written), %.3g multiply-adds a second\n", table->copy * 1e-9,
          table->adds);
  printf ("device: first kernel's start to last kernel's end; wall: of the call; whole: with upload and download;\n"
          "first: wall time of the very first run, build: what building kernels, or loading them, took of it;\n"
          "limit: least bytes at the copy bandwidth, or (*) least multiply-adds; share: limit of device\n\n");
  printf ("%-26s %8s %8s %8s %8s %8s %8s %8s %9s %9s %8s %6s\n", "workload", "device", "min", "max", "wall", "whole",
          "upload", "download", "first", "build", "limit", "share");
}

static void
print_json_kernels (const GPtrArray *kernels)
{
  printf (", \"kernels\": [");
  for (guint i = 0; i < kernels->len; i++)
    {
      BenchKernel *kernel = kernels->pdata[i];

      printf ("%s{", i > 0 ? ", " : "");
      json_print_string ("name", kernel->name);
      printf (", \"launches\": %u, \"device\": %.4f}", kernel->launches,
              bench_median ((double *) kernel->times->data, kernel->times->len));
    }
  printf ("]");
}

static void
print_json_row (const BenchTable *table, const BenchWorkload *workload, const BenchResult *r, const GError *error)
{
  json_print_string ("name", workload->name);
  if (error)
    {
      printf (", ");
      json_print_string ("error", error->message);
      return;
    }
  printf (", \"width\": %zu, \"height\": %zu, \"depth\": %zu, \"channels\": %u",
          workload->width ? workload->width : (gsize) table->size,
          workload->height ? workload->height : (gsize) table->size, workload->depth, workload->channels);
  printf (", \"device\": %.4f, \"min\": %.4f, \"max\": %.4f, \"wall\": %.4f, \"wall_min\": %.4f, \"wall_max\": %.4f, "
          "\"whole\": %.4f, \"upload\": %.4f, \"download\": %.4f, \"first\": %.4f, \"build\": %.4f, \"traffic\": %.4f, "
          "\"arithmetic\": %.4f, \"limit\": %.4f",
          r->device, r->device_min, r->device_max, r->wall, r->wall_min, r->wall_max, r->whole, r->push, r->pull,
          r->first, r->build, r->traffic, r->arithmetic, MAX (r->traffic, r->arithmetic));
  if (r->kernels)
    print_json_kernels (r->kernels);
}

/* Each kernel's time, and what of the whole is theirs no more: the time between them. */
static void
print_kernels (const BenchResult *r)
{
  double between = r->device;

  for (guint i = 0; i < r->kernels->len; i++)
    {
      BenchKernel *kernel = r->kernels->pdata[i];
      g_autofree char *name = kernel->launches == 1 ? g_strdup (kernel->name)
                                                    : g_strdup_printf ("%u x %s", kernel->launches, kernel->name);
      double median = bench_median ((double *) kernel->times->data, kernel->times->len);

      between -= median;
      printf ("  %-24s %8.3f %8.3f %8.3f\n", name, median, g_array_index (kernel->times, double, 0),
              g_array_index (kernel->times, double, kernel->times->len - 1));
    }
  printf ("  %-24s %8.3f\n", "between them", between);
}

void
bench_print_row (const BenchTable *table, const BenchWorkload *workload, const BenchResult *r, const GError *error,
                 gboolean json, gboolean first)
{
  double limit = MAX (r->traffic, r->arithmetic);

  if (json)
    {
      printf ("%s\n  {", first ? "" : ",");
      print_json_row (table, workload, r, error);
      printf ("}");
    }
  else if (error)
    printf ("%-26s %s\n", workload->name, error->message);
  else
    printf ("%-26s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %9.3f %9.3f %8.3f%s %4.0f%%\n", workload->name, r->device,
            r->device_min, r->device_max, r->wall, r->whole, r->push, r->pull, r->first, r->build, limit,
            r->arithmetic > r->traffic ? "*" : " ", r->device > 0 ? 100 * limit / r->device : 0);
  if (!json && !error && r->kernels)
    print_kernels (r);
  fflush (stdout);
}

void
bench_print_table_end (gboolean json)
{
  if (json)
    printf ("\n]}");
}

void
bench_print_end (gboolean json)
{
  if (json)
    printf ("\n]}\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of `capra bench` as text. */
#include <stdio.h>

#include "ui/cli/bench/bench-print.h"
#include "ui/cli/bench/bench-run.h"

void
bench_print_head (const BenchTable *table, gboolean first)
{
  const CapraDeviceInfo *info = capra_device_get_info (table->device);

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

/* The time of each kernel, and the time between kernels. */
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
bench_print_row (const BenchWorkload *workload, const BenchResult *r, const GError *error)
{
  double limit = MAX (r->traffic, r->arithmetic);

  if (error)
    printf ("%-26s %s\n", workload->name, error->message);
  else
    printf ("%-26s %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %9.3f %9.3f %8.3f%s %4.0f%%\n", workload->name, r->device,
            r->device_min, r->device_max, r->wall, r->whole, r->upload, r->download, r->first, r->build, limit,
            r->arithmetic > r->traffic ? "*" : " ", r->device > 0 ? 100 * limit / r->device : 0);
  if (!error && r->kernels)
    print_kernels (r);
  fflush (stdout);
}

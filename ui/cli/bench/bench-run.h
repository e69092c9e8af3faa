/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a workload on its inputs and times it: what `capra bench` and `capra tune` share. */
#pragma once

#include "ui/cli/bench/bench-kernels.h"
#include "ui/cli/bench/bench-workloads.h"

/* Runs use images in turn, so that no input comes from a cache: as many as have 256 MiB together, but 4 to 64. */
#define BENCH_ROTATION_BYTES ((gsize) 256 << 20)
#define BENCH_ROTATION_MIN 4
#define BENCH_ROTATION_MAX 64

typedef struct {
  CapraArray *image;
  CapraArray *second;      /* the result of the workload's prepare(), or NULL */
  double upload, download; /* milliseconds of the transfer itself, of the image and of an array of its size */
} BenchInput;

typedef struct {
  const BenchWorkload *workload;
  GArray *rotation;   /* of BenchInput */
  GPtrArray *kernels; /* of BenchKernel, times of each kernel, which bench_run() adds if this is not NULL */
  GBytes *values;     /* the first image's, on the host */
  gpointer result;    /* the host memory that bench_run_whole() downloads to */
} BenchInputs;

/* The images of @workload on @device, @size pixels wide and high where it has no size of its own; NULL on
 * errors. */
BenchInputs *bench_inputs_new (const BenchWorkload *workload, CapraDevice *device, gsize size, GError **error);
/* The same images for another workload; NULL where it works on others. */
BenchInputs *bench_inputs_share (const BenchInputs *inputs, const BenchWorkload *workload);
void bench_inputs_free (BenchInputs *inputs);
/* Of one image. */
gsize bench_inputs_bytes (const BenchInputs *inputs);
/* Medians. */
void bench_inputs_transfers (const BenchInputs *inputs, double *upload, double *download);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchInputs, bench_inputs_free)

/* Runs once on the image whose turn it is and waits for the device. @device: milliseconds from the first
 * kernel's start to the last one's end. A GPU is kept busy with a copy until all kernels are enqueued, so that delays
 * of the host between them are not measured; bench_run_wall() includes them. */
gboolean bench_run (const BenchInputs *inputs, guint turn, double *device, GError **error);
/* The same on an idle device. @wall: milliseconds of the call until its work is done. */
gboolean bench_run_wall (const BenchInputs *inputs, guint turn, double *wall, GError **error);

/* Uploads the first image, runs on it, and downloads the result if it is an image. A second input is on the device
 * already. @wall: milliseconds of it all. */
gboolean bench_run_whole (BenchInputs *inputs, double *wall, GError **error);

/* Runs once on the first image; returns the result's values as doubles (pixels, or the rows of a table). */
GArray *bench_run_values (const BenchInputs *inputs, GError **error);

/* Sorts @values. */
double bench_median (double *values, guint n);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of a run on the device, and of each of its kernels, from the timeline. */
#pragma once

#include "capra.h"

typedef struct {
  const char *name;
  guint launches; /* of one run */
  GArray *times;  /* of double: ms, the sum over the launches of a run, for each run */
} BenchKernel;

/* Waits for the work recorded since the last reset; the first @skip records do not belong to the run.
 * Returns: milliseconds from the start of the first kernel to the end of the last one, without transfers. */
double bench_device_time (guint skip);

/* Adds the kernels of the same run to @kernels (of BenchKernel). */
void bench_kernels_add (GPtrArray *kernels, guint skip);
GPtrArray *bench_kernels_new (void);

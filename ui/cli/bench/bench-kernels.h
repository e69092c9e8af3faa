/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline tells of a run: its time on the device, and that of each of its kernels. */
#pragma once

#include "capra.h"

typedef struct {
  const char *name;
  guint launches; /* of one run */
  GArray *times;  /* of double: of all launches of a run together, ms; one entry a run */
} BenchKernel;

/* Waits for what was recorded since the last reset; @skip tells how many records at first do not belong to the run.
 * Returns: milliseconds from the first kernel's start to the last one's end, transfers left out. */
double bench_device_time (guint skip);

/* Adds the same run's kernels to @kernels (of BenchKernel). */
void bench_kernels_add (GPtrArray *kernels, guint skip);
GPtrArray *bench_kernels_new (void);

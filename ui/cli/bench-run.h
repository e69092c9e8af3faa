/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a workload on its inputs and times it: what `capra bench` and `capra tune` share. */
#pragma once

#include "bench-workloads.h"

/* Inputs take turns, so that no run finds its input in a cache. */
#define BENCH_ROTATION 4

typedef struct {
  const BenchWorkload *workload;
  CapraArray *images[BENCH_ROTATION];
  CapraArray *second;                                /* what the workload's prepare() made, or NULL */
  double push[BENCH_ROTATION], pull[BENCH_ROTATION]; /* milliseconds */
} BenchInputs;

/* The images of @workload on @device, @size pixels wide and high where it has no size of its own; NULL on
 * errors. */
BenchInputs *bench_inputs_new (const BenchWorkload *workload, CapraDevice *device, gsize size,
                               GError **error);
void bench_inputs_free (BenchInputs *inputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchInputs, bench_inputs_free)

/* Runs once on the image whose turn it is and waits for the device. @device: milliseconds from the first
 * kernel's start to the last one's end; @wall: of the call until its work is done. */
gboolean bench_run (const BenchInputs *inputs, guint turn, double *device, double *wall, GError **error);

/* Runs once on the first image; returns the result's values as doubles (pixels, or the rows of a table). */
GArray *bench_run_values (const BenchInputs *inputs, GError **error);

/* Sorts @values. */
double bench_median (double *values, guint n);

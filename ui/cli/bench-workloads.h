/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of `capra bench`. */
#pragma once

#include "capra.h"

typedef struct _BenchWorkload BenchWorkload;

/**
 * BenchWorkload:
 * @name: what the table and the selection call it
 * @input: the image it works on, a name of bench_input()
 * @run: does the work once on @image (and on @second, which @prepare made of the first image)
 * @prepare: (nullable): makes a second input on the device, such as labels to measure
 * @parameter: a sigma, radius, matrix size or the like
 * @channels: of the input
 * @depth: of the input; 1 for images
 * @width: of the input, 0 for the size asked for; @height likewise
 * @traffic: how many times the input's bytes must be read or written at least
 */
struct _BenchWorkload {
  const char *name, *input;
  gboolean (*run) (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error);
  CapraArray *(*prepare) (const BenchWorkload *workload, CapraArray *image, GError **error);
  double parameter;
  guint channels;
  gsize width, height, depth;
  double traffic;
};

extern const BenchWorkload bench_workloads[];
extern const guint bench_n_workloads;

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of `capra bench`. */
#pragma once

#include "capra.h"

typedef struct _BenchWorkload BenchWorkload;

/* One run of a workload on @image and @second, which its prepare() made from the first image. The values of the result
 * are added to @values, if set. An image is downloaded to the memory that @host points to, if set; that memory is
 * allocated if it is NULL. */
typedef struct {
  const BenchWorkload *workload;
  CapraArray *image, *second;
  GArray *values; /* nullable; of doubles */
  gpointer *host; /* nullable */
} BenchCall;

/**
 * BenchWorkload:
 * @name: in tables and selections
 * @input: the image it works on, a name of bench_input()
 * @run: does the work once
 * @prepare: (nullable): makes a second input on the device, such as labels to measure
 * @parameter: a sigma, radius, matrix size or the like
 * @channels: of the input
 * @depth: of the input; 1 for images
 * @width: of the input, 0 for the size asked for; @height likewise
 * @exact: whether all variants give identical results
 * @traffic: minimum bytes read or written, relative to those of the input
 * @adds: minimum multiply-adds of the best known method, for each value of the input; 0 if few
 * @ready: (nullable): called before each run, whose time does not include it
 */
struct _BenchWorkload {
  const char *name, *input;
  gboolean (*run) (const BenchCall *call, GError **error);
  CapraArray *(*prepare) (const BenchWorkload *workload, CapraArray *image, GError **error);
  double parameter;
  guint channels;
  gsize width, height, depth;
  double traffic;
  gboolean exact;
  double adds;
  gboolean (*ready) (const BenchCall *call, GError **error);
};

/* Frees @result (nullable), after downloading it or adding its pixels to the values of the call if requested. */
gboolean bench_finish (CapraArray *result, const BenchCall *call, GError **error);

extern const BenchWorkload bench_workloads[];
extern const guint bench_n_workloads;

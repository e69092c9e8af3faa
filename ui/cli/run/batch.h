/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all images of a batch, several at once. */
#pragma once

#include "ui/cli/run/decode-ahead.h"
#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

/* The most images that are processed at once. */
#define RUN_MAX_JOBS 256

/**
 * RunBatch:
 * @inputs: NULL-terminated; may be empty if the graph has a source
 * @outputs: (nullable): one for each input
 * @tables: (nullable): a pattern for the file with the tables of each input
 * @figures: (nullable): a pattern for the file with the figure of each input
 * @bits: of a PNG; 0 for those of the input
 * @jobs: the most images that are processed at once; 0 for one on each core
 * @ahead: (nullable): of @inputs
 * @progress: whether to report the progress on standard error
 */
typedef struct {
  RunGraph *graph;
  char **inputs, **outputs;
  const char *tables, *figures;
  int bits;
  guint jobs;
  RunDecodeAhead *ahead;
  gboolean progress;
} RunBatch;

/* Returns the number of images that failed. Messages, tables on standard output and failures are written in the order
 * of the inputs. */
guint run_batch (const RunBatch *batch);

G_END_DECLS

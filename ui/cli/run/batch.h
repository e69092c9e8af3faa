/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all images of a batch, one after the other. */
#pragma once

#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

/**
 * RunBatch:
 * @inputs: NULL-terminated; may be empty if the graph has a source
 * @outputs: (nullable): one for each input
 * @tables: (nullable): a pattern for the file with the tables of each input
 * @bits: of a PNG; 0 for those of the input
 * @progress: whether to report the progress on standard error
 */
typedef struct {
  RunGraph *graph;
  char **inputs, **outputs;
  const char *tables;
  int bits;
  gboolean progress;
} RunBatch;

/* Returns the number of images that failed; each failure is reported on standard error. */
guint run_batch (const RunBatch *batch);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all items of a batch, several at once. */
#pragma once

#include "ui/batch/journal.h"
#include "ui/batch/result-stack.h"
#include "ui/cli/run/decode-ahead.h"
#include "ui/cli/run/items.h"
#include "ui/cli/run/run-graph.h"
#include "ui/cli/run/value-list.h"

G_BEGIN_DECLS

/* The most items that are processed at once. */
#define RUN_MAX_JOBS 256

/**
 * RunBatch:
 * @items: (element-type RunItem): of all ranks
 * @first: the first item of this process
 * @end: the item after the last one of this process
 * @finished: (nullable): for each item, whether an earlier process has finished it
 * @values: (nullable): of a property
 * @dataset: (nullable): of HDF5 files
 * @stack: (nullable): receives the results instead of the outputs of the items
 * @stack_path: (nullable): its file
 * @tables: (nullable): a pattern for the file with the tables of each item
 * @figures: (nullable): a pattern for the file with the figure of each item
 * @bits: of a PNG; 0 for those of the input
 * @jobs: the most items that are processed at once; 0 for one on each core
 * @devices: (nullable) (element-type CapraDevice): the devices that share the items; %NULL for that of the graph
 * @ahead: (nullable): of the input files
 * @begin: the real time before any of them was read
 * @journal: (nullable)
 * @progress: whether to report each item on standard error
 * @bar: whether to show a progress bar on the terminal
 * @stop_on_error: whether no item is begun after one has failed
 */
typedef struct {
  RunGraph *graph;
  GArray *items;
  guint first, end;
  const gboolean *finished;
  const RunValues *values;
  CapraResultStack *stack;
  char *stack_path;
  const char *dataset, *tables, *figures;
  int bits;
  guint jobs;
  const GPtrArray *devices;
  RunDecodeAhead *ahead;
  gint64 begin;
  CapraJournal *journal;
  gboolean progress, bar, stop_on_error;
} RunBatch;

/**
 * RunResult:
 * @failed: the number of items that failed
 * @left: the number of items that were not begun
 * @journal_failed: whether the journal could not be written
 */
typedef struct {
  guint failed, left;
  gboolean journal_failed;
} RunResult;

/* Messages, tables on standard output and failures are written in the order of the items. */
RunResult run_batch (const RunBatch *batch);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-file: reads, processes and writes one item of a batch. */
#pragma once

#include "ui/cli/run/batch.h"
#include "ui/cli/run/memory-room.h"
#include "ui/cli/run/sources.h"

G_BEGIN_DECLS

/**
 * BatchFile:
 * @index: of the item, from 0
 * @progress: can be read while the item is processed
 * @log: the messages that its thread logged; %NULL if they were logged at once
 * @warning: (nullable): of the reader
 * @error: (nullable): why it failed
 * @journal_error: (nullable): why the journal could not be written
 * @table: (nullable): for standard output
 * @time: in microseconds
 */
typedef struct {
  guint index;
  CapraSaveProgress progress;
  GPtrArray *log;
  char *warning;
  GError *error, *journal_error;
  GString *table;
  gint64 time;
} BatchFile;

/**
 * BatchThread:
 * @graph: of this thread alone
 * @sources: (nullable): the images, if each is processed several times
 * @device: the index of its device in the batch
 * @device_name: (nullable): the device, unless it is that of the graph
 */
typedef struct {
  const RunBatch *batch;
  RunGraph *graph;
  RunMemoryRoom *room;
  RunSources *sources;
  guint device;
  char *device_name;
} BatchThread;

/* In any thread. */
void batch_file_run (BatchFile *file, const BatchThread *thread);

/* Whether batch_file_report() writes anything. */
gboolean batch_file_has_report (const BatchFile *file, const RunBatch *batch);

/* Writes its messages, its table and the failure or the progress. FALSE if it failed. */
gboolean batch_file_report (BatchFile *file, const RunBatch *batch);

void batch_file_clear (BatchFile *file);

G_END_DECLS

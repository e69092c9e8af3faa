/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-file: reads, processes and writes one image of a batch. */
#pragma once

#include "ui/cli/run/batch.h"
#include "ui/cli/run/memory-room.h"

G_BEGIN_DECLS

/**
 * BatchFile:
 * @number: from 1
 * @progress: can be read while the image is processed
 * @log: the messages that its thread logged; %NULL if they were logged at once
 * @warning: (nullable): of the reader
 * @error: (nullable): why it failed
 * @table: (nullable): for standard output
 * @time: in microseconds
 */
typedef struct {
  guint number;
  CapraSaveProgress progress;
  GPtrArray *log;
  char *warning;
  GError *error;
  GString *table;
  gint64 time;
} BatchFile;

/* The name of the input for messages. */
const char *batch_file_get_name (const RunBatch *batch, const BatchFile *file);

/* In any thread. @graph: of this thread alone. @count: the number of images in the batch */
void batch_file_run (BatchFile *file, const RunBatch *batch, guint count, RunGraph *graph, RunMemoryRoom *room);

/* Writes its messages, its table and the failure or the progress. FALSE if it failed. */
gboolean batch_file_report (BatchFile *file, const RunBatch *batch, guint count);

void batch_file_clear (BatchFile *file);

G_END_DECLS

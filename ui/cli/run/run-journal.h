/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-journal: the journal of a batch, and the items that it lists. */
#pragma once

#include "ui/cli/run/batch.h"

G_BEGIN_DECLS

/**
 * RunJournalOptions:
 * @output: (nullable): the pattern of the results
 * @device: (nullable)
 * @resume: whether the items that the journal lists are not processed again
 */
typedef struct {
  const char *output, *device;
  CapraRanks ranks;
  gboolean resume;
} RunJournalOptions;

/**
 * run_journal_open:
 * @finished: (out): for each item, whether an earlier process has finished it; %NULL if none has
 *
 * Opens the journal beside the results, or beside the tables without results. Sets @batch->journal, which stays %NULL
 * for a batch of one item or without files, or if another process writes to the same folder.
 *
 * Returns: FALSE with @error set
 */
gboolean run_journal_open (RunBatch *batch, const RunJournalOptions *options, gboolean **finished, GError **error);

G_END_DECLS

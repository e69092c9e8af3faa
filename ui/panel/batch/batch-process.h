/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-process: applies steps to many files in the background, by the program `capra run`. */
#pragma once

#include <gio/gio.h>

#include "ui/panel/batch/batch-item.h"

G_BEGIN_DECLS

/**
 * CapraBatchProcess:
 *
 * Signals: "progress": the state of an item has changed; "ended" (string, nullable): with an error that is not about
 * one of the items.
 */
#define CAPRA_TYPE_BATCH_PROCESS (capra_batch_process_get_type ())
G_DECLARE_FINAL_TYPE (CapraBatchProcess, capra_batch_process, CAPRA, BATCH_PROCESS, GObject)

/**
 * capra_batch_process_start:
 * @items: (element-type CapraBatchItem): their states are set
 * @steps: (element-type CapraStep)
 * @dataset: (nullable): of HDF5 files
 * @output: the pattern of the names of results; steps that measure write tables beside them
 * @cancellable: stops the program; results that were written stay
 *
 * Returns: (transfer full) (nullable): %NULL with @error set
 */
CapraBatchProcess *capra_batch_process_start (GListModel *items, GPtrArray *steps, const char *dataset,
                                              const char *output, GCancellable *cancellable, GError **error);

/* The number of items with a result or an error. */
guint capra_batch_process_count (CapraBatchProcess *process);

G_END_DECLS

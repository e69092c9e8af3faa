/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save: writes the result of a pipeline to a file, whole or not at all. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/* One saving; for polling its progress from the main loop. */
typedef struct {
  int per_mille; /* atomic */
} CapraSaveProgress;

/**
 * capra_save:
 * @file: its suffix chooses the format
 * @steps: (element-type CapraStep)
 * @bits: of a PNG: 8 or 16; of numbers (see capra_raw_result_compute()): 8 or 16 to round, 0 for what holds them
 * @progress: (nullable): kept up to date
 *
 * Writes to a temporary file in the same folder and renames it when all went well. Waits.
 */
gboolean capra_save (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                     GCancellable *cancellable, GError **error);

/* As capra_save(), with the nodes of @steps (which are written into a PNG) already made. */
gboolean capra_save_graph (GFile *file, CapraGraph *graph, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                           GCancellable *cancellable, GError **error);

/* In a thread. @progress must live until @callback is called. */
void capra_save_async (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean capra_save_finish (GAsyncResult *result, GError **error);

/* Suffixes that can be written, NULL-terminated, "png" first. @data: by graphs that work on numbers, "tif" first. */
const char *const *capra_save_get_suffixes (gboolean data);

G_END_DECLS

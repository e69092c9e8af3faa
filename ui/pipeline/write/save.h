/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save: writes the result of a pipeline to a file. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/**
 * CapraSaveProgress:
 * @per_mille: of the file; atomic: can be polled from another thread
 * @numbers: whether the file has the numbers of regions; set when it is written
 */
typedef struct {
  int per_mille;
  gboolean numbers;
} CapraSaveProgress;

#define CAPRA_SAVE_COLORS 24 /* bits of a PNG: labels are written in the colors in which they are displayed */

/**
 * capra_save:
 * @file: its suffix selects the format
 * @steps: (element-type CapraStep)
 * @bits: of a PNG: 8 or 16, labels have 16; or %CAPRA_SAVE_COLORS; of raw values: 8 or 16 to round, 0 for exact values
 * (see capra_raw_result_compute())
 * @progress: (nullable): is updated
 *
 * Writes to a temporary file in the same folder and renames it on success. Blocks.
 */
gboolean capra_save (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                     GCancellable *cancellable, GError **error);

/* As capra_save(), for a graph that already has the nodes of @steps. @steps are stored in a PNG. */
gboolean capra_save_graph (GFile *file, CapraGraph *graph, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                           GCancellable *cancellable, GError **error);

/* In a thread. @progress must live until @callback is called. */
void capra_save_async (GFile *file, GeglBuffer *image, GPtrArray *steps, int bits, CapraSaveProgress *progress,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean capra_save_finish (GAsyncResult *result, GError **error);

/* Writes @text, such as a graph; an existing file is replaced when all of it is written, unchanged on failure. */
gboolean capra_save_text (GFile *file, const char *text, GError **error);

/* Whether a file of this name stores labels as numbers. Those that can store neither numbers nor colors are refused. */
gboolean capra_save_stores_numbers (const char *path, int bits);

/* Supported suffixes, NULL-terminated, "png" first. @raw: those for raw values, "tif" first. */
const char *const *capra_save_get_suffixes (gboolean raw);

G_END_DECLS

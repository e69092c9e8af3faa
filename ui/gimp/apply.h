/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply: applies a pipeline to a drawable of GIMP. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* @fraction: 0 to 1. */
typedef void (*CapraApplyProgress) (double fraction, gpointer data);

/* The current activity, for GIMP's progress bar. */
const char *capra_apply_get_text (void);

/**
 * capra_apply_async:
 * @steps: (element-type CapraStep): must not be modified afterwards
 * @progress: called repeatedly in the main loop
 *
 * Reads the drawable, processes its selected area in a thread, and writes the result as one undo step. Does not modify
 * the drawable on failure.
 */
void capra_apply_async (int drawable, GPtrArray *steps, GCancellable *cancellable, CapraApplyProgress progress,
                        gpointer progress_data, GAsyncReadyCallback callback, gpointer data);
gboolean capra_apply_finish (GAsyncResult *result, GError **error);

/* Runs the main loop until the pipeline is applied. GIMP shows the progress. */
gboolean capra_apply (int drawable, GPtrArray *steps, GError **error);

/* (transfer full): a copy of the drawable's pixels, which any thread can read. GIMP shows the progress. */
GeglBuffer *capra_apply_read (int drawable, GError **error);

G_END_DECLS

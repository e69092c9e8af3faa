/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply: applies a pipeline to a drawable of GIMP. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* @fraction: 0 to 1. */
typedef void (*CapraApplyProgress) (double fraction, gpointer data);

/**
 * capra_apply_async:
 * @steps: (element-type CapraStep): must not be modified afterwards
 * @with_effects: whether to apply them to the drawable with its effects, which are merged. Otherwise the effects
 * remain, and come after the steps.
 * @cancellable: (nullable): cancels the job; the user can do so in GIMP's window, too
 * @progress: (nullable): called repeatedly in the main loop
 *
 * Reads the drawable, processes its selected area in a thread, and writes the result as one undo step. Does not modify
 * the drawable on failure. If it takes long, GIMP shows the progress.
 */
void capra_apply_async (int drawable, GPtrArray *steps, gboolean with_effects, GCancellable *cancellable,
                        CapraApplyProgress progress, gpointer progress_data, GAsyncReadyCallback callback,
                        gpointer data);
gboolean capra_apply_finish (GAsyncResult *result, GError **error);

/* Runs the main loop until the pipeline is applied. Returns: FALSE without @error set if the user canceled */
gboolean capra_apply (int drawable, GPtrArray *steps, GError **error);

/* (transfer full): a copy of the drawable's pixels, before its effects or with them, which any thread can read. GIMP
 * shows the progress. */
GeglBuffer *capra_apply_read (int drawable, gboolean with_effects, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply: carries a pipeline out on a drawable of GIMP's. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* @fraction: 0 to 1. */
typedef void (*CapraApplyProgress) (double fraction, gpointer data);

/* What an application is doing right now, as GIMP's progress says it. */
const char *capra_apply_get_text (void);

/**
 * capra_apply_async:
 * @steps: (element-type CapraStep): never modified afterwards
 * @progress: called now and then in the main loop
 *
 * Reads the drawable as it is now, computes what is selected of it in a thread, and hands the result
 * over in one step of undo; nothing if anything fails.
 */
void capra_apply_async (int drawable, GPtrArray *steps, GCancellable *cancellable, CapraApplyProgress progress,
                        gpointer progress_data, GAsyncReadyCallback callback, gpointer data);
gboolean capra_apply_finish (GAsyncResult *result, GError **error);

/* The same; the main loop runs meanwhile, and GIMP shows the progress. */
gboolean capra_apply (int drawable, GPtrArray *steps, GError **error);

/* (transfer full): a copy of the drawable's pixels that any thread may read. GIMP shows the progress. */
GeglBuffer *capra_apply_read (int drawable, GError **error);

G_END_DECLS

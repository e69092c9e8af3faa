/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find-labels: finds out in a thread whether steps result in labels, since a step may read a slow file before it is
 * known. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * capra_find_labels_async:
 * @steps: (element-type CapraStep): copies, which must not be modified any more
 * @image: their input
 * @patience: ms until @callback is called without a result; 0 for no limit
 *
 * Labels are the numbers of regions, which PNG files hold up to 65535.
 */
void capra_find_labels_async (GPtrArray *steps, GeglBuffer *image, guint patience, GAsyncReadyCallback callback,
                              gpointer data);
/* Whether the result consists of labels; FALSE if it is not known. */
gboolean capra_find_labels_finish (GAsyncResult *result);

G_END_DECLS

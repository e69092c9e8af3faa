/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-files: the files that the user chose, and the images in folders. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * capra_batch_files_find_async:
 * @files: (element-type GFile): files and folders
 * @filter: which files of folders are images
 *
 * Files are taken as they are; folders are searched, without their folders.
 */
void capra_batch_files_find_async (GListModel *files, GtkFileFilter *filter, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer data);
/* (transfer full) (element-type filename) (nullable): paths of local files, those of folders in order of their names;
 * %NULL with @error set. */
GPtrArray *capra_batch_files_find_finish (GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-remove: removes single files from the list of a batch. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds the action "batch.remove" (string: the URI of a file) to a class of windows, and the key Delete, which removes
 * the file whose row has the focus. */
void capra_batch_remove_install (GtkWidgetClass *klass, GtkWidgetActionActivateFunc remove);
/* Removes the file of this URI. @items: (element-type CapraBatchItem) */
void capra_batch_remove_uri (GListStore *items, const char *uri);

G_END_DECLS

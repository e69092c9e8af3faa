/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-open: opens results of a batch, and their tables. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/batch/batch-item.h"

G_BEGIN_DECLS

/* Adds the actions "batch.open-result" and "batch.open-table" (string: a URI) to a class of windows. */
void capra_batch_open_install (GtkWidgetClass *klass);
/* Opens the result of the item, if it has one. */
void capra_batch_open_item (GtkWidget *window, CapraBatchItem *item);

G_END_DECLS

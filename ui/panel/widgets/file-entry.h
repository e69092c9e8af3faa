/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-entry: a path to write, to choose in a dialog, or to drop. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * capra_file_entry_new:
 * @entry: (out) (transfer none): the GtkEntry that holds the path
 *
 * Returns: the entry with its button beside it
 */
GtkWidget *capra_file_entry_new (GtkWidget **entry);

G_END_DECLS

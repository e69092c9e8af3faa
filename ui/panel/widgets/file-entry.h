/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-entry: an entry for a path, with a button for a dialog; files can be dropped on it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * capra_file_entry_new:
 * @entry: (out) (transfer none): the GtkEntry that holds the path
 *
 * Returns: (transfer floating): a box with the entry and the button
 */
GtkWidget *capra_file_entry_new (GtkWidget **entry);

G_END_DECLS

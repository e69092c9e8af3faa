/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table-export: tables of numbers to the clipboard and to files, as `capra run --tables` writes them. */
#pragma once

#include <gtk/gtk.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* @message: why the file could not be written */
typedef void (*CapraTableFailed) (GtkWidget *widget, const char *message);

/* Copies the table as text with tabs between its columns, and says how much that is. */
void capra_table_export_copy (GtkWidget *widget, CapraTable *table);

/**
 * capra_table_export_save:
 * @widget: where the user asked for it
 * @whole: (nullable): a table of which @table is a part; the user can choose it instead
 * @source: (nullable): the image; the file is suggested beside it
 * @what: what the table is of, for the name of the file
 *
 * Lets the user choose a file, as CSV, JSON or an array of NumPy, writes the table, and says how much that was.
 */
void capra_table_export_save (GtkWidget *widget, CapraTable *table, CapraTable *whole, GFile *source, const char *what,
                              CapraTableFailed failed);

/* What the dialog does at its end. */
void capra_table_export_write (GtkWidget *widget, CapraTable *table, GFile *file, CapraTableFailed failed);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-rows: the rows of a table in the order in which they are shown, as a list for widgets. */
#pragma once

#include "ui/panel/results/results-table.h"

G_BEGIN_DECLS

/**
 * CapraResultsRows:
 *
 * A GListModel and a GtkSelectionModel. The selection is that of the table. Items have no content: the row of the table
 * at a position is capra_results_rows_get_row(), and "items-changed" says no more than how many rows there are.
 *
 * Rows are sorted and filtered in a thread. The rows, the table's data and its selection change together once that is
 * done, in the main thread. The list is empty until the rows of a new object are known.
 *
 * Property "busy" (boolean, read-only): other data, another order or another filter will be shown.
 * Signals: "changed": other rows, or other values of rows; "row-chosen" (uint): a widget has selected one row of the
 * table.
 */
#define CAPRA_TYPE_RESULTS_ROWS (capra_results_rows_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsRows, capra_results_rows, CAPRA, RESULTS_ROWS, GObject)

CapraResultsRows *capra_results_rows_new (CapraResultsTable *table);

/* (transfer none) */
CapraResultsTable *capra_results_rows_get_table (CapraResultsRows *rows);
/* The row of the table that is shown at @position. */
guint capra_results_rows_get_row (CapraResultsRows *rows, guint position);
/* (transfer none) (element-type guint): the rows that are shown, in their order. The array is not modified any more. */
GArray *capra_results_rows_get_order (CapraResultsRows *rows);
/* The position of a row of the table, or -1 if it is filtered out. */
int capra_results_rows_find (CapraResultsRows *rows, guint row);

/* The table will have these data. @data: (nullable): %NULL removes those of the table at once */
void capra_results_rows_set_data (CapraResultsRows *rows, CapraTable *data);
gboolean capra_results_rows_get_busy (CapraResultsRows *rows);

/* Sorts by the values of @column; -1 for the order of the table. Equal values keep that order, and NaN comes
 * last. */
void capra_results_rows_sort (CapraResultsRows *rows, int column, gboolean descending);

/**
 * capra_results_rows_filter:
 * @column: the column whose values are compared; -1 for all rows
 * @low: the smallest value that is shown
 * @high: the largest one
 */
void capra_results_rows_filter (CapraResultsRows *rows, int column, double low, double high);

G_END_DECLS

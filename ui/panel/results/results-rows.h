/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-rows: the rows of a table in the order in which they are shown, as a list for widgets. */
#pragma once

#include "ui/panel/results/results-table.h"

G_BEGIN_DECLS

/**
 * CapraResultsRow:
 *
 * An item of the list. It is valid until the list changes.
 */
#define CAPRA_TYPE_RESULTS_ROW (capra_results_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsRow, capra_results_row, CAPRA, RESULTS_ROW, GObject)

/* The row of the table. */
guint capra_results_row_get_row (CapraResultsRow *row);

/**
 * CapraResultsRows:
 *
 * A GListModel of CapraResultsRow and a GtkSelectionModel. The selection is that of the table. Items are created when
 * a widget asks for them, so that 100 000 rows cost no more than their order.
 *
 * Signal "row-chosen" (uint): a widget has selected one row of the table.
 */
#define CAPRA_TYPE_RESULTS_ROWS (capra_results_rows_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsRows, capra_results_rows, CAPRA, RESULTS_ROWS, GObject)

CapraResultsRows *capra_results_rows_new (CapraResultsTable *table);

/* (transfer none) */
CapraResultsTable *capra_results_rows_get_table (CapraResultsRows *rows);
/* The row of the table that is shown at @position. */
guint capra_results_rows_get_row (CapraResultsRows *rows, guint position);
/* The position of a row of the table, or -1 if it is filtered out. */
int capra_results_rows_find (CapraResultsRows *rows, guint row);

/* Sorts by the values of @column; -1 for the order of the table. NaN comes last. */
void capra_results_rows_sort (CapraResultsRows *rows, int column, gboolean descending);

/**
 * capra_results_rows_filter:
 * @column: the column whose values are compared; -1 for all rows
 * @low: the smallest value that is shown
 * @high: the largest one
 */
void capra_results_rows_filter (CapraResultsRows *rows, int column, double low, double high);

G_END_DECLS

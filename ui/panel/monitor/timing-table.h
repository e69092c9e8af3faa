/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing table: timing rows in columns, which sort them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraTimingTable:
 *
 * Columns of names are shown if they tell rows apart, and those of numbers, the most important ones first, as far as
 * they fit into its width; a tooltip of each row has all its numbers.
 */
#define CAPRA_TYPE_TIMING_TABLE (capra_timing_table_get_type ())
G_DECLARE_FINAL_TYPE (CapraTimingTable, capra_timing_table, CAPRA, TIMING_TABLE, GtkWidget)

/* @rows: of CapraTimingRow. Call it once. */
void capra_timing_table_set_rows (CapraTimingTable *table, GListModel *rows);
/* (transfer none): the rows in the order in which they are shown. */
GListModel *capra_timing_table_get_shown (CapraTimingTable *table);
/* Sorts again, and chooses columns again: rows have changed. */
void capra_timing_table_update (CapraTimingTable *table);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-table: the table of one step, with the rows that are selected and the columns that are shown. */
#pragma once

#include <gtk/gtk.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * CapraResultsTable:
 *
 * One object stays for a step while its numbers change. Rows and columns are counted as in the step's table, whatever
 * the order in which a view shows them. Regions that are selected stay selected when the numbers change, if a region is
 * still at that place.
 *
 * Property: "title" (string): the step as people see it.
 * Signals: "changed": other numbers or columns; "selection-changed"; "shown-changed": other columns are shown.
 */
#define CAPRA_TYPE_RESULTS_TABLE (capra_results_table_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsTable, capra_results_table, CAPRA, RESULTS_TABLE, GObject)

CapraResultsTable *capra_results_table_new (const char *title);

const char *capra_results_table_get_title (CapraResultsTable *table);
void capra_results_table_set_title (CapraResultsTable *table, const char *title);

/* (transfer none) (nullable): the numbers, as `capra run --tables` writes them; %NULL until they are known. They are
 * not modified any more. */
CapraTable *capra_results_table_get_data (CapraResultsTable *table);
void capra_results_table_set_data (CapraResultsTable *table, CapraTable *data);
/* The same with @selected as the selection, which was found before. */
void capra_results_table_replace_data (CapraResultsTable *table, CapraTable *data, GtkBitset *selected);

guint capra_results_table_get_rows (CapraResultsTable *table);
guint capra_results_table_get_columns (CapraResultsTable *table);
double capra_results_table_get_value (CapraResultsTable *table, guint row, guint column);
/* (transfer full): the value as it is shown, in the format of its column. */
char *capra_results_table_dup_text (CapraResultsTable *table, guint row, guint column);

/* As in files: "centroid_x". */
const char *capra_results_table_get_name (CapraResultsTable *table, guint column);
/* In plain words, translated: "Center X". */
const char *capra_results_table_get_column_title (CapraResultsTable *table, guint column);
/* Translated: "px"; "" for numbers without a unit. */
const char *capra_results_table_get_unit (CapraResultsTable *table, guint column);
/* (transfer full): title and unit, as in the header of a column: "Center X (px)". */
char *capra_results_table_dup_header (CapraResultsTable *table, guint column);
/* (transfer full): for a narrow table, in two lines: "Center X\npx". */
char *capra_results_table_dup_short_header (CapraResultsTable *table, guint column);
/* The column @name, or -1. */
int capra_results_table_find_column (CapraResultsTable *table, const char *name);
/* Whether the table has a row for each region of labels. */
gboolean capra_results_table_has_regions (CapraResultsTable *table);
/* Whether the table is one row that is not of a region, which is shown as a list of names and values. */
gboolean capra_results_table_is_values (CapraResultsTable *table);
/* The row of the region @label, or -1. */
int capra_results_table_find_label (CapraResultsTable *table, double label);

/* (transfer none): the rows that are selected. */
GtkBitset *capra_results_table_get_selected (CapraResultsTable *table);
void capra_results_table_set_selected (CapraResultsTable *table, GtkBitset *rows);

/* Columns that the user has chosen to see. */
gboolean capra_results_table_get_shown (CapraResultsTable *table, guint column);
void capra_results_table_set_shown (CapraResultsTable *table, guint column, gboolean shown);

G_END_DECLS

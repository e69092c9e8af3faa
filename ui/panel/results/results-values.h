/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-values: a table of one row as a list of names and values. */
#pragma once

#include "ui/panel/results/results-table.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_RESULTS_VALUES (capra_results_values_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsValues, capra_results_values, CAPRA, RESULTS_VALUES, GtkWidget)

/* @table: (nullable) */
void capra_results_values_set_table (CapraResultsValues *values, CapraResultsTable *table);

G_END_DECLS

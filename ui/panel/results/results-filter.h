/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-filter: a column, the limits between which its values are shown, and whether rows are sorted by it. */
#pragma once

#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsFilter:
 *
 * Signal "sort" (uint, boolean): rows are to be sorted by that column of the table; descending if %TRUE.
 */
#define CAPRA_TYPE_RESULTS_FILTER (capra_results_filter_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsFilter, capra_results_filter, CAPRA, RESULTS_FILTER, GtkBox)

/* @rows: (nullable): what is filtered */
void capra_results_filter_set_rows (CapraResultsFilter *filter, CapraResultsRows *rows);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-page: the tables of a pipeline's steps, one at a time. */
#pragma once

#include "ui/panel/results/results-rows.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraResultsPage:
 *
 * Its template has two boxes for what other files add: "tools", a row of buttons beside the step's name, and "charts",
 * below the table.
 *
 * Properties: "table" (CapraResultsTable, read-only): that of the chosen step, %NULL without one; "rows"
 * (CapraResultsRows, read-only): the same as shown; "show-marks" (boolean): whether the regions are drawn over the
 * image.
 */
#define CAPRA_TYPE_RESULTS_PAGE (capra_results_page_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsPage, capra_results_page, CAPRA, RESULTS_PAGE, GtkBox)

/* (transfer none) (nullable) */
CapraResultsTable *capra_results_page_get_table (CapraResultsPage *page);
CapraResultsRows *capra_results_page_get_rows (CapraResultsPage *page);

G_END_DECLS

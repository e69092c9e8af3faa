/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-export: buttons that copy and save a table. */
#pragma once

#include "ui/panel/preview/image-view.h"
#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsExport:
 *
 * Properties: "rows" (CapraResultsRows, nullable): the table.
 * Signal "failed" (string): a file could not be written.
 */
#define CAPRA_TYPE_RESULTS_EXPORT (capra_results_export_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsExport, capra_results_export, CAPRA, RESULTS_EXPORT, GtkBox)

/* @view: shows the image, after whose file those of tables are named. Call it once. */
void capra_results_export_set_view (CapraResultsExport *self, CapraImageView *view);

/* (transfer full): for the name of a file with the table: "regions", or the name of its step, such as "statistics". */
char *capra_results_export_describe (CapraResultsTable *table);

/* (transfer full) (nullable): what is copied and saved: the columns that are shown, of the rows that are selected, or
 * else of all rows that are shown, in the order in which they are shown. %NULL without a column. */
CapraTable *capra_results_export_get_shown (CapraResultsRows *rows);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-status: how many rows a table has, and how old its numbers are. */
#pragma once

#include "ui/panel/preview/preview.h"
#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsStatus:
 *
 * Property: "rows" (CapraResultsRows, nullable): the rows that are counted.
 */
#define CAPRA_TYPE_RESULTS_STATUS (capra_results_status_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsStatus, capra_results_status, CAPRA, RESULTS_STATUS, GtkBox)

/* @preview: (nullable): what computes the numbers. */
void capra_results_status_set_preview (CapraResultsStatus *status, CapraPreview *preview);

G_END_DECLS

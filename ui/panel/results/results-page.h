/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-page: the tables of a pipeline's steps, one at a time, and the regions of the table over the image. */
#pragma once

#include "ui/panel/preview/image-view.h"
#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsPage:
 *
 * Property "rows" (CapraResultsRows, read-only): the table of the chosen step, as it is shown; %NULL without one.
 * Signal "failed" (string): a file could not be written.
 */
#define CAPRA_TYPE_RESULTS_PAGE (capra_results_page_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsPage, capra_results_page, CAPRA, RESULTS_PAGE, GtkBox)

GtkWidget *capra_results_page_new (CapraStepModel *pipeline);

/* @view: shows the image. Call it once. */
void capra_results_page_set_view (CapraResultsPage *page, CapraImageView *view);

/* (transfer none) (nullable) */
CapraResultsRows *capra_results_page_get_rows (CapraResultsPage *page);

G_END_DECLS

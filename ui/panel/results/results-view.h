/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-view: the rows of a table in columns, which sort them. */
#pragma once

#include "ui/panel/results/results-rows.h"

G_BEGIN_DECLS

/**
 * CapraResultsView:
 *
 * Signal "activated" (uint): the user has activated a row of the table, by Enter or a double click.
 */
#define CAPRA_TYPE_RESULTS_VIEW (capra_results_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraResultsView, capra_results_view, CAPRA, RESULTS_VIEW, GtkWidget)

/* @rows: (nullable) */
void capra_results_view_set_rows (CapraResultsView *view, CapraResultsRows *rows);
/* Scrolls to a row of the table. */
void capra_results_view_scroll_to (CapraResultsView *view, guint row);
/* Sorts by a column of the table, as a click on its header does. */
void capra_results_view_sort (CapraResultsView *view, guint column, gboolean descending);

G_END_DECLS

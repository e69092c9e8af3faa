/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-match: finds regions again in a table of the same image, whose regions may have other numbers. */
#pragma once

#include <gtk/gtk.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * capra_results_match:
 * @before: (nullable)
 * @after: (nullable)
 *
 * Any thread can call it if no other one uses @rows.
 *
 * Returns: (transfer full): in tables of regions, for each of @rows of @before, the row of @after whose center is the
 *   nearest one within the bounding box; none where no center is. In other tables, the same rows if they are as many;
 *   else none.
 */
GtkBitset *capra_results_match (const CapraTable *before, const CapraTable *after, const GtkBitset *rows);

/* The column @name of @table, or -1. */
int capra_results_find_column (const CapraTable *table, const char *name);
/* Whether @table has a row for each region of labels. @table: (nullable) */
gboolean capra_results_is_of_regions (const CapraTable *table);

G_END_DECLS

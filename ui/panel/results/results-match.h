/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-match: finds regions again in a table of the same image, whose regions may have other numbers. */
#pragma once

#include <gtk/gtk.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* Returns: (transfer full): for each of @rows of @before, the row of @after whose center is the nearest one within the
 * bounding box; none where no center is. Both are tables of regions. */
GtkBitset *capra_results_match (const CapraTable *before, const CapraTable *after, const GtkBitset *rows);

/* The column @name of @table, or -1. */
int capra_results_find_column (const CapraTable *table, const char *name);

G_END_DECLS

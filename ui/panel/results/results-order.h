/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-order: which rows of a table are shown, and in which order. */
#pragma once

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * CapraResultsOrder:
 * @sort_column: the column by whose values rows are sorted; -1 for the order of the table
 * @filter_column: the column whose values are compared; -1 for all rows
 * @low: the smallest value that is shown
 * @high: the largest one
 *
 * Columns that a table does not have count as -1.
 */
typedef struct {
  int sort_column;
  gboolean descending;
  int filter_column;
  double low, high;
} CapraResultsOrder;

gboolean capra_results_order_equal (const CapraResultsOrder *a, const CapraResultsOrder *b);

/* (transfer full) (element-type guint): the rows of @data that are shown. Equal values keep the order of the table in
 * both directions, and NaN comes last. It can be called by any thread. */
GArray *capra_results_order_list (const CapraResultsOrder *order, const CapraTable *data);

G_END_DECLS

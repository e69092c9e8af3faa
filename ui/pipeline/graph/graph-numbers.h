/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph-numbers: the tables of a graph's steps, and the labels of the regions in them. */
#pragma once

#include "algorithms/common/table.h"
#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/* @steps: (element-type CapraStep): whether one of them that is enabled writes a table. */
gboolean capra_steps_have_table (GPtrArray *steps);

/* Lets the operations of the graph keep their tables. */
void capra_graph_keep_tables (CapraGraph *graph);

/**
 * capra_graph_compute_table:
 * @graph: one that keeps tables
 * @step: the id of a step
 *
 * Computes the step, unless its table is known already.
 *
 * Returns: (transfer full) (nullable): the table, of the whole image; %NULL if the step has none or has failed
 */
CapraTable *capra_graph_compute_table (CapraGraph *graph, guint step);

/**
 * capra_graph_read_labels:
 * @step: the id of a step whose table has a row for each region
 * @rect: in pixels of the result at @scale
 * @scale: at most 1; pixels between are left out
 * @labels: (out caller-allocates): the number of the region at each pixel, 0 outside all of them
 *
 * Returns: whether the step measures regions whose labels can be read
 */
gboolean capra_graph_read_labels (CapraGraph *graph, guint step, const GeglRectangle *rect, double scale,
                                  guint32 *labels);

G_END_DECLS

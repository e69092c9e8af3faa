/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph: the GEGL nodes of a pipeline over a source buffer. Not thread-safe. */
#pragma once

#include "ui/pipeline/graph/layer-target.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

typedef struct _CapraGraph CapraGraph;

/**
 * capra_graph_new:
 * @source: the input of the first step
 * @scale: size of @source relative to the image (1 for the image itself); properties that are lengths in pixels are
 *   multiplied by it
 * @cache: whether steps cache their results, so that only the steps after a change run again
 */
CapraGraph *capra_graph_new (GeglBuffer *source, double scale, gboolean cache);
void capra_graph_free (CapraGraph *graph);

/* (transfer none) */
GeglBuffer *capra_graph_get_source (CapraGraph *graph);
/* Replaces the source; the steps stay. */
void capra_graph_set_source (CapraGraph *graph, GeglBuffer *source);
/* @target: (nullable): the source is a layer, and the output of steps is the layer after their result was written into
 * it. Its selection must live as long as the graph. Call it before capra_graph_update(). */
void capra_graph_set_target (CapraGraph *graph, const CapraLayerTarget *target);

/* The raw values that the graph works on, %NULL if it works on colors. With raw values, steps are adapted to them
 * (capra_raw_values_adapt()), and files of second inputs are loaded as raw values, too. */
const CapraRawValues *capra_graph_get_raw_values (CapraGraph *graph);

/* Updates the nodes to @steps (CapraStep); modifies only nodes whose steps have changed. Skips disabled steps and
 * unknown operations. */
void capra_graph_update (CapraGraph *graph, GPtrArray *steps);

/* Lets Capra's operations compute at most about @pixels at once beyond what is rendered: nothing can stop them. 0 for
 * as many as they choose. */
void capra_graph_set_block (CapraGraph *graph, guint pixels);

/* Whether the result has no pixels. */
gboolean capra_graph_is_empty (CapraGraph *graph);

/* The bounds of the result; the extent of the source if the result is unbounded. */
GeglRectangle capra_graph_get_bounds (CapraGraph *graph);
/* The native format of the result; never %NULL after the first render. */
const Babl *capra_graph_get_format (CapraGraph *graph);
/* (nullable): the native format of the output of @node. Labels are to be read in it: converted to that of another color
 * space they would be taken for brightness. */
const Babl *capra_node_get_format (GeglNode *node);
/* Renders @rect to @data in @format, with @stride bytes per row. */
void capra_graph_render (CapraGraph *graph, const GeglRectangle *rect, const Babl *format, gpointer data, int stride);
/* (transfer none): the last node, for a GeglProcessor or a sink. */
GeglNode *capra_graph_get_output (CapraGraph *graph);
/* (transfer none): the node that outputs the source. */
GeglNode *capra_graph_get_source_node (CapraGraph *graph);
/* (nullable): if the last step labels regions, a node that outputs the labels, independent of the step's rendering.
 * Steps after it that only write a table, whose result is their input, do not count. */
GeglNode *capra_graph_get_labels (CapraGraph *graph);
/* (nullable): the node of the step @id. */
GeglNode *capra_graph_get_step_node (CapraGraph *graph, guint id);
/* (nullable): as capra_graph_get_labels(), of the last step before @id that labels regions. */
GeglNode *capra_graph_get_step_labels (CapraGraph *graph, guint id);
GeglNode *capra_graph_get_root (CapraGraph *graph);

/**
 * capra_graph_get_errors:
 *
 * Returns: (transfer full) (element-type CapraStepError): the errors of failed steps by their ids (GUINT_TO_POINTER)
 */
GHashTable *capra_graph_get_errors (CapraGraph *graph);

/* (transfer full) (element-type GHashTable): the numbers that steps have found, by the steps' ids: for each step a
 * table of the names of capra_node_get_results(). Failed steps and those without numbers are missing. */
GHashTable *capra_graph_get_results (CapraGraph *graph);

/* FALSE with the message of the first step whose file (loaded by the step or by its second input) cannot be read. Does
 * not render. */
gboolean capra_graph_check_files (CapraGraph *graph, GError **error);

/* FALSE with the message of the first step that failed. A failed step passes its input through, so the rendered result
 * alone does not show it. */
gboolean capra_graph_check (CapraGraph *graph, GError **error);

/* Scales @value to a graph of that scale, if @property is a length in pixels. */
void capra_graph_scale_value (GParamSpec *property, double scale, GValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraGraph, capra_graph_free)

G_END_DECLS

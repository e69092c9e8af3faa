/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph: a pipeline as GEGL nodes over a source buffer. For one thread at a time. */
#pragma once

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

typedef struct _CapraGraph CapraGraph;

/**
 * capra_graph_new:
 * @source: what the first step gets
 * @scale: how much smaller @source is than the image (1 for the image itself); lengths in pixels
 *   among the properties are multiplied by it
 * @cache: whether steps keep their results, so that only what follows a change runs again
 */
CapraGraph *capra_graph_new (GeglBuffer *source, double scale, gboolean cache);
void capra_graph_free (CapraGraph *graph);

/* Another image for the same steps. */
void capra_graph_set_source (CapraGraph *graph, GeglBuffer *source);

/* What the source's numbers are of; %NULL if the source is no image of numbers. Then steps are adapted to numbers
 * (capra_raw_values_adapt()), and files of second inputs are read as numbers, too. */
const CapraRawValues *capra_graph_get_raw_values (CapraGraph *graph);

/* Makes the nodes fit @steps (CapraStep), touching only what differs. Those that are switched off or
 * that GEGL does not have are passed by. */
void capra_graph_update (CapraGraph *graph, GPtrArray *steps);

/* Whether nothing is left of the image. */
gboolean capra_graph_is_empty (CapraGraph *graph);

/* Where the result lies; the source's extent if the result has no end. */
GeglRectangle capra_graph_get_bounds (CapraGraph *graph);
/* The result's own format; never %NULL after the first render. */
const Babl *capra_graph_get_format (CapraGraph *graph);
/* @data gets @rect in @format, @stride bytes a row. */
void capra_graph_render (CapraGraph *graph, const GeglRectangle *rect, const Babl *format, gpointer data, int stride);
/* The last node, for a GeglProcessor or a sink (transfer none). */
GeglNode *capra_graph_get_output (CapraGraph *graph);
/* Where the last step labels: a node that gives the regions' numbers, however the step renders them; else %NULL. */
GeglNode *capra_graph_get_labels (CapraGraph *graph);
GeglNode *capra_graph_get_root (CapraGraph *graph);

/**
 * capra_graph_get_errors:
 *
 * Returns: (transfer full): for each step's id (GUINT_TO_POINTER) that failed, its message
 */
GHashTable *capra_graph_get_errors (CapraGraph *graph);

/* FALSE with the message of the first step whose file (that it loads, or its second image) cannot be read; known
 * without rendering. */
gboolean capra_graph_check_files (CapraGraph *graph, GError **error);

/* A step that failed hands on its input: such a result must not be taken for a good one. FALSE with the first such
 * step's message. */
gboolean capra_graph_check (CapraGraph *graph, GError **error);

/* The value that a property has in a graph of that scale. */
void capra_graph_scale_value (GParamSpec *property, double scale, GValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraGraph, capra_graph_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: converts the result of a graph to pixels for the screen. */
#pragma once

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/* Whether pixels of that format are labels, which are displayed in distinct colors. */
gboolean capra_format_is_labels (const Babl *format);

/* Side of the checkerboard's squares in screen pixels. */
#define CAPRA_CHECK_SIDE 8

/**
 * capra_display_find_range:
 * @graph: works on raw values, at a small scale
 * @range: (out caller-allocates): the values to display as black and as white
 *
 * Finds a range that contains nearly all values of the result.
 */
void capra_display_find_range (CapraGraph *graph, double range[2]);

/**
 * capra_display_render:
 * @rect: in pixels of @level
 * @level: 0 for the pixels of the graph; negative: pixels are repeated; positive: pixels are averaged (labels: nearest
 *   neighbor)
 * @range: (nullable): for raw values: the values to display as black and as white
 * @check: side of the squares of the checkerboard, in pixels of @level; a power of two
 * @pixels: (out caller-allocates): opaque ARGB32 of @rect, on a checkerboard where transparent
 */
void capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, const double range[2], int check,
                           guint32 *pixels, int stride);

G_END_DECLS

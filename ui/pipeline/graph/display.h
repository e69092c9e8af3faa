/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: converts the result of a graph to pixels for the screen. */
#pragma once

#include "ui/pipeline/graph/display-stretch.h"
#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/* Whether pixels of that format are labels, which are displayed in distinct colors. */
gboolean capra_format_is_labels (const Babl *format);

/* Side of the checkerboard's squares in screen pixels. */
#define CAPRA_CHECK_SIDE 8

/**
 * capra_display_find_limits:
 * @graph: at a small scale
 * @stretch: enabled
 *
 * Returns: the stretch with the limits for the values of the result, of all channels together
 */
CapraStretch capra_display_find_limits (CapraGraph *graph, const CapraDisplayStretch *stretch);

/**
 * capra_display_render:
 * @rect: in pixels of @level
 * @level: 0 for the pixels of the graph; negative: pixels are repeated; positive: pixels are averaged (labels: nearest
 *   neighbor)
 * @stretch: (nullable): for each channel; %NULL to show values as colors. Labels have colors of their own.
 * @check: side of the squares of the checkerboard, in pixels of @level; a power of two
 * @pixels: (out caller-allocates): opaque ARGB32 of @rect, on a checkerboard where transparent or NaN
 */
void capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, const CapraStretchTable *stretch,
                           int check, guint32 *pixels, int stride);

G_END_DECLS

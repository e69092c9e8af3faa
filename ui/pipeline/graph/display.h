/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: pixels of a graph as a screen shows them. */
#pragma once

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/* Whether pixels of that format are numbers of regions, which get distinct colors. */
gboolean capra_format_is_labels (const Babl *format);
/* The color of region @number, 0 is black: 0xAARRGGBB. */
guint32 capra_label_color (guint32 number);

/* Of the checkerboard, on the screen. */
#define CAPRA_CHECK_SIDE 8

/**
 * capra_display_find_range:
 * @graph: works on numbers, at a small scale
 *
 * What is shown black and what white, so that numbers can be seen whatever they are: nearly all of the result's lie in
 * between.
 */
void capra_display_find_range (CapraGraph *graph, double range[2]);

/**
 * capra_display_render:
 * @rect: in pixels of @level
 * @level: 0 for the graph's own pixels; below, pixels are repeated; above, averaged (numbers of
 *   regions are picked)
 * @range: (nullable): of a graph that works on numbers: what is black and what white
 * @check: side of the squares of the checkerboard, in pixels of @level; a power of two
 * @pixels: (out caller-allocates): opaque ARGB32 of @rect, on a checkerboard where transparent
 */
void capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, const double range[2], int check,
                           guint32 *pixels, int stride);

G_END_DECLS

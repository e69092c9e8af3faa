/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: pixels of a graph as a screen shows them. */
#pragma once

#include "graph.h"

G_BEGIN_DECLS

/* Whether pixels of that format are numbers of regions, which get distinct colors. */
gboolean capra_format_is_labels (const Babl *format);
/* The color of region @number, 0 is black: 0xAARRGGBB. */
guint32 capra_label_color (guint32 number);

/* Of the checkerboard, on the screen. */
#define CAPRA_CHECK_SIDE 8

/**
 * capra_display_render:
 * @rect: in pixels of @level
 * @level: 0 for the graph's own pixels; below, pixels are repeated; above, averaged (numbers of
 *   regions are picked)
 * @check: side of the squares of the checkerboard, in pixels of @level; a power of two
 * @pixels: (out caller-allocates): opaque ARGB32 of @rect, on a checkerboard where transparent
 */
void capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, int check,
                           guint32 *pixels, int stride);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raster: an image of values as colors, at the size of a figure. */
#pragma once

#include <cairo.h>

#include "ui/display/color-map.h"
#include "ui/display/stretch.h"

G_BEGIN_DECLS

/**
 * capra_raster_new:
 * @values: an image of @width x @height
 * @columns: size of the result; likewise @rows. A larger image is averaged (without NaN and infinities), in values; a
 *   smaller one is shown in squares.
 */
cairo_surface_t *capra_raster_new (const float *values, int width, int height, const CapraStretch *stretch,
                                   CapraColorMap map, int columns, int rows);

/* As capra_raster_new(), for opaque colors (cairo's ARGB32). They are averaged only if @smooth: labels must not be. */
cairo_surface_t *capra_raster_new_from_colors (const guint32 *colors, int width, int height, gboolean smooth,
                                               int columns, int rows);

G_END_DECLS

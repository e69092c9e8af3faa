/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region-outlines: a picture of the outlines of labeled regions, of the size of the screen's pixels. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/render-numbers.h"

G_BEGIN_DECLS

/**
 * CapraOutlineStyle:
 * @all: the premultiplied ARGB color of the outlines, 0 to leave them out
 * @selected: that of the regions that are selected
 * @fill: that inside them
 */
typedef struct {
  guint32 all, selected, fill;
} CapraOutlineStyle;

/**
 * capra_region_outlines_new:
 * @width, @height: in pixels of the screen
 * @x, @y: the point of the image at the picture's upper left corner
 * @scale: pixels of the screen per pixel of the image
 * @selected: the labels of the regions that are selected, as a set of GUINT_TO_POINTER()
 */
GdkTexture *capra_region_outlines_new (const CapraRegionLabels *labels, int width, int height, double x, double y,
                                       double scale, GHashTable *selected, const CapraOutlineStyle *style);

G_END_DECLS

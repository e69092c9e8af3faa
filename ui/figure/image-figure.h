/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-figure: an image with a color bar, axes, and marked sources. */
#pragma once

#include "ui/display/color-map.h"
#include "ui/display/stretch.h"
#include "ui/figure/page.h"
#include "ui/figure/sky-grid.h"

G_BEGIN_DECLS

/**
 * CapraMark:
 * @x: center in pixels of the image; the center of the first pixel is at 0, 0. Likewise @y.
 * @width: of the ellipse around it, in pixels; likewise @height. Small ones are enlarged.
 * @angle: of its width, in radians, clockwise from the x axis
 * @number: is written beside it if numbers are wanted
 */
typedef struct {
  double x, y, width, height, angle;
  guint number;
} CapraMark;

/**
 * CapraImageFigure:
 * @values: (nullable): the image; %NULL if @colors is set
 * @colors: (nullable): opaque colors instead of values, in cairo's ARGB32; the color bar is left out
 * @smooth: whether colors may be averaged; FALSE for labels
 * @x: position of the first pixel in the coordinates of the marks and of @sky; likewise @y
 * @title: (nullable); likewise @unit, of the values
 * @sky: (nullable): for axes in right ascension and declination instead of pixels
 * @axes: whether there are axes
 * @marks: (nullable) (element-type CapraMark): those in front are numbered first
 * @max_width: of the figure in pixels; likewise @max_height
 */
typedef struct {
  const float *values;
  const guint32 *colors;
  gboolean smooth;
  int width, height;
  double x, y;
  CapraStretch stretch;
  CapraColorMap map;
  const char *title, *unit;
  const CapraSky *sky;
  gboolean axes;
  const GArray *marks;
  gboolean numbers;
  double max_width, max_height;
} CapraImageFigure;

CapraPage *capra_image_figure_draw (const CapraImageFigure *figure);

G_END_DECLS

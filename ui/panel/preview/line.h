/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line: a straight line over an image, from the center of one pixel to that of another. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraLine:
 * @x: the pixels at the two ends; likewise @y
 */
typedef struct {
  int x[2], y[2];
} CapraLine;

gboolean capra_line_equal (const CapraLine *a, const CapraLine *b);

/* In pixels. */
double capra_line_get_length (const CapraLine *line);
/* In degrees from -180 to 180, counterclockwise from the direction to the right. */
double capra_line_get_angle (const CapraLine *line);

/* The number of points at which values along the line are read: about one per pixel of its length, both ends included.
 * On a horizontal or vertical line, all of them are centers of pixels. */
gsize capra_line_get_count (const CapraLine *line);
/* The position of a point; the center of the first pixel of the image is at 0, 0. */
void capra_line_get_point (const CapraLine *line, gsize index, double *x, double *y);

/* Moves one end to a pixel of @extent. @constrain: to the nearest multiple of 45 degrees as seen from the other end */
void capra_line_set_end (CapraLine *line, guint end, int x, int y, gboolean constrain, const GeglRectangle *extent);
/* Moves the whole line, as far as it stays in @extent. */
void capra_line_move (CapraLine *line, int dx, int dy, const GeglRectangle *extent);
/* Moves ends that are outside @extent into it. */
void capra_line_clamp (CapraLine *line, const GeglRectangle *extent);

G_END_DECLS

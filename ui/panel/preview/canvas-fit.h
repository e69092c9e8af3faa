/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-fit: the scale at which an image opens. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * capra_canvas_fit_scale:
 * @fitted: the part of the image that shall be visible
 * @image: the whole image
 * @width: of the view, in pixels of the screen; @height likewise
 * @factor: pixels of the screen per unit of the user interface
 *
 * Returns: pixels of the screen per pixel of the image: at most 1, but for images of few pixels, which are enlarged by
 * a whole number so that they can be seen
 */
double capra_canvas_fit_scale (const GeglRectangle *fitted, const GeglRectangle *image, double width, double height,
                               int factor);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit: chooses the size of a plot so that the figure around it has the wanted size. */
#pragma once

#include "ui/figure/page.h"

G_BEGIN_DECLS

/* Draws a figure around @plot. @draft: only its extents are needed. */
typedef void (*CapraDrawFunc) (CapraPage *page, const cairo_rectangle_t *plot, gboolean draft, gconstpointer figure);

/**
 * capra_fit_draw:
 * @width: of the whole figure in pixels, at most; likewise @height
 * @aspect: width of the plot by its height; 0 to use all of the space
 * @style: (nullable): %NULL for black on white, with a font for this size
 */
CapraPage *capra_fit_draw (CapraDrawFunc draw, gconstpointer figure, double width, double height, double aspect,
                           const CapraPageStyle *style);

G_END_DECLS

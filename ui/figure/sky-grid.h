/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sky-grid: lines of equal longitude and latitude on the sky over an image, and the axes for them. */
#pragma once

#include "ui/figure/page.h"

G_BEGIN_DECLS

/**
 * CapraSky:
 * @to_sky: degrees of a position in pixels; the center of the first pixel is at 0, 0, and y grows downward. FALSE where
 *   the projection has no sky.
 * @to_pixel: the inverse; FALSE where the projection cannot show the sky
 * @hours: whether longitudes are right ascensions, whose labels are in hours
 * @names: of the longitude and the latitude, for the titles of the axes
 */
typedef struct {
  gboolean (*to_sky) (gpointer data, double x, double y, double *ra, double *dec);
  gboolean (*to_pixel) (gpointer data, double ra, double dec, double *x, double *y);
  gpointer data;
  gboolean hours;
  const char *names[2];
} CapraSky;

/**
 * capra_sky_grid_draw:
 * @plot: the area of the image on the page
 * @pixels: the area of the image, in pixels: from the left edge of the first pixel to the right edge of the last
 * @color: of the lines
 *
 * Returns: FALSE, and nothing is drawn, if the image shows no sky
 */
gboolean capra_sky_grid_draw (CapraPage *page, const CapraSky *sky, const cairo_rectangle_t *plot,
                              const cairo_rectangle_t *pixels, guint32 color);

G_END_DECLS

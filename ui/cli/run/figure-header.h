/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-header: what the header of a FITS file says about an image for its figure. */
#pragma once

#include "ui/figure/sky-grid.h"

G_BEGIN_DECLS

typedef struct _FigureHeader FigureHeader;

/* @path: (nullable); @image: (nullable): the name or number of the image in it, as capra:fits-load takes it.
 * Returns: (nullable): %NULL if @path is not a FITS file that can be read */
FigureHeader *figure_header_read (const char *path, const char *image);
void figure_header_free (FigureHeader *header);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FigureHeader, figure_header_free)

/* Whether an image of that size can have the pixels of the file, so that its coordinates fit. */
gboolean figure_header_has_size (FigureHeader *header, int width, int height);

/* (nullable): of the values. */
const char *figure_header_get_unit (FigureHeader *header);
/* (nullable): %NULL if the image has no coordinates on the sky; figure_header_get_problem() says why. */
const CapraSky *figure_header_get_sky (FigureHeader *header);
const char *figure_header_get_problem (FigureHeader *header);

G_END_DECLS

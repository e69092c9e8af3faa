/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS-keywords: the keywords and world coordinates of images, attached to their buffers. */
#pragma once

#include <gegl.h>

#include "capra.h"

G_BEGIN_DECLS

/* Names of the data of a buffer; the operations of Capra look for them at gegl:buffer-source. */
#define CAPRA_FITS_HEADER_KEY "capra:header"
#define CAPRA_FITS_COORDINATES_KEY "capra:world-coordinates"

/* Attaches those of the image that @node, capra:fits-load, has loaded to @buffer. */
void capra_fits_keywords_attach (GeglNode *node, GeglBuffer *buffer);

/* Attaches those of @from, if it has any, to @to. */
void capra_fits_keywords_copy (GeglBuffer *from, GeglBuffer *to);

/* (nullable): the keywords of @buffer. */
CapraFitsHeader *capra_fits_keywords_get (GeglBuffer *buffer);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-description: an image's size and format, for the title of a window. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* (transfer full) */
char *capra_image_description_new (GeglBuffer *image);

/* (transfer full) (nullable): the first keywords of an image of a FITS file, a line each. */
char *capra_image_description_new_keywords (GeglBuffer *image);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jpeg-reader: loads gray and RGB JPEG files with libjpeg. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/read/image-size.h"

G_BEGIN_DECLS

/**
 * capra_jpeg_load:
 * @buffer: (out) (nullable): the image; %NULL for other colors, such as CMYK, which are not loaded
 * @damage: (out) (nullable): which parts of the image are damaged
 * @on_size: (nullable): see capra_image_load_sized()
 *
 * The pixels and the format are those of gegl:jpg-load, which decodes each image row by row into two buffers, and exits
 * the process if libjpeg fails.
 *
 * Returns: FALSE with @error set if the file is damaged
 */
gboolean capra_jpeg_load (const char *path, GeglBuffer **buffer, char **damage, CapraImageSizeFunc on_size,
                          gpointer data, GError **error);

G_END_DECLS

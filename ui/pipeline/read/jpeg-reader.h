/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jpeg-reader: loads gray and RGB JPEG files with libjpeg. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/read/image-size.h"

G_BEGIN_DECLS

/* The pixels of a JPEG file in host memory. */
typedef struct _CapraJpegPixels CapraJpegPixels;

/**
 * capra_jpeg_decode:
 * @max_bytes: of the decoded pixels
 *
 * Decodes a file without GEGL, so that it can run while GEGL starts.
 *
 * Returns: (nullable): %NULL if the file is not a gray or RGB JPEG file, is larger, or has any damage
 */
CapraJpegPixels *capra_jpeg_decode (const char *path, guint64 max_bytes);
guint64 capra_jpeg_pixels_get_size (const CapraJpegPixels *pixels);
/* The image that capra_jpeg_load() loads. */
GeglBuffer *capra_jpeg_pixels_get_buffer (CapraJpegPixels *pixels);
void capra_jpeg_pixels_free (CapraJpegPixels *pixels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraJpegPixels, capra_jpeg_pixels_free)

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

/* The number of pixels per meter along x and y. FALSE if the file does not say. */
gboolean capra_jpeg_read_resolution (const char *path, double per_meter[2]);

G_END_DECLS

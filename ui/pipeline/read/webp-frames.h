/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Webp-frames: WebP images, and the frames of animations. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/read/image-size.h"

G_BEGIN_DECLS

/* Whether the file at @path is an animated WebP file. */
gboolean capra_webp_has_frames (const char *path);

/* The number of frames of an animation, or 1 of an image. 0 with @error set if the file cannot be read. */
guint64 capra_webp_count_frames (const char *path, GError **error);

/**
 * capra_webp_load_frame:
 * @path: a WebP file
 * @index: from 0; the only frame of a single image is 0
 * @warning: (inout) (nullable): which part of the file was ignored, unless there is a warning already
 * @on_size: (nullable): see capra_image_load_sized()
 *
 * Decodes all frames up to @index, over each other as the file says.
 *
 * Returns: (transfer full) (nullable): what the animation shows at this frame, or %NULL with @error set
 */
GeglBuffer *capra_webp_load_frame (const char *path, gint64 index, char **warning, CapraImageSizeFunc on_size,
                                   gpointer data, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-file: loads images with the loaders of GEGL, which do not report errors themselves. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

#include "ui/pipeline/read/image-size.h"
#include "ui/pipeline/read/jpeg-reader.h"

G_BEGIN_DECLS

/* The images of a file, as people name and count them. */
typedef enum {
  CAPRA_FRAMES_OF_DATA,      /* frames or planes, from 0 */
  CAPRA_FRAMES_OF_ANIMATION, /* frames, from 1 */
  CAPRA_FRAMES_PAGES         /* pages, from 1 */
} CapraFramesKind;

/**
 * CapraImage:
 * @buffer: the pixels
 * @graph: (nullable): the pipeline that Capra stored in a PNG, as XML
 * @warning: (nullable): which part of the file was ignored, and why
 * @decoded: (nullable): the pixels, if they were decoded before
 * @frames: the number of frames that the file contains, if it was loaded by capra_frames_load_async(); else 0
 * @kind: what they are, in this case
 * @dataset: (nullable): of an HDF5 file: the one that was read, in this case
 * @is_default: whether @dataset is the file's default, and was not asked for
 * @datasets: (nullable): those that can be chosen, in this case; empty for files without a choice
 */
typedef struct {
  GeglBuffer *buffer;
  char *graph, *warning, *dataset, **datasets;
  CapraJpegPixels *decoded;
  guint64 frames;
  CapraFramesKind kind;
  gboolean is_default;
} CapraImage;

void capra_image_free (CapraImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraImage, capra_image_free)

/* Whether capra_image_load() loads the file at @path like GEGL's loader @operation. */
gboolean capra_image_reads (const char *operation, const char *path);

/* Blocks until the image is loaded. */
CapraImage *capra_image_load (GFile *file, GError **error);

/**
 * capra_image_load_sized:
 * @decoded: (transfer full) (nullable): the result of capra_jpeg_decode() for @file
 * @on_size: (nullable): is called once the size of the image is known, and before its pixels are decoded. It can block
 *   to limit the memory that several threads use.
 *
 * As capra_image_load().
 */
CapraImage *capra_image_load_sized (GFile *file, CapraJpegPixels *decoded, CapraImageSizeFunc on_size, gpointer data,
                                    GError **error);

/* The image that @node, a loader of GEGL, decodes, or %NULL with @error set. */
GeglBuffer *capra_image_decode_node (GeglNode *node, CapraImageSizeFunc on_size, gpointer data, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-file: reads images through GEGL, and says why where it cannot. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraImage:
 * @buffer: the pixels
 * @graph: (nullable): the pipeline that a PNG of Capra's carries, as XML
 * @warning: (nullable): what of the file is not used, and why
 */
typedef struct {
  GeglBuffer *buffer;
  char *graph, *warning;
} CapraImage;

void capra_image_free (CapraImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraImage, capra_image_free)

/* Reads in a thread. */
void capra_image_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
CapraImage *capra_image_load_finish (GAsyncResult *result, GError **error);

/* Whether capra_image_load() reads the file at @path as GEGL's loader @operation does. */
gboolean capra_image_reads (const char *operation, const char *path);

/* Waits. */
CapraImage *capra_image_load (GFile *file, GError **error);

G_END_DECLS

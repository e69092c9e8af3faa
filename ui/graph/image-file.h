/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-file: reads images through GEGL, and says why where it cannot. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraImage:
 * @buffer: the pixels
 * @graph: (nullable): the pipeline that a PNG of ours carries, as XML
 */
typedef struct {
  GeglBuffer *buffer;
  char *graph;
} CapraImage;

void capra_image_free (CapraImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraImage, capra_image_free)

/* Reads in a thread. */
void capra_image_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer data);
CapraImage *capra_image_load_finish (GAsyncResult *result, GError **error);

/* Waits. */
CapraImage *capra_image_load (GFile *file, GError **error);

G_END_DECLS

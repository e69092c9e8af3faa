/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pasted-image: reads the image in the clipboard. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* With the precision and the color space in which it is offered. */
void capra_pasted_image_read_async (GdkClipboard *clipboard, GAsyncReadyCallback callback, gpointer data);
/* (transfer full) (nullable): without alpha if no pixel is transparent; %NULL with @error set without an image. */
GeglBuffer *capra_pasted_image_read_finish (GAsyncResult *result, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upload cache: keeps uploaded pixels of host buffers on the device, for the next operation that reads them. */
#pragma once

#include "plugin/buffers/view.h"

G_BEGIN_DECLS

/* Sets @view to an array on @device that holds at least the pixels of @rect in @buffer, in @format. @buffer's pixels
 * are on the host. The array is that of an earlier upload if the pixels have not changed since; otherwise a new upload.
 */
gboolean capra_upload_cache_get_view (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect,
                                      const Babl *format, CapraDevice *device, GError **error);

/* The device that holds an upload of the pixels of @buffer, which may have changed since; NULL if none does. */
CapraDevice *capra_upload_cache_find_device (GeglBuffer *buffer);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pushed: pixels of host buffers that were pushed, remembered on the device for the next operation. */
#pragma once

#include "plugin/buffers/resident.h"

G_BEGIN_DECLS

/* How @buffer, whose pixels lie on the host, shows an array on @device that holds at least what it has
 * of @rect, as @format: the array that was pushed for this before, as long as nobody has written to the
 * pixels since, else a new one: one push. */
gboolean capra_upload_cache_get_view (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect,
                                      const Babl *format, CapraDevice *device, GError **error);

G_END_DECLS

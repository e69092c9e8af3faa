/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* View: the arrays behind a rectangle of a buffer. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/bands.h"

G_BEGIN_DECLS

/**
 * CapraView:
 * @bands: the arrays; a reference. Their rectangles are relative to @area
 * @area: the rectangle of their pixels in the buffer's coordinates
 * @visible: the part of @area that the buffer shows; its other pixels are zero
 * @format: the format of the values, according to the buffer
 */
typedef struct {
  GArray *bands;
  GeglRectangle area, visible;
  const Babl *format;
} CapraView;

void capra_view_clear (CapraView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraView, capra_view_clear)

/* Makes @array (taken) the only band of @view, which has no bands. */
void capra_view_set_array (CapraView *view, CapraArray *array);

/* Whether arrays hold the pixels of @rect that @buffer shows: not if @buffer shows none of them, is not resident, or
 * its tiles were written to, nor if pixels are on the host alone. */
gboolean capra_view_is_possible (GeglBuffer *buffer, const GeglRectangle *rect);

/* Sets @view to arrays that hold at least the pixels of @rect that @buffer shows, where that is possible. Arrays that
 * were computed one after the other are copied into one on @device. */
gboolean capra_view_init (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect, CapraDevice *device,
                          GError **error);

G_END_DECLS

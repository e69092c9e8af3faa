/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* View: the arrays behind a rectangle of a buffer. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/bands.h"

G_BEGIN_DECLS

/**
 * CapraView:
 * @bands: the arrays; a reference; %NULL before capra_view_assemble(). Their rectangles are relative to @area
 * @area: the rectangle of their pixels in the buffer's coordinates
 * @visible: the part of @area that the buffer shows; its other pixels are zero
 * @format: the format of the values, according to the buffer
 * @parts: (nullable): what capra_view_assemble() uses
 * @used: (nullable) (element-type CapraArray): references that prevent eviction
 */
typedef struct {
  GArray *bands;
  GeglRectangle area, visible;
  const Babl *format;
  GPtrArray *parts, *used;
} CapraView;

void capra_view_clear (CapraView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraView, capra_view_clear)

/* Makes @array (taken) the only band of @view, which has no bands. */
void capra_view_set_array (CapraView *view, CapraArray *array);

/* Sets @view to the arrays that hold the pixels of @rect that @buffer shows. Returns %FALSE if there are none: @buffer
 * shows none of @rect, is not resident, or its tiles were written to; or pixels are on the host alone. */
gboolean capra_view_init (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect);

/* Copies arrays that were computed one after the other into one on @device. */
gboolean capra_view_assemble (CapraView *view, CapraDevice *device, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Gathering: pixels of a GeglBuffer into an array on a device, by all of GEGL's threads. */
#pragma once

#include <gegl-plugin.h>

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* A new array that holds @rect of @buffer as @format: one push. Zero outside of the buffer. */
CapraArray *capra_gather (GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format, CapraDevice *device,
                          GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Gather: copies pixels of a GeglBuffer into an array on a device, with all of GEGL's threads. */
#pragma once

#include <gegl-plugin.h>

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* A new array with the pixels of @rect in @format; zero outside of the buffer. One upload. */
CapraArray *capra_gather (GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format, CapraDevice *device,
                          GError **error);

G_END_DECLS

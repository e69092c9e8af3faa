/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe: the values of one pixel as text. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraProbe:
 * @values: the pixel's components in its own format; integers and floats are not converted
 * @count: number of components; 0 outside the buffer
 * @label: whether the value is the number of a region
 * @floats: whether the components are floating-point numbers
 */
typedef struct {
  int x, y;
  double values[5];
  guint count;
  gboolean label, floats;
} CapraProbe;

void capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe);

G_END_DECLS

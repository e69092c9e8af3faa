/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe: the values of pixels as they are, for numbers on the screen. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

#define CAPRA_PROBE_MAX 5 /* components of a pixel */

/**
 * CapraProbe:
 * @values: the pixel's components in its own format; integers and floats are not converted
 * @count: number of components; 0 outside the buffer
 * @label: whether the value is the number of a region
 * @floats: whether the components are floating-point numbers
 */
typedef struct {
  int x, y;
  double values[CAPRA_PROBE_MAX];
  guint count;
  gboolean label, floats;
} CapraProbe;

void capra_probe_buffer (GeglBuffer *buffer, int x, int y, CapraProbe *probe);

/* Sets what is known of pixels of that format, without values: "count", "label" and "floats". */
void capra_probe_describe (const Babl *format, CapraProbe *probe);
/* The values of the pixels of @rect, which is inside the buffer, row by row, each as capra_probe_buffer() reads it.
 * Returns: (transfer full) */
double *capra_probe_read (GeglBuffer *buffer, const GeglRectangle *rect);

/* Appends the values to @text, for people. @raw: whether they are raw values, which have all their digits. */
void capra_probe_append_values (const CapraProbe *probe, gboolean raw, GString *text);

G_END_DECLS

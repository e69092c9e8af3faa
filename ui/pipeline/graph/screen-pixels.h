/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screen-pixels: converts values to pixels of the screen. */
#pragma once

#include <gegl.h>

#include "ui/display/stretch.h"

G_BEGIN_DECLS

typedef struct _CapraScreenPixels CapraScreenPixels;

/* Converts @count pixels of @values to premultiplied ARGB32. Pixels with a NaN become transparent. */
typedef void (*CapraScreenFunc) (const CapraScreenPixels *self, gconstpointer values, int count, guint32 *pixels);

/**
 * CapraScreenPixels:
 * @format: of the values
 * @levels: 0 to 255, of values in equal steps from 0 to 1
 */
struct _CapraScreenPixels {
  const Babl *format;
  CapraScreenFunc convert;
  int channels;
  gboolean alpha, associated, gray;
  const CapraStretchTable *table;
  const guint8 *levels;
};

/* @own: the format of a result; @table: (nullable): the stretch of its values; %NULL to show them as colors */
void capra_screen_pixels_init (CapraScreenPixels *self, const Babl *own, const CapraStretchTable *table);

/* The format in which GEGL averages pixels of @own for a smaller scale; cairo-ARGB32 if that is what is shown. */
const Babl *capra_screen_pixels_get_scaled_format (const Babl *own, const CapraStretchTable *table);

/* Converts @rect of @buffer, in all of GEGL's threads. @stride: of the screen's pixels, in bytes */
void capra_screen_pixels_convert_buffer (const CapraScreenPixels *self, GeglBuffer *buffer, const GeglRectangle *rect,
                                         guint32 *pixels, int stride);

/* Composites premultiplied pixels over a checkerboard. @check: side of its squares, a power of two */
void capra_screen_pixels_composite (guint32 *pixels, const GeglRectangle *rect, int check, int stride);

G_END_DECLS

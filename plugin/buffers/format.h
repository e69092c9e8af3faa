/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Formats: the babl format in which an operation works, and its equivalent in libcapra. */
#pragma once

#include <babl/babl.h>

#include "algorithms/common/convert.h"

G_BEGIN_DECLS

/* What an operation does with pixels, which determines their format. All formats have 32-bit floats. */
typedef enum {
  CAPRA_WORK_AVERAGE,   /* linear light, associated alpha: pixels may be averaged */
  CAPRA_WORK_LUMINANCE, /* linear luminance without alpha */
  CAPRA_WORK_LUMA,      /* perceptual luminance (Y') without alpha */
  CAPRA_WORK_VALUES,    /* linear luminance or color, without alpha */
  CAPRA_WORK_ALL,       /* linear, separate alpha: can be converted to all others */
} CapraWork;

/* The format for @work with as many channels as @source, in its color space. Without @source (%NULL): color with
 * alpha. */
const Babl *capra_format_working (const Babl *source, CapraWork work);

gboolean capra_format_has_alpha (const Babl *format);

/* Sets @color to the layout of @format, whatever its transfer curve. Returns %FALSE if it is none of capra_convert().
 */
gboolean capra_format_get_color (const Babl *format, CapraColor *color);

/* Sets @encoding to the encoding of @format for capra_convert(). Returns %FALSE if it does not support the format. */
gboolean capra_format_get_encoding (const Babl *format, CapraEncoding *encoding);

/* Sets @shape to that of @width x @height unconverted pixels of @format. Returns %FALSE if arrays cannot hold them. */
gboolean capra_format_get_shape (const Babl *format, gsize width, gsize height, CapraShape *shape);

/* Sets @conversion for a conversion on the device. Returns %FALSE if the host must convert. */
gboolean capra_format_get_conversion (const Babl *from, const Babl *to, CapraConversion *conversion);

/* The same for capra_convert_to_type(), whose result may consist of integers. */
gboolean capra_format_get_tile_conversion (const Babl *from, const Babl *to, CapraConversion *conversion);

/* The format in which host pixels in @source are uploaded for an operation that works in @wanted: @source itself, if
 * the device can convert it, so that other operations can use the upload too. */
const Babl *capra_format_for_upload (const Babl *source, const Babl *wanted);

G_END_DECLS

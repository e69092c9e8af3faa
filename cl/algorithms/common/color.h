/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color: the layouts and encodings of colors in arrays. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraColor:
 * @CAPRA_COLOR_Y: luminance
 * @CAPRA_COLOR_YA: luminance, alpha
 * @CAPRA_COLOR_YaA: luminance times alpha, alpha
 * @CAPRA_COLOR_RGB: red, green, blue
 * @CAPRA_COLOR_RGBA: red, green, blue, alpha
 * @CAPRA_COLOR_RaGaBaA: red, green and blue times alpha, alpha
 *
 * Color layouts, named as babl names its models. Values are linear, except where #CapraEncoding says otherwise.
 */
typedef enum {
  CAPRA_COLOR_Y,
  CAPRA_COLOR_YA,
  CAPRA_COLOR_YaA,
  CAPRA_COLOR_RGB,
  CAPRA_COLOR_RGBA,
  CAPRA_COLOR_RaGaBaA,
} CapraColor;

CAPRA_API
guint capra_color_channels (CapraColor color);

/**
 * CapraEncoding:
 * @color: the layout
 * @perceptual: whether the color channels are encoded with the transfer curve of sRGB (R'G'B', Y')
 */
typedef struct {
  CapraColor color;
  gboolean perceptual;
} CapraEncoding;

/**
 * CapraConversion:
 * @from: the encoding of what is converted
 * @to: the encoding of the result
 * @luminance: the weights of R, G and B in Y, which depend on the color space and sum to 1; only used if colors become
 *   luminance
 */
typedef struct {
  CapraEncoding from, to;
  double luminance[3];
} CapraConversion;

/**
 * CapraConversions:
 * @input: (nullable): applied to the input of a filter
 * @result: (nullable): applied to its result
 */
typedef struct {
  const CapraConversion *input, *result;
} CapraConversions;

G_END_DECLS

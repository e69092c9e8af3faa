/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convert: between the pixel layouts that operations want, on the device. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraColor:
 * @CAPRA_COLOR_Y: luminance
 * @CAPRA_COLOR_YA: luminance, alpha
 * @CAPRA_COLOR_YaA: luminance times alpha, alpha
 * @CAPRA_COLOR_RGB: and so on, as babl names its models
 *
 * Linear light, f32.
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
 * @perceptual: whether the colour channels hold values under the transfer curve (R'G'B', Y') of sRGB
 */
typedef struct {
  CapraColor color;
  gboolean perceptual;
} CapraEncoding;

/**
 * capra_convert:
 * @input: f32, or u8 or u16 that stand for 0 to 1, with the channels of @from; any shape
 * @luminance: weights of R, G, B in Y, of the colour space (they sum to 1)
 *
 * As babl converts: a lost alpha is dropped (associated colours are divided by it first), a new one
 * is 1; colours become luminance by @luminance, luminance becomes three equal channels. Where alpha
 * is 0, associated values are kept as babl keeps them.
 *
 * Returns: (transfer full): an f32 array, or @input with a new reference if that is what it is
 */
CAPRA_API
CapraArray *capra_convert (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3],
                           GError **error);

G_END_DECLS

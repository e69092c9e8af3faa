/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Window: the part of an image that an array holds, and the border rules. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraBorder:
 * @CAPRA_BORDER_NONE: zeros: 0 0 | a b c d | 0 0
 * @CAPRA_BORDER_CLAMP: the nearest edge pixel: a a | a b c d | d d
 * @CAPRA_BORDER_MIRROR: the reflected image, which repeats the edge pixel (scipy's "reflect"): b a | a b c d | d c
 * @CAPRA_BORDER_WRAP: the opposite side of the image: c d | a b c d | a b
 *
 * The values of pixels outside the image. Mirror and wrap are periodic.
 */
typedef enum {
  CAPRA_BORDER_NONE,
  CAPRA_BORDER_CLAMP,
  CAPRA_BORDER_MIRROR,
  CAPRA_BORDER_WRAP,
} CapraBorder;

/* A rectangle of pixels: columns x … x + width - 1, rows y … y + height - 1. */
typedef struct {
  gint x, y, width, height;
} CapraRect;

/**
 * CapraWindow:
 * @extent: the whole image; the border rule applies outside it
 * @source: the part of @extent that the input array holds
 * @result: the pixels to compute; may extend beyond @extent
 *
 * Describes one part of an image that is processed in parts. @source must contain all pixels of @extent that @result
 * needs under the border rule; capra_window_source() returns them. Functions that take a `const CapraWindow *` accept
 * %NULL: then all three rectangles are the whole array. In a volume, the window applies to each plane.
 */
typedef struct {
  CapraRect extent, source, result;
} CapraWindow;

/**
 * capra_window_source:
 * @extent: the whole image
 * @result: the pixels to compute
 * @left: number of pixels that the filter reaches to the left of an output
 * @right: likewise, to the right
 * @top: likewise, upwards
 * @bottom: likewise, downwards
 *
 * Returns: the smallest rectangle of @extent that contains all pixels that @result needs under @border; its size is 0
 *   if @result needs none (it is far outside, with %CAPRA_BORDER_NONE)
 */
CAPRA_API
CapraRect capra_window_source (const CapraRect *extent, const CapraRect *result, int left, int right, int top,
                               int bottom, CapraBorder border);

/* Checks @window against @input and the filter's reach, and copies it to @resolved. For NULL, @resolved becomes the
 * whole array. For functions that take a window. */
CAPRA_API
gboolean capra_window_resolve (CapraArray *input, const CapraWindow *window, int left, int right, int top, int bottom,
                               CapraBorder border, CapraWindow *resolved, GError **error);

G_END_DECLS

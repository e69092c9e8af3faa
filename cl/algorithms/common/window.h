/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Window: which part of an image an array holds, and what lies beyond the image's edges. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraBorder:
 * @CAPRA_BORDER_NONE: zeros: 0 0 | a b c d | 0 0
 * @CAPRA_BORDER_CLAMP: the edge: a a | a b c d | d d
 * @CAPRA_BORDER_MIRROR: reflected, the edge twice (scipy's "reflect"): b a | a b c d | d c
 * @CAPRA_BORDER_WRAP: from the other side: c d | a b c d | a b
 *
 * Mirror and wrap go on beyond one image's width.
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
 * @extent: the whole image; the border rule begins at its edges
 * @source: the part of @extent that the input array holds
 * @result: what to compute; it may reach beyond @extent
 *
 * For images that are processed in parts. Whatever @result needs of @extent under the border rule
 * must lie in @source; capra_window_source() tells what that is. Where a function takes a
 * `const CapraWindow *`, %NULL means that all three are the whole array. In volumes the window
 * holds for every plane.
 */
typedef struct {
  CapraRect extent, source, result;
} CapraWindow;

/**
 * capra_window_source:
 * @extent: the whole image
 * @result: what is to be computed
 * @left: how many pixels before a result's own the filter reaches; likewise the others
 *
 * Returns: the smallest rectangle of @extent that holds all pixels needed under @border; of no
 *   size if none is (a result far outside with %CAPRA_BORDER_NONE)
 */
CAPRA_API
CapraRect capra_window_source (const CapraRect *extent, const CapraRect *result, int left, int right, int top,
                               int bottom, CapraBorder border);

/* Checks @window (or fills in the whole array for NULL) against @input and its reach; private. */
CAPRA_API
gboolean capra_window_resolve (CapraArray *input, const CapraWindow *window, int left, int right, int top, int bottom,
                               CapraBorder border, CapraWindow *resolved, GError **error);

G_END_DECLS

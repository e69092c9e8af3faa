/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Parts: an image in one array, or in several, one below the other, on whatever devices. */
#pragma once

#include <glib.h>

#include "algorithms/common/window.h"

G_BEGIN_DECLS

/**
 * CapraPixels:
 * @array: a reference
 * @rect: which part of the image it holds
 */
typedef struct {
  CapraArray *array;
  CapraRect rect;
} CapraPixels;

/* Cuts @rect out; zero where it lies outside. */
gboolean capra_pixels_crop (CapraPixels *pixels, const CapraRect *rect, GError **error);
void capra_pixels_clear (CapraPixels *pixels);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraPixels, capra_pixels_clear)

/* (element-type CapraPixels): from top to bottom, as wide as each other, without gaps; keeps their arrays, so
 * that they may be evicted. */
GArray *capra_bands_new (void);

/* Adds @pixels (the array is taken) below what is there, or all parts of @more, which has none then. */
void capra_bands_add (GArray *parts, CapraPixels *pixels);
void capra_bands_move (GArray *parts, GArray *more);

/* All that they hold. */
CapraRect capra_bands_get_rect (const GArray *parts);

/* At least the rows @y … @y + @height - 1, which some part must hold, on @device. A part that lies there is
 * given as it is; from elsewhere, or from several parts, just these rows are brought together. */
gboolean capra_bands_get_rows (const GArray *parts, gint y, gint height, CapraDevice *device, CapraPixels *pixels,
                               GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Bands: an image in one array, or in several that hold one band of rows each, on any devices. */
#pragma once

#include <glib.h>

#include "algorithms/common/window.h"

G_BEGIN_DECLS

/**
 * CapraPixels:
 * @array: a reference
 * @rect: the part of the image that it holds
 */
typedef struct {
  CapraArray *array;
  CapraRect rect;
} CapraPixels;

/* Replaces the array by one that holds @rect alone, with zeros outside of the old array. */
gboolean capra_pixels_crop (CapraPixels *pixels, const CapraRect *rect, GError **error);
void capra_pixels_clear (CapraPixels *pixels);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraPixels, capra_pixels_clear)

/* An empty list (element-type CapraPixels) of bands of the same width, from top to bottom without gaps. The arrays of
 * its bands may be evicted. */
GArray *capra_bands_new (void);

/* A list of the same arrays as @bands, whose contents are lost if they are evicted after @bands was released: for bands
 * that the host has, too. */
GArray *capra_bands_new_discardable (const GArray *bands);

/* Appends @pixels, whose array is taken, below the last band. */
void capra_bands_add (GArray *bands, CapraPixels *pixels);

/* Sorts bands that were added in any order. */
void capra_bands_sort (GArray *bands);

/* Moves all bands of @source below the last band of @bands. */
void capra_bands_move (GArray *bands, GArray *source);

/* The rectangle that all bands cover together. */
CapraRect capra_bands_get_rect (const GArray *bands);

/* Sets @pixels to an array on @device that holds at least the rows @y … @y + @height - 1, which must lie within the
 * bands. That is the array of a band if it holds all these rows on @device; otherwise the rows are copied into a new
 * array. */
gboolean capra_bands_get_rows (const GArray *bands, gint y, gint height, CapraDevice *device, CapraPixels *pixels,
                               GError **error);

G_END_DECLS

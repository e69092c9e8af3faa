/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texture-tiles: the rendered parts of one image, as textures at several mipmap levels. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The most detailed level: see capra_pyramid_get_scale(). */
#define CAPRA_LEVEL_MIN (-6)

typedef enum {
  CAPRA_QUALITY_DRAFT, /* rendered from a level of the pyramid */
  CAPRA_QUALITY_FINAL, /* rendered from the image at full size */
} CapraQuality;

/* A worker adds tiles, the user interface draws them; all functions lock. */
typedef struct _CapraTextureTiles CapraTextureTiles;

CapraTextureTiles *capra_texture_tiles_new (void);
void capra_texture_tiles_free (CapraTextureTiles *tiles);

/**
 * capra_texture_tiles_add:
 * @rect: bounds of the tile, in pixels of @level
 * @generation: number of the change that the pixels belong to
 * @pixels: (transfer full): opaque, in cairo's ARGB32 format, rows without padding
 */
void capra_texture_tiles_add (CapraTextureTiles *tiles, int level, const GeglRectangle *rect, guint generation,
                              CapraQuality quality, GBytes *pixels);

/**
 * capra_texture_tiles_get_missing:
 *
 * Returns: the part of @rect without a tile of that level and generation in that quality or a better one
 *   (cairo_region_destroy)
 */
cairo_region_t *capra_texture_tiles_get_missing (CapraTextureTiles *tiles, int level, const GeglRectangle *rect,
                                                 guint generation, CapraQuality quality);

/* Removes tiles of generations before @generation. */
void capra_texture_tiles_remove_older (CapraTextureTiles *tiles, guint generation);
/* While the tiles exceed their memory limit: removes the oldest ones outside @visible (in pixels of the image). */
void capra_texture_tiles_limit (CapraTextureTiles *tiles, const GeglRectangle *visible);

/**
 * capra_texture_tiles_snapshot:
 * @widget: that is drawn
 * @visible: the part to draw, in pixels of the image
 * @level: that is rendered for the view
 * @scale: units of the snapshot per pixel of the image
 * @x: position of the image's origin; likewise @y
 *
 * Draws newer tiles over older ones, and detailed levels over coarse ones, but those of the view's own level over both.
 */
void capra_texture_tiles_snapshot (CapraTextureTiles *tiles, GtkSnapshot *snapshot, GtkWidget *widget,
                                   const graphene_rect_t *visible, int level, double scale, double x, double y);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tiles: the pixels of arrays as GEGL's tiles. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

#include "plugin/buffers/bands.h"

G_BEGIN_DECLS

/**
 * CapraTileGrid:
 * @extent: the image
 * @held: bytes of a pixel in arrays, @pixel: in tiles
 * @fish: (nullable): babl's conversion from one to the other
 * @width: of a tile; GEGL's usual size, and places that are multiples of it, so that GEGL copies an image
 *   into a buffer of its own by handing over tiles
 * @left: index of the first column of tiles; @top likewise
 */
typedef struct {
  GeglRectangle extent;
  gsize held, pixel;
  const Babl *fish;
  gint width, height;
  gint left, top, columns, rows;
} CapraTileGrid;

/* For arrays of values in @held, and tiles in @shown. */
CapraTileGrid capra_tile_grid_new (const GeglRectangle *extent, const Babl *held, const Babl *shown);

/* The place of a tile in a list of them all, row by row; negative if there is none. */
gint capra_tile_grid_index (const CapraTileGrid *grid, gint x, gint y);

/* All tiles, a list of columns x rows, with undefined pixels. */
GeglTile **capra_tile_grid_new_tiles (const CapraTileGrid *grid);

/* Pulls @part, whose rows count from the extent's top on, into their tiles. Parts without common pixels may come from
 * several threads. With @beside GEGL's threads are left to others, who gather meanwhile. */
gboolean capra_scatter (const CapraTileGrid *grid, GeglTile *const *tiles, const CapraPixels *part, gboolean beside,
                        GError **error);

/* Pulls @parts, whose rows count from the extent's top on, and makes all tiles: a list of columns x rows. */
GeglTile **capra_scatter_bands (const CapraTileGrid *grid, const GArray *parts, GError **error);
void capra_tile_grid_free_tiles (const CapraTileGrid *grid, GeglTile **tiles);

G_END_DECLS

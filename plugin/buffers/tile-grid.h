/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile grid: which GEGL tiles cover an image, and their creation. */
#pragma once

#include <gegl-plugin.h>

#include <gegl-buffer-backend.h> /* needs the types above */

G_BEGIN_DECLS

/**
 * CapraTileGrid:
 * @extent: the image
 * @array_format: the format of arrays
 * @tile_format: the format of tiles
 * @array_pixel: bytes of a pixel in arrays
 * @tile_pixel: bytes of a pixel in tiles
 * @fish: (nullable): babl's conversion from the arrays' format to the tiles' format; %NULL if they are the same
 * @width: of a tile
 * @height: of a tile
 * @left: the index of the first column of tiles
 * @top: the index of the first row of tiles
 * @columns: the number of columns of tiles
 * @rows: the number of rows of tiles
 *
 * Tiles have GEGL's default size, and tile (0, 0) begins at pixel (0, 0): GEGL then copies the image into a buffer of
 * its own by sharing the tiles.
 *
 * A list of tiles has @columns x @rows elements, row by row.
 */
typedef struct {
  GeglRectangle extent;
  const Babl *array_format, *tile_format;
  gsize array_pixel, tile_pixel;
  const Babl *fish;
  gint width, height;
  gint left, top, columns, rows;
} CapraTileGrid;

/* The grid for an image of @extent, with arrays in @array_format and tiles in @tile_format. */
CapraTileGrid capra_tile_grid_new (const GeglRectangle *extent, const Babl *array_format, const Babl *tile_format);

/* The grid for arrays that are already in the format of the tiles. */
CapraTileGrid capra_tile_grid_without_conversion (const CapraTileGrid *grid);

/* Whether two grids have the same formats and sizes of tiles. */
gboolean capra_tile_grid_has_formats_of (const CapraTileGrid *grid, const CapraTileGrid *other);

/* Whether capra_tile_grid_new() would return this grid; faster than calling it. */
gboolean capra_tile_grid_is_for (const CapraTileGrid *grid, const GeglRectangle *extent, const Babl *array_format,
                                 const Babl *tile_format);

/* The index of the tile that contains coordinate @at, if tiles have @size pixels. */
gint capra_tile_index (gint at, gint size);

/* The index of tile (@x, @y) in a list of tiles; negative if the image does not touch that tile. */
gint capra_tile_grid_index (const CapraTileGrid *grid, gint x, gint y);

/* The rectangle of the tile at @index in a list of tiles. */
GeglRectangle capra_tile_grid_get_tile_rect (const CapraTileGrid *grid, gint index);

/* The bytes of a tile. */
gsize capra_tile_grid_get_tile_bytes (const CapraTileGrid *grid);

/* Makes memory ready for a list of new tiles, see capra_tile_pages_prepare(). */
void capra_tile_grid_prepare_tiles (const CapraTileGrid *grid);

/* A list of new tiles. Pixels are undefined within the image and zero outside. */
GeglTile **capra_tile_grid_new_tiles (const CapraTileGrid *grid);
void capra_tile_grid_free_tiles (const CapraTileGrid *grid, GeglTile **tiles);

G_END_DECLS

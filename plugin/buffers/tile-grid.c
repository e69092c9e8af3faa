/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile grid: which GEGL tiles cover an image, and their creation. */
#include "plugin/buffers/tile-grid.h"

#include <string.h>

#include "plugin/buffers/tile-pages.h"

gint
capra_tile_index (gint at, gint size)
{
  return at >= 0 ? at / size : -((size - 1 - at) / size);
}

CapraTileGrid
capra_tile_grid_new (const GeglRectangle *extent, const Babl *array_format, const Babl *tile_format)
{
  CapraTileGrid grid = { *extent,
                         array_format,
                         tile_format,
                         (gsize) babl_format_get_bytes_per_pixel (array_format),
                         (gsize) babl_format_get_bytes_per_pixel (tile_format),
                         array_format == tile_format ? NULL : babl_fish (array_format, tile_format) };

  g_object_get (gegl_config (), "tile-width", &grid.width, "tile-height", &grid.height, NULL);
  grid.left = capra_tile_index (extent->x, grid.width);
  grid.top = capra_tile_index (extent->y, grid.height);
  grid.columns = capra_tile_index (extent->x + extent->width - 1, grid.width) - grid.left + 1;
  grid.rows = capra_tile_index (extent->y + extent->height - 1, grid.height) - grid.top + 1;
  return grid;
}

CapraTileGrid
capra_tile_grid_without_conversion (const CapraTileGrid *grid)
{
  CapraTileGrid plain = *grid;

  plain.array_format = plain.tile_format;
  plain.array_pixel = plain.tile_pixel;
  plain.fish = NULL;
  return plain;
}

gboolean
capra_tile_grid_has_formats_of (const CapraTileGrid *grid, const CapraTileGrid *other)
{
  return grid->array_format == other->array_format && grid->tile_format == other->tile_format
         && grid->width == other->width && grid->height == other->height;
}

gboolean
capra_tile_grid_is_for (const CapraTileGrid *grid, const GeglRectangle *extent, const Babl *array_format,
                        const Babl *tile_format)
{
  gint width = 0, height = 0;

  if (grid->array_format != array_format || grid->tile_format != tile_format
      || !gegl_rectangle_equal (&grid->extent, extent))
    return FALSE;
  g_object_get (gegl_config (), "tile-width", &width, "tile-height", &height, NULL);
  return grid->width == width && grid->height == height;
}

gint
capra_tile_grid_index (const CapraTileGrid *grid, gint x, gint y)
{
  gboolean inside = x >= grid->left && x < grid->left + grid->columns && y >= grid->top && y < grid->top + grid->rows;

  return inside ? (y - grid->top) * grid->columns + x - grid->left : -1;
}

GeglRectangle
capra_tile_grid_get_tile_rect (const CapraTileGrid *grid, gint index)
{
  return (GeglRectangle){ (grid->left + index % grid->columns) * grid->width,
                          (grid->top + index / grid->columns) * grid->height, grid->width, grid->height };
}

gsize
capra_tile_grid_get_tile_bytes (const CapraTileGrid *grid)
{
  return (gsize) grid->width * (gsize) grid->height * grid->tile_pixel;
}

static CapraTileKind
kind_of_tile (const CapraTileGrid *grid, gint index)
{
  GeglRectangle rect = capra_tile_grid_get_tile_rect (grid, index);

  return gegl_rectangle_contains (&grid->extent, &rect) ? CAPRA_TILE_INNER : CAPRA_TILE_EDGE;
}

static GeglTile *
new_tile (const CapraTileGrid *grid, CapraTilePages *pages, gint index)
{
  gsize bytes = capra_tile_grid_get_tile_bytes (grid);
  CapraTileKind kind = kind_of_tile (grid, index);
  GeglTile *tile = pages ? capra_tile_pages_take_tile (pages, kind) : gegl_tile_new ((gint) bytes);

  if (kind == CAPRA_TILE_EDGE)
    memset (gegl_tile_get_data (tile), 0, bytes);
  gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
count_tiles (const CapraTileGrid *grid, gsize counts[CAPRA_N_TILE_KINDS])
{
  for (gint i = 0; i < grid->columns * grid->rows; i++)
    counts[kind_of_tile (grid, i)]++;
}

void
capra_tile_grid_prepare_tiles (const CapraTileGrid *grid)
{
  gsize counts[CAPRA_N_TILE_KINDS] = { 0 };

  count_tiles (grid, counts);
  capra_tile_pages_prepare (counts, capra_tile_grid_get_tile_bytes (grid));
}

GeglTile **
capra_tile_grid_new_tiles (const CapraTileGrid *grid)
{
  gint n = grid->columns * grid->rows;
  GeglTile **tiles = g_new (GeglTile *, n);
  gsize counts[CAPRA_N_TILE_KINDS] = { 0 };
  CapraTilePages *pages = NULL;

  count_tiles (grid, counts);
  pages = capra_tile_pages_new (counts, capra_tile_grid_get_tile_bytes (grid));
  for (gint i = 0; i < n; i++)
    tiles[i] = new_tile (grid, pages, i);
  capra_tile_pages_free (pages);
  return tiles;
}

void
capra_tile_grid_free_tiles (const CapraTileGrid *grid, GeglTile **tiles)
{
  for (gint i = 0; tiles && i < grid->columns * grid->rows; i++)
    if (tiles[i])
      gegl_tile_unref (tiles[i]);
  g_free (tiles);
}

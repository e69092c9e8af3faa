/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles: the pixels of arrays as GEGL's tiles. */
#include <string.h>

#include "plugin/tiles.h"

/* What a thread should have to copy before another one helps, in bytes. */
#define COPY_COST (512.0 * 1024)

/* A part on its way into the tiles. */
typedef struct {
  const CapraGrid *grid;
  GeglTile **tiles;
  GeglRectangle rect; /* of the part, where the image is */
  const guchar *from;
  gint first;         /* row of tiles */
} Way;

static gint
tile_index (gint at, gint size)
{
  return at >= 0 ? at / size : -((size - 1 - at) / size);
}

CapraGrid
capra_grid_plan (const GeglRectangle *extent, gsize pixel)
{
  CapraGrid grid = { *extent, pixel };

  g_object_get (gegl_config (), "tile-width", &grid.width, "tile-height", &grid.height, NULL);
  grid.left = tile_index (extent->x, grid.width);
  grid.top = tile_index (extent->y, grid.height);
  grid.columns = tile_index (extent->x + extent->width - 1, grid.width) - grid.left + 1;
  grid.rows = tile_index (extent->y + extent->height - 1, grid.height) - grid.top + 1;
  return grid;
}

gint
capra_grid_index (const CapraGrid *grid, gint x, gint y)
{
  gboolean inside = x >= grid->left && x < grid->left + grid->columns && y >= grid->top
                    && y < grid->top + grid->rows;

  return inside ? (y - grid->top) * grid->columns + x - grid->left : -1;
}

static GeglRectangle
tile_rect (const CapraGrid *grid, gint column, gint row)
{
  return (GeglRectangle) { (grid->left + column) * grid->width, (grid->top + row) * grid->height,
                           grid->width, grid->height };
}

/* GEGL's own memory, which it keeps for the next tile; zero where the image does not reach. */
static GeglTile *
new_tile (const CapraGrid *grid, const GeglRectangle *rect)
{
  gint bytes = (gint) (grid->width * grid->height * grid->pixel);
  GeglTile *tile = gegl_tile_new (bytes);

  if (!gegl_rectangle_contains (&grid->extent, rect))
    memset (gegl_tile_get_data (tile), 0, bytes);
  gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
fill_tile (const Way *way, gint column, gint row)
{
  const CapraGrid *grid = way->grid;
  GeglTile **tile = &way->tiles[row * grid->columns + column];
  GeglRectangle rect = tile_rect (grid, column, row), both;
  guchar *to = NULL;

  if (!*tile)
    *tile = new_tile (grid, &rect);
  gegl_rectangle_intersect (&both, &rect, &way->rect);
  to = gegl_tile_get_data (*tile);
  for (gint y = both.y; y < both.y + both.height; y++)
    memcpy (to + ((gsize) (y - rect.y) * grid->width + both.x - rect.x) * grid->pixel,
            way->from + ((gsize) (y - way->rect.y) * way->rect.width + both.x - way->rect.x) * grid->pixel,
            both.width * grid->pixel);
}

static void
fill_rows (gsize first, gsize n, gpointer data)
{
  const Way *way = data;

  for (gsize row = first; row < first + n; row++)
    for (gint column = 0; column < way->grid->columns; column++)
      fill_tile (way, column, way->first + (gint) row);
}

static gboolean
fill_part (const CapraGrid *grid, GeglTile **tiles, const CapraPixels *part, GError **error)
{
  const GeglRectangle *extent = &grid->extent;
  Way way = { grid, tiles, { extent->x, extent->y + part->rect.y, part->rect.width, part->rect.height } };
  gint end = tile_index (way.rect.y + way.rect.height - 1, grid->height) + 1 - grid->top;
  double row_bytes = (double) grid->columns * grid->width * grid->height * (double) grid->pixel;

  way.first = tile_index (way.rect.y, grid->height) - grid->top;
  way.from = capra_array_map_read (part->array, error);
  if (!way.from)
    return FALSE;
  gegl_parallel_distribute_range (end - way.first, COPY_COST / row_bytes, fill_rows, &way);
  return capra_array_unmap (part->array, error);
}

GeglTile **
capra_grid_pull (const CapraGrid *grid, const GArray *parts, GError **error)
{
  GeglTile **tiles = g_new0 (GeglTile *, (gsize) grid->columns * grid->rows);

  for (guint i = 0; i < parts->len; i++)
    if (!fill_part (grid, tiles, &g_array_index (parts, CapraPixels, i), error))
      {
        capra_grid_free_tiles (grid, tiles);
        return NULL;
      }
  return tiles;
}

void
capra_grid_free_tiles (const CapraGrid *grid, GeglTile **tiles)
{
  for (gint i = 0; tiles && i < grid->columns * grid->rows; i++)
    if (tiles[i])
      gegl_tile_unref (tiles[i]);
  g_free (tiles);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tiles: the pixels of arrays as GEGL's tiles. */
#include <string.h>

#include "plugin/thread-pool.h"
#include "plugin/buffers/pages.h"
#include "plugin/buffers/non-temporal-copy.h"
#include "plugin/buffers/tile-grid.h"

/* What a thread should have to copy before another one helps, in bytes. */
#define COPY_COST (512.0 * 1024)
/* From so much on, more threads than one would help in any case. */
#define SHARED (8 * COPY_COST)
/* From so many bytes on, an image's tiles are written past the caches: nobody would find them there. */
#define STREAMED ((gsize) 16 << 20)
/* How many bytes babl converts at once for that, at most; these stay in the nearest cache. */
#define CONVERTED 4096

/* Rows of a part on their way into the tiles. */
typedef struct {
  const CapraTileGrid *grid;
  GeglTile *const *tiles;
  GeglRectangle part; /* where the image is */
  GeglRectangle rect; /* those rows of it that are at hand */
  const guchar *from;
  gint first; /* tile that they touch, in the list of them all */
  gsize n;    /* how many they touch */
  gboolean beside;
  gboolean streams; /* past the caches */
} Way;

static gint
tile_index (gint at, gint size)
{
  return at >= 0 ? at / size : -((size - 1 - at) / size);
}

CapraTileGrid
capra_tile_grid_new (const GeglRectangle *extent, const Babl *held, const Babl *shown)
{
  CapraTileGrid grid = { *extent, (gsize) babl_format_get_bytes_per_pixel (held),
                         (gsize) babl_format_get_bytes_per_pixel (shown),
                         held == shown ? NULL : babl_fish (held, shown) };

  g_object_get (gegl_config (), "tile-width", &grid.width, "tile-height", &grid.height, NULL);
  grid.left = tile_index (extent->x, grid.width);
  grid.top = tile_index (extent->y, grid.height);
  grid.columns = tile_index (extent->x + extent->width - 1, grid.width) - grid.left + 1;
  grid.rows = tile_index (extent->y + extent->height - 1, grid.height) - grid.top + 1;
  return grid;
}

gint
capra_tile_grid_index (const CapraTileGrid *grid, gint x, gint y)
{
  gboolean inside = x >= grid->left && x < grid->left + grid->columns && y >= grid->top && y < grid->top + grid->rows;

  return inside ? (y - grid->top) * grid->columns + x - grid->left : -1;
}

static GeglRectangle
tile_rect (const CapraTileGrid *grid, gint column, gint row)
{
  return (GeglRectangle){ (grid->left + column) * grid->width, (grid->top + row) * grid->height, grid->width,
                          grid->height };
}

static GeglTile *
new_tile (const CapraTileGrid *grid, CapraPages *pages, gint column, gint row)
{
  gsize bytes = (gsize) grid->width * grid->height * grid->pixel;
  GeglTile *tile = pages ? capra_pages_take_tile (pages) : gegl_tile_new ((gint) bytes);
  GeglRectangle rect = tile_rect (grid, column, row);

  /* Zero where the image does not reach. */
  if (!gegl_rectangle_contains (&grid->extent, &rect))
    memset (gegl_tile_get_data (tile), 0, bytes);
  gegl_tile_mark_as_stored (tile);
  return tile;
}

GeglTile **
capra_tile_grid_new_tiles (const CapraTileGrid *grid)
{
  gsize n = (gsize) grid->columns * grid->rows;
  GeglTile **tiles = g_new (GeglTile *, n);
  CapraPages *pages = capra_pages_new (n, (gsize) grid->width * grid->height * grid->pixel);

  for (gint row = 0; row < grid->rows; row++)
    for (gint column = 0; column < grid->columns; column++)
      tiles[row * grid->columns + column] = new_tile (grid, pages, column, row);
  capra_pages_end (pages);
  return tiles;
}

static void
convert_past_caches (const CapraTileGrid *grid, guchar *to, const guchar *from, gsize n)
{
  guchar converted[CONVERTED];
  gsize step = CONVERTED / grid->pixel;

  for (gsize i = 0; i < n; i += step)
    {
      gsize count = MIN (step, n - i);

      babl_process (grid->fish, from + i * grid->held, converted, (glong) count);
      capra_non_temporal_copy (to + i * grid->pixel, converted, count * grid->pixel);
    }
}

static void
move_pixels (const Way *way, guchar *to, const guchar *from, gsize n)
{
  const CapraTileGrid *grid = way->grid;

  if (grid->fish && way->streams)
    convert_past_caches (grid, to, from, n);
  else if (grid->fish)
    babl_process (grid->fish, from, to, (glong) n);
  else if (way->streams)
    capra_non_temporal_copy (to, from, n * grid->pixel);
  else
    memcpy (to, from, n * grid->pixel);
}

/* Neighbours in a row of tiles, so that whole stretches are read of what is at hand. */
static void
fill_run (const Way *way, gint index, gint n)
{
  const CapraTileGrid *grid = way->grid;
  GeglRectangle first = tile_rect (grid, index % grid->columns, index / grid->columns);
  gint top = MAX (first.y, way->rect.y);
  gint bottom = MIN (first.y + first.height, way->rect.y + way->rect.height);
  gint end = way->rect.x + way->rect.width;

  for (gint y = top; y < bottom; y++)
    for (gint i = 0; i < n; i++)
      {
        gint x = first.x + i * grid->width;
        gint left = MAX (x, way->rect.x), right = MIN (x + grid->width, end);
        guchar *to = gegl_tile_get_data (way->tiles[index + i]);

        move_pixels (way, to + ((gsize) (y - first.y) * grid->width + (left - x)) * grid->pixel,
                     way->from + ((gsize) (y - way->rect.y) * way->rect.width + (left - way->rect.x)) * grid->held,
                     (gsize) (right - left));
      }
}

static void
fill_tiles (gsize first, gsize n, gpointer data)
{
  const Way *way = data;
  gint at = (gint) first, end = (gint) (first + n), columns = way->grid->columns;

  while (at < end)
    {
      gint stop = MIN (end, (at / columns + 1) * columns);

      fill_run (way, way->first + at, stop - at);
      at = stop;
    }
  if (way->streams)
    capra_non_temporal_fence ();
}

static double
tile_bytes (const CapraTileGrid *grid)
{
  return (double) grid->width * grid->height * (double) grid->pixel;
}

/* GEGL leaves everything to this thread while its own are busy: a filter of its own may be reading. */
static void
share_tiles (gsize first, gsize n, gpointer data)
{
  const Way *way = data;

  if (n == way->n && (double) n * tile_bytes (way->grid) >= SHARED)
    capra_thread_pool_distribute_range (n, fill_tiles, data);
  else
    fill_tiles (first, n, data);
}

static void
scatter_rows (gpointer host, gsize first, gsize rows, gpointer data)
{
  Way *way = data;
  const CapraTileGrid *grid = way->grid;
  gint top = way->part.y + (gint) first, bottom = top + (gint) rows - 1;
  gint from = tile_index (top, grid->height) - grid->top, to = tile_index (bottom, grid->height) - grid->top;

  way->rect = (GeglRectangle){ way->part.x, top, way->part.width, (gint) rows };
  way->from = host;
  way->first = from * grid->columns;
  way->n = (gsize) (to - from + 1) * (gsize) grid->columns;
  if (way->beside)
    capra_thread_pool_distribute_range (way->n, fill_tiles, way);
  else
    gegl_parallel_distribute_range (way->n, COPY_COST / tile_bytes (grid), share_tiles, way);
}

gboolean
capra_scatter (const CapraTileGrid *grid, GeglTile *const *tiles, const CapraPixels *part, gboolean beside,
               GError **error)
{
  const GeglRectangle *extent = &grid->extent;
  Way way = { grid,
              tiles,
              { extent->x, extent->y + part->rect.y, part->rect.width, part->rect.height },
              .beside = beside,
              .streams = (gsize) extent->width * extent->height * grid->pixel >= STREAMED };
  gint over = way.part.y - tile_index (way.part.y, grid->height) * grid->height;
  CapraRowsUnit unit = { (gsize) ((grid->height - over) % grid->height), (gsize) grid->height };

  return capra_array_read_rows (part->array, &unit, scatter_rows, &way, error);
}

GeglTile **
capra_scatter_bands (const CapraTileGrid *grid, const GArray *parts, GError **error)
{
  GeglTile **tiles = capra_tile_grid_new_tiles (grid);

  for (guint i = 0; i < parts->len; i++)
    if (!capra_scatter (grid, tiles, &g_array_index (parts, CapraPixels, i), FALSE, error))
      {
        capra_tile_grid_free_tiles (grid, tiles);
        return NULL;
      }
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

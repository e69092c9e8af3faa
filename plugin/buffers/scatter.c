/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Scatter: downloads arrays and copies their pixels into GEGL tiles. */
#include "plugin/buffers/scatter.h"

#include <string.h>

#include "plugin/buffers/format.h"
#include "plugin/buffers/non-temporal-copy.h"
#include "plugin/thread-pool.h"
#include "runtime/memory/array-rows.h"

/* The minimum of bytes per thread: GEGL adds a thread for each such amount. */
#define BYTES_PER_THREAD (512.0 * 1024)
/* From this many bytes on, several threads copy even if GEGL would use one because its own threads are busy. */
#define MIN_POOL_BYTES (8 * BYTES_PER_THREAD)
/* The maximum of bytes that babl converts at once before they are written past the caches. Fits into the L1 cache. */
#define CONVERSION_BYTES 4096

/* Rows of a band that are copied into tiles. */
typedef struct {
  const CapraTileGrid *grid;
  GeglTile *const *tiles;
  GeglRectangle band; /* in the image */
  GeglRectangle rect; /* the rows available at this moment */
  const guchar *rows; /* their pixels */
  gint first;         /* the index of the first tile that they touch */
  gsize n;            /* the number of tiles that they touch */
  gboolean use_pool;
  gboolean non_temporal;
} Scatter;

static void
convert_non_temporal (const CapraTileGrid *grid, guchar *to, const guchar *from, gsize n)
{
  guchar converted[CONVERSION_BYTES];
  gsize step = CONVERSION_BYTES / grid->tile_pixel;

  for (gsize i = 0; i < n; i += step)
    {
      gsize count = MIN (step, n - i);

      babl_process (grid->fish, from + i * grid->array_pixel, converted, (glong) count);
      capra_non_temporal_copy (to + i * grid->tile_pixel, converted, count * grid->tile_pixel);
    }
}

static void
copy_pixels (const Scatter *scatter, guchar *to, const guchar *from, gsize n)
{
  const CapraTileGrid *grid = scatter->grid;

  if (grid->fish && scatter->non_temporal)
    convert_non_temporal (grid, to, from, n);
  else if (grid->fish)
    babl_process (grid->fish, from, to, (glong) n);
  else if (scatter->non_temporal)
    capra_non_temporal_copy (to, from, n * grid->tile_pixel);
  else
    memcpy (to, from, n * grid->tile_pixel);
}

/* Fills @n neighboring tiles of one row of tiles. All of them take their part of a row of pixels before the next row,
 * so that the source is read in order. */
static void
fill_neighbors (const Scatter *scatter, gint index, gint n)
{
  const CapraTileGrid *grid = scatter->grid;
  const GeglRectangle *rect = &scatter->rect;
  GeglRectangle first = capra_tile_grid_get_tile_rect (grid, index);
  gint top = MAX (first.y, rect->y);
  gint bottom = MIN (first.y + first.height, rect->y + rect->height);
  gint end = rect->x + rect->width;

  for (gint y = top; y < bottom; y++)
    for (gint i = 0; i < n; i++)
      {
        gint x = first.x + i * grid->width;
        gint left = MAX (x, rect->x), right = MIN (x + grid->width, end);
        guchar *to = gegl_tile_get_data (scatter->tiles[index + i]);

        if (left < right)
          copy_pixels (scatter, to + ((gsize) (y - first.y) * grid->width + (left - x)) * grid->tile_pixel,
                       scatter->rows + ((gsize) (y - rect->y) * rect->width + (left - rect->x)) * grid->array_pixel,
                       (gsize) (right - left));
      }
}

static void
fill_tiles (gsize first, gsize n, gpointer data)
{
  const Scatter *scatter = data;
  gint at = (gint) first, end = (gint) (first + n), columns = scatter->grid->columns;

  while (at < end)
    {
      gint stop = MIN (end, (at / columns + 1) * columns);

      fill_neighbors (scatter, scatter->first + at, stop - at);
      at = stop;
    }
  if (scatter->non_temporal)
    capra_non_temporal_fence ();
}

/* GEGL calls this for all tiles at once, in one thread, while its own threads are busy, for example because the reader
 * is one of GEGL's filters. Then the pool's threads help. */
static void
fill_tiles_shared (gsize first, gsize n, gpointer data)
{
  const Scatter *scatter = data;

  if (n == scatter->n && (double) n * (double) capra_tile_grid_get_tile_bytes (scatter->grid) >= MIN_POOL_BYTES)
    capra_thread_pool_distribute_range (n, fill_tiles, data);
  else
    fill_tiles (first, n, data);
}

static void
scatter_rows (gpointer host, gsize first, gsize rows, gpointer data)
{
  Scatter *scatter = data;
  const CapraTileGrid *grid = scatter->grid;
  gint top = scatter->band.y + (gint) first, bottom = top + (gint) rows - 1;
  gint from = capra_tile_index (top, grid->height) - grid->top;
  gint to = capra_tile_index (bottom, grid->height) - grid->top;

  scatter->rect = (GeglRectangle){ scatter->band.x, top, scatter->band.width, (gint) rows };
  scatter->rows = host;
  scatter->first = from * grid->columns;
  scatter->n = (gsize) (to - from + 1) * (gsize) grid->columns;
  if (scatter->use_pool)
    capra_thread_pool_distribute_range (scatter->n, fill_tiles, scatter);
  else
    gegl_parallel_distribute_range (scatter->n, BYTES_PER_THREAD / (double) capra_tile_grid_get_tile_bytes (grid),
                                    fill_tiles_shared, scatter);
}

/* Converts @band on its device to the format of the tiles. Returns NULL if that is not possible, or would make the
 * download larger; the host then converts the pixels. */
static CapraArray *
convert_band (const CapraTileGrid *grid, const CapraPixels *band)
{
  g_autoptr (CapraArray) array = capra_array_ref (band->array);
  CapraConversion conversion;
  CapraShape shape;

  if (grid->tile_pixel > grid->array_pixel || !capra_format_get_shape (grid->tile_format, 1, 1, &shape)
      || !capra_format_get_tile_conversion (grid->array_format, grid->tile_format, &conversion))
    return NULL;
  return capra_convert_to_type (array, conversion.from, conversion.to, conversion.luminance, shape.type, NULL);
}

gboolean
capra_scatter (const CapraTileGrid *grid, GeglTile *const *tiles, const CapraPixels *band, gboolean use_pool,
               GError **error)
{
  g_autoptr (CapraArray) converted = grid->fish ? convert_band (grid, band) : NULL;
  CapraTileGrid plain = converted ? capra_tile_grid_without_conversion (grid) : *grid;
  const GeglRectangle *extent = &grid->extent;
  gsize bytes = (gsize) extent->width * (gsize) extent->height * grid->tile_pixel;
  Scatter scatter = { &plain,
                      tiles,
                      { extent->x + band->rect.x, extent->y + band->rect.y, band->rect.width, band->rect.height },
                      .use_pool = use_pool,
                      .non_temporal = bytes >= CAPRA_MIN_NON_TEMPORAL_BYTES };
  gint offset = scatter.band.y - capra_tile_index (scatter.band.y, grid->height) * grid->height;
  CapraRowsUnit unit = { (gsize) ((grid->height - offset) % grid->height), (gsize) grid->height };

  return capra_array_read_rows (converted ? converted : band->array, &unit, scatter_rows, &scatter, error);
}

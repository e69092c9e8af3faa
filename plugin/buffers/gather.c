/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Gather: copies pixels of a GeglBuffer into an array on a device, with all of GEGL's threads. */
#include "plugin/buffers/gather.h"

#include <glib/gi18n-lib.h>

#include "plugin/buffers/format.h"
#include "plugin/buffers/non-temporal-copy.h"
#include "runtime/base/error.h"
#include "runtime/memory/array-rows.h"

/* The minimum of pixels per thread. */
#define PIXELS_PER_THREAD (128.0 * 128.0)

typedef struct {
  GeglBuffer *buffer;
  const GeglRectangle *rect;
  const Babl *format;
  gsize pixel;
  gint top;       /* the first row of the staging memory */
  guchar *target; /* the staging memory */
  GeglParallelDistributeAreaFunc gather_area;
} Gather;

/* Where a pixel of the image is in the staging memory. */
static guchar *
get_target (const Gather *gather, gint x, gint y)
{
  gsize skipped = (gsize) (y - gather->top) * (gsize) gather->rect->width + (gsize) (x - gather->rect->x);

  return gather->target + skipped * gather->pixel;
}

static void
gather_area (const GeglRectangle *area, gpointer data)
{
  const Gather *gather = data;

  gegl_buffer_get (gather->buffer, area, 1.0, gather->format, get_target (gather, area->x, area->y),
                   (gint) ((gsize) gather->rect->width * gather->pixel), GEGL_ABYSS_NONE);
}

/* The same past the caches. An iterator shows the memory of the tiles themselves. */
static void
gather_area_non_temporal (const GeglRectangle *area, gpointer data)
{
  const Gather *gather = data;
  GeglBufferIterator *iterator = gegl_buffer_iterator_new (gather->buffer, area, 0, gather->format, GEGL_ACCESS_READ,
                                                           GEGL_ABYSS_NONE, 1);

  while (gegl_buffer_iterator_next (iterator))
    {
      const GeglRectangle *part = &iterator->items[0].roi;
      const guchar *row = iterator->items[0].data;
      gsize bytes = (gsize) part->width * gather->pixel;

      for (gint y = part->y; y < part->y + part->height; y++, row += bytes)
        capra_non_temporal_copy (get_target (gather, part->x, y), row, bytes);
    }
  capra_non_temporal_fence ();
}

static void
gather_rows (gpointer host, gsize first, gsize rows, gpointer data)
{
  Gather *gather = data;
  GeglRectangle part = { gather->rect->x, gather->rect->y + (gint) first, gather->rect->width, (gint) rows };

  gather->top = part.y;
  gather->target = host;
  gegl_parallel_distribute_area (&part, PIXELS_PER_THREAD, GEGL_SPLIT_STRATEGY_AUTO, gather->gather_area, gather);
}

/* The grouping of rows by the buffer's tiles. */
static CapraRowsUnit
rows_of_tiles (GeglBuffer *buffer, const GeglRectangle *rect)
{
  gint shift = 0, height = 1, offset = 0;

  g_object_get (buffer, "shift-y", &shift, "tile-height", &height, NULL);
  offset = (rect->y + shift) % height;
  return (CapraRowsUnit){ (gsize) ((height - offset) % height), (gsize) height };
}

CapraArray *
capra_gather (GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format, CapraDevice *device, GError **error)
{
  Gather gather = { buffer, rect, format, (gsize) babl_format_get_bytes_per_pixel (format),
                    .gather_area = gather_area };
  const CapraRowsUnit tiles = rows_of_tiles (buffer, rect);
  g_autoptr (CapraArray) array = NULL;
  CapraShape shape;

  if (!capra_format_get_shape (format, rect->width, rect->height, &shape))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("cannot process pixels in the format \"%s\": convert the image to another format first"),
                   babl_get_name (format));
      return NULL;
    }
  array = capra_array_new_for_upload (device, &shape, error);
  if (!array)
    return NULL;
  if (format == gegl_buffer_get_format (buffer) && capra_shape_bytes (&shape) >= CAPRA_MIN_NON_TEMPORAL_BYTES)
    gather.gather_area = gather_area_non_temporal;
  if (!capra_array_write_rows (array, &tiles, gather_rows, &gather, error))
    return NULL;
  return g_steal_pointer (&array);
}

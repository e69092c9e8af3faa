/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathering: pixels of a GeglBuffer into an array on a device, by all of GEGL's threads. */
#include "plugin/gather.h"

#include "plugin/format.h"
#include "runtime/error.h"

/* How many pixels a thread should have to fetch before another one helps. */
#define GATHER_COST (128.0 * 128.0)

typedef struct {
  GeglBuffer *buffer;
  const GeglRectangle *rect;
  const Babl *format;
  gsize stride;
  guchar *target;
} Gather;

static void
gather_area (const GeglRectangle *area, gpointer data)
{
  const Gather *gather = data;
  gsize pixel = babl_format_get_bytes_per_pixel (gather->format);
  gsize skip = (gsize) (area->y - gather->rect->y) * gather->stride
               + (gsize) (area->x - gather->rect->x) * pixel;

  gegl_buffer_get (gather->buffer, area, 1.0, gather->format, gather->target + skip,
                   (gint) gather->stride, GEGL_ABYSS_NONE);
}

CapraArray *
capra_gather (GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format,
              CapraDevice *device, GError **error)
{
  Gather gather = { buffer, rect, format };
  g_autoptr(CapraArray) array = NULL;
  CapraShape shape;

  if (!capra_format_get_shape (format, rect->width, rect->height, &shape))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "pixels in the format \"%s\" cannot be worked on; convert them first",
                   babl_get_name (format));
      return NULL;
    }
  array = capra_array_new_unset (device, &shape, error);
  if (!array)
    return NULL;
  gather.stride = (gsize) rect->width * babl_format_get_bytes_per_pixel (format);
  gather.target = capra_array_map_write (array, error);
  if (!gather.target)
    return NULL;
  gegl_parallel_distribute_area (rect, GATHER_COST, GEGL_SPLIT_STRATEGY_HORIZONTAL, gather_area,
                                 &gather);
  if (!capra_array_unmap (array, error))
    return NULL;
  return g_steal_pointer (&array);
}

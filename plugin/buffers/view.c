/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* View: the arrays behind a rectangle of a buffer. */
#include "plugin/buffers/view.h"

#include "plugin/buffers/format.h"
#include "plugin/buffers/resident.h"
#include "runtime/memory/array-copy.h"

/* Where a buffer, which may be a sub-buffer or a shifted one (gegl:crop, gegl:translate), shows its map. */
typedef struct {
  gint shift_x, shift_y; /* from the buffer's coordinates to the map's */
  GeglRectangle shown;   /* in the buffer's coordinates */
} Position;

void
capra_view_clear (CapraView *view)
{
  g_clear_pointer (&view->bands, g_array_unref);
}

void
capra_view_set_array (CapraView *view, CapraArray *array)
{
  CapraPixels pixels = { array, { 0, 0, view->area.width, view->area.height } };

  view->bands = capra_bands_new ();
  capra_bands_add (view->bands, &pixels);
}

static Position
get_position (GeglBuffer *buffer)
{
  Position position;

  g_object_get (buffer, "shift-x", &position.shift_x, "shift-y", &position.shift_y, "abyss-x", &position.shown.x,
                "abyss-y", &position.shown.y, "abyss-width", &position.shown.width, "abyss-height",
                &position.shown.height, NULL);
  return position;
}

static GeglRectangle
move_rect (const GeglRectangle *rect, gint x, gint y)
{
  return (GeglRectangle){ rect->x + x, rect->y + y, rect->width, rect->height };
}

/* The part of the map that the buffer shows of @rect. */
static gboolean
get_wanted (const Position *position, const CapraTileMap *map, const GeglRectangle *rect, GeglRectangle *wanted)
{
  GeglRectangle shown;

  if (!gegl_rectangle_intersect (&shown, rect, &position->shown))
    return FALSE;
  shown = move_rect (&shown, position->shift_x, position->shift_y);
  return gegl_rectangle_intersect (wanted, &shown, &map->grid.extent);
}

/* Whether arrays of the map can be read in the format of @buffer. gegl_buffer_set_format() reinterprets the pixels of a
 * buffer as any format of the same size. Where the tiles have another format than the arrays, GEGL has converted the
 * pixels for a reader that is not an operation of this module. */
static gboolean
has_format (const CapraTileMap *map, GeglBuffer *buffer)
{
  CapraShape held, shown;

  return !map->grid.fish && capra_format_get_shape (map->grid.array_format, 1, 1, &held)
         && capra_format_get_shape (gegl_buffer_get_format (buffer), 1, 1, &shown) && held.type == shown.type
         && held.channels == shown.channels;
}

gboolean
capra_view_is_possible (GeglBuffer *buffer, const GeglRectangle *rect)
{
  const CapraTileMap *map = capra_resident_get_map (buffer);
  Position position = get_position (buffer);
  g_autoptr (GPtrArray) parts = NULL;
  GeglRectangle wanted;

  if (!map || !has_format (map, buffer) || !get_wanted (&position, map, rect, &wanted)
      || capra_tile_map_get_missing (map, &wanted, NULL) > 0)
    return FALSE;
  parts = capra_tile_map_list_parts (map, &wanted);
  for (guint i = 0; i < parts->len; i++)
    if (!capra_device_tiles_get_bands (parts->pdata[i]))
      return FALSE;
  return TRUE;
}

/* Copies what @part holds of @wanted into @target, whose first pixel is that of @wanted. */
static gboolean
copy_part (CapraArray *target, const GeglRectangle *wanted, CapraDeviceTiles *part, GError **error)
{
  const GeglRectangle *extent = &capra_device_tiles_get_grid (part)->extent;
  const GArray *bands = capra_device_tiles_get_bands (part);

  for (guint i = 0; i < bands->len; i++)
    {
      const CapraPixels *band = &g_array_index (bands, CapraPixels, i);
      GeglRectangle rect = { extent->x + band->rect.x, extent->y + band->rect.y, band->rect.width, band->rect.height };
      g_autoptr (CapraArray) source = capra_array_ref (band->array);
      GeglRectangle common;

      if (gegl_rectangle_intersect (&common, &rect, wanted)
          && !capra_array_copy_rect (target, (gsize) (common.x - wanted->x), (gsize) (common.y - wanted->y), source,
                                     (gsize) (common.x - rect.x), (gsize) (common.y - rect.y), (gsize) common.width,
                                     (gsize) common.height, error))
        return FALSE;
    }
  return TRUE;
}

/* An array of the pixels of @wanted; the newest part that has a pixel determines it. */
static CapraArray *
assemble (const CapraTileMap *map, const GPtrArray *parts, const GeglRectangle *wanted, CapraDevice *device,
          GError **error)
{
  g_autoptr (CapraArray) array = NULL;
  CapraShape shape;

  capra_format_get_shape (map->grid.array_format, (gsize) wanted->width, (gsize) wanted->height, &shape);
  array = capra_array_new_for_upload (device, &shape, error);
  for (guint i = 0; array && i < parts->len; i++)
    if (!copy_part (array, wanted, parts->pdata[i], error))
      return NULL;
  return g_steal_pointer (&array);
}

gboolean
capra_view_init (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect, CapraDevice *device, GError **error)
{
  const CapraTileMap *map = capra_resident_get_map (buffer);
  Position position = get_position (buffer);
  g_autoptr (GPtrArray) parts = NULL;
  CapraArray *array = NULL;

  *view = (CapraView){ .format = gegl_buffer_get_format (buffer) };
  get_wanted (&position, map, rect, &view->area);
  parts = capra_tile_map_list_parts (map, &view->area);
  if (parts->len == 1)
    {
      view->area = capra_device_tiles_get_grid (parts->pdata[0])->extent;
      view->bands = g_array_ref ((GArray *) capra_device_tiles_get_bands (parts->pdata[0]));
    }
  else
    {
      array = assemble (map, parts, &view->area, device, error);
      if (!array)
        return FALSE;
      capra_view_set_array (view, array);
    }
  view->area = move_rect (&view->area, -position.shift_x, -position.shift_y);
  gegl_rectangle_intersect (&view->visible, &view->area, &position.shown);
  return TRUE;
}

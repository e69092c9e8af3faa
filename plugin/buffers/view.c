/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* View: the arrays behind a rectangle of a buffer. */
#include "plugin/buffers/view.h"

#include "plugin/buffers/format.h"
#include "plugin/buffers/resident.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/array-residency.h"

/* Where a buffer, which may be a sub-buffer or a shifted one (gegl:crop, gegl:translate), shows its map. */
typedef struct {
  gint shift_x, shift_y; /* from the buffer's coordinates to the map's */
  GeglRectangle shown;   /* in the buffer's coordinates */
} Position;

/* A part of a map, and its arrays. */
typedef struct {
  GeglRectangle extent; /* in the view's area */
  GArray *bands;
} Part;

static void
part_free (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->bands, g_array_unref);
  g_free (part);
}

static void
array_unref (gpointer array)
{
  capra_array_unref (array);
}

void
capra_view_clear (CapraView *view)
{
  g_clear_pointer (&view->bands, g_array_unref);
  g_clear_pointer (&view->parts, g_ptr_array_unref);
  g_clear_pointer (&view->used, g_ptr_array_unref);
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

/* Prevents the eviction of @bands, whose contents would be lost. Returns FALSE if some are. */
static gboolean
use_bands (CapraView *view, const GArray *bands)
{
  for (guint i = 0; i < bands->len; i++)
    {
      CapraArray *array = capra_array_ref (g_array_index (bands, CapraPixels, i).array);

      g_ptr_array_add (view->used, array);
      if (capra_array_is_evicted (array))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_part (CapraView *view, CapraDeviceTiles *tiles)
{
  Part *part = g_new0 (Part, 1);

  g_ptr_array_add (view->parts, part);
  part->extent = capra_device_tiles_get_grid (tiles)->extent;
  part->bands = capra_device_tiles_get_bands (tiles);
  return part->bands && (!capra_device_tiles_is_on_host (tiles) || use_bands (view, part->bands));
}

/* Adds the parts of @map that hold @wanted. */
static gboolean
add_parts (CapraView *view, const CapraTileMap *map, const GeglRectangle *wanted)
{
  g_autoptr (GPtrArray) parts = capra_tile_map_list_parts (map, wanted);

  view->parts = g_ptr_array_new_with_free_func (part_free);
  view->used = g_ptr_array_new_with_free_func (array_unref);
  for (guint i = 0; i < parts->len; i++)
    if (!add_part (view, parts->pdata[i]))
      {
        capra_view_clear (view);
        return FALSE;
      }
  return TRUE;
}

gboolean
capra_view_init (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect)
{
  const CapraTileMap *map = capra_resident_get_map (buffer);
  Position position = get_position (buffer);

  *view = (CapraView){ .format = gegl_buffer_get_format (buffer) };
  if (!map || !has_format (map, buffer) || !get_wanted (&position, map, rect, &view->area)
      || capra_tile_map_get_missing (map, &view->area, NULL) > 0 || !add_parts (view, map, &view->area))
    return FALSE;
  if (view->parts->len == 1)
    {
      const Part *part = view->parts->pdata[0];

      view->area = part->extent;
      view->bands = g_array_ref (part->bands);
    }
  for (guint i = 0; i < view->parts->len; i++)
    {
      Part *part = view->parts->pdata[i];

      part->extent = move_rect (&part->extent, -view->area.x, -view->area.y);
    }
  view->area = move_rect (&view->area, -position.shift_x, -position.shift_y);
  gegl_rectangle_intersect (&view->visible, &view->area, &position.shown);
  return TRUE;
}

/* Copies @part into @target, which holds the view's area. */
static gboolean
copy_part (CapraArray *target, const Part *part, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (target);
  const GeglRectangle area = { 0, 0, (gint) shape->width, (gint) shape->height };

  for (guint i = 0; i < part->bands->len; i++)
    {
      const CapraPixels *band = &g_array_index (part->bands, CapraPixels, i);
      GeglRectangle rect = { part->extent.x + band->rect.x, part->extent.y + band->rect.y, band->rect.width,
                             band->rect.height };
      g_autoptr (CapraArray) source = capra_array_ref (band->array);
      GeglRectangle common;

      if (gegl_rectangle_intersect (&common, &rect, &area)
          && !capra_array_copy_rect (target, (gsize) common.x, (gsize) common.y, source, (gsize) (common.x - rect.x),
                                     (gsize) (common.y - rect.y), (gsize) common.width, (gsize) common.height, error))
        return FALSE;
    }
  return TRUE;
}

/* The newest part that has a pixel determines it. */
gboolean
capra_view_assemble (CapraView *view, CapraDevice *device, GError **error)
{
  const Part *first = NULL;
  g_autoptr (CapraArray) array = NULL;
  CapraShape shape;

  if (view->bands)
    return TRUE;
  first = view->parts->pdata[0];
  shape = *capra_array_get_shape (g_array_index (first->bands, CapraPixels, 0).array);
  shape.width = (gsize) view->area.width;
  shape.height = (gsize) view->area.height;
  array = capra_array_new_for_upload (device, &shape, error);
  for (guint i = 0; array && i < view->parts->len; i++)
    if (!copy_part (array, view->parts->pdata[i], error))
      return FALSE;
  if (array)
    capra_view_set_array (view, g_steal_pointer (&array));
  return view->bands != NULL;
}

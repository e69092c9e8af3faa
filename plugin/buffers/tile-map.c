/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile map: which device tiles hold each tile of an image whose parts were computed at different times. */
#include "plugin/buffers/tile-map.h"

#include <string.h>

/* The parts have at most this many times the pixels of the image. Strokes leave parts of which little is shown. */
#define MAX_OVERLAP 2

/* A range of tiles of the grid: columns @left … @right - 1 and rows @top … @bottom - 1, counted from its first ones. */
typedef struct {
  gint left, top, right, bottom;
} Range;

static void
part_unref (gpointer part)
{
  capra_device_tiles_unref (part);
}

static gsize
count_tiles (const CapraTileMap *map)
{
  return (gsize) map->grid.columns * (gsize) map->grid.rows;
}

static gint64
count_pixels (const GeglRectangle *rect)
{
  return (gint64) rect->width * rect->height;
}

CapraTileMap *
capra_tile_map_new (const CapraTileGrid *grid)
{
  CapraTileMap *map = g_new0 (CapraTileMap, 1);

  g_atomic_ref_count_init (&map->refs);
  map->grid = *grid;
  map->parts = g_ptr_array_new_with_free_func (part_unref);
  map->owners = g_new0 (CapraDeviceTiles *, count_tiles (map));
  map->limit = MAX_OVERLAP * count_pixels (&grid->extent);
  return map;
}

CapraTileMap *
capra_tile_map_copy (const CapraTileMap *map)
{
  CapraTileMap *copy = capra_tile_map_new (&map->grid);

  for (guint i = 0; i < map->parts->len; i++)
    g_ptr_array_add (copy->parts, capra_device_tiles_ref (map->parts->pdata[i]));
  memcpy (copy->owners, map->owners, count_tiles (map) * sizeof *map->owners);
  copy->state = map->state;
  copy->limit = map->limit;
  copy->changed = map->changed;
  g_set_object (&copy->labels, map->labels);
  return copy;
}

CapraTileMap *
capra_tile_map_ref (CapraTileMap *map)
{
  g_atomic_ref_count_inc (&map->refs);
  return map;
}

void
capra_tile_map_unref (CapraTileMap *map)
{
  if (!g_atomic_ref_count_dec (&map->refs))
    return;
  g_ptr_array_unref (map->parts);
  g_clear_object (&map->labels);
  g_free (map->owners);
  g_free (map);
}

/* The tiles that @rect touches. */
static Range
get_range (const CapraTileMap *map, const GeglRectangle *rect)
{
  const CapraTileGrid *grid = &map->grid;
  GeglRectangle inside;

  if (!gegl_rectangle_intersect (&inside, rect, &grid->extent))
    return (Range){ 0, 0, 0, 0 };
  return (Range){ capra_tile_index (inside.x, grid->width) - grid->left,
                  capra_tile_index (inside.y, grid->height) - grid->top,
                  capra_tile_index (inside.x + inside.width - 1, grid->width) - grid->left + 1,
                  capra_tile_index (inside.y + inside.height - 1, grid->height) - grid->top + 1 };
}

/* The part of the image in the tiles of @range. */
static GeglRectangle
get_rect (const CapraTileMap *map, const Range *range)
{
  const CapraTileGrid *grid = &map->grid;
  GeglRectangle rect = { (grid->left + range->left) * grid->width, (grid->top + range->top) * grid->height,
                         (range->right - range->left) * grid->width, (range->bottom - range->top) * grid->height };

  gegl_rectangle_intersect (&rect, &rect, &grid->extent);
  return rect;
}

static CapraDeviceTiles **
get_owner (const CapraTileMap *map, gint x, gint y)
{
  return &map->owners[y * map->grid.columns + x];
}

static void
set_owner (CapraTileMap *map, const GeglRectangle *rect, CapraDeviceTiles *owner)
{
  Range range = get_range (map, rect);

  for (gint y = range.top; y < range.bottom; y++)
    for (gint x = range.left; x < range.right; x++)
      *get_owner (map, x, y) = owner;
}

/* The number of tiles that are not missing. */
static gsize
count_held (const CapraTileMap *map)
{
  gsize n = count_tiles (map), held = 0;

  for (gsize i = 0; i < n; i++)
    held += map->owners[i] != NULL;
  return held;
}

static gint64
count_part_pixels (const CapraDeviceTiles *part)
{
  return count_pixels (&capra_device_tiles_get_grid ((CapraDeviceTiles *) part)->extent);
}

/* The number of tiles (as pointers) that each part holds. Neighboring tiles mostly have the same owner. */
static GHashTable *
count_owned (const CapraTileMap *map)
{
  GHashTable *owned = g_hash_table_new (NULL, NULL);
  gsize n = count_tiles (map);

  for (gsize i = 0, end = 0; i < n; i = end)
    {
      CapraDeviceTiles *owner = map->owners[i];
      gsize before = 0;

      for (end = i + 1; end < n && map->owners[end] == owner;)
        end++;
      if (!owner)
        continue;
      before = GPOINTER_TO_SIZE (g_hash_table_lookup (owned, owner));
      g_hash_table_insert (owned, owner, GSIZE_TO_POINTER (before + end - i));
    }
  return owned;
}

/* Removes the parts that hold no tile any more. */
static void
remove_unused_parts (CapraTileMap *map)
{
  g_autoptr (GHashTable) owned = count_owned (map);

  for (guint i = map->parts->len; i > 0; i--)
    if (!g_hash_table_contains (owned, map->parts->pdata[i - 1]))
      g_ptr_array_remove_index (map->parts, i - 1);
}

/* The part, the last one excepted, of which the smallest share is shown; the oldest one of several. */
static CapraDeviceTiles *
find_least_shown (const CapraTileMap *map)
{
  g_autoptr (GHashTable) owned = count_owned (map);
  CapraDeviceTiles *found = NULL;
  double least = G_MAXDOUBLE;

  for (guint i = 0; i + 1 < map->parts->len; i++)
    {
      CapraDeviceTiles *part = map->parts->pdata[i];
      double share = (double) GPOINTER_TO_SIZE (g_hash_table_lookup (owned, part)) / (double) count_part_pixels (part);

      if (share < least)
        {
          least = share;
          found = part;
        }
    }
  return found;
}

static gint64
count_all_parts (const CapraTileMap *map)
{
  gint64 total = 0;

  for (guint i = 0; i < map->parts->len; i++)
    total += count_part_pixels (map->parts->pdata[i]);
  return total;
}

void
capra_tile_map_remove_part (CapraTileMap *map, CapraDeviceTiles *part)
{
  gsize n = count_tiles (map);

  for (gsize i = 0; i < n; i++)
    if (map->owners[i] == part)
      map->owners[i] = NULL;
  g_ptr_array_remove (map->parts, part);
}

CapraTileMap *
capra_tile_map_limit (CapraTileMap *map)
{
  CapraTileMap *limited = NULL;

  if (count_all_parts (map) <= map->limit)
    return capra_tile_map_ref (map);
  limited = capra_tile_map_copy (map);
  while (limited->parts->len > 1 && count_all_parts (limited) > limited->limit)
    capra_tile_map_remove_part (limited, find_least_shown (limited));
  return limited;
}

void
capra_tile_map_add (CapraTileMap *map, CapraDeviceTiles *part)
{
  map->changed = FALSE;
  set_owner (map, &capra_device_tiles_get_grid (part)->extent, part);
  g_ptr_array_add (map->parts, part);
  remove_unused_parts (map);
}

void
capra_tile_map_remove (CapraTileMap *map, const GeglRectangle *rect)
{
  gsize before = count_held (map);

  map->changed = TRUE;
  set_owner (map, rect, NULL);
  if (count_held (map) < before / 2)
    set_owner (map, &map->grid.extent, NULL);
  remove_unused_parts (map);
}

GeglRectangle
capra_tile_map_align (const CapraTileMap *map, const GeglRectangle *rect)
{
  Range range = get_range (map, rect);

  return get_rect (map, &range);
}

gint64
capra_tile_map_get_missing (const CapraTileMap *map, const GeglRectangle *rect, GeglRectangle *hull)
{
  Range range = get_range (map, rect);
  Range found = { G_MAXINT, G_MAXINT, 0, 0 };
  gint64 pixels = 0;

  for (gint y = range.top; y < range.bottom; y++)
    for (gint x = range.left; x < range.right; x++)
      if (!*get_owner (map, x, y))
        {
          Range tile = { x, y, x + 1, y + 1 };
          GeglRectangle part = get_rect (map, &tile);

          found = (Range){ MIN (found.left, x), MIN (found.top, y), MAX (found.right, x + 1),
                           MAX (found.bottom, y + 1) };
          pixels += (gint64) part.width * part.height;
        }
  if (hull)
    *hull = pixels > 0 ? get_rect (map, &found) : (GeglRectangle){ 0, 0, 0, 0 };
  return pixels;
}

GPtrArray *
capra_tile_map_list_parts (const CapraTileMap *map, const GeglRectangle *rect)
{
  Range range = get_range (map, rect);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  GPtrArray *list = g_ptr_array_new ();

  for (gint y = range.top; y < range.bottom; y++)
    for (gint x = range.left; x < range.right; x++)
      if (*get_owner (map, x, y))
        g_hash_table_add (used, *get_owner (map, x, y));
  for (guint i = 0; i < map->parts->len; i++)
    if (g_hash_table_contains (used, map->parts->pdata[i]))
      g_ptr_array_add (list, map->parts->pdata[i]);
  return list;
}

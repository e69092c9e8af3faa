/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texture-tiles: the rendered parts of one image, as textures at several mipmap levels. */
#include "ui/panel/preview/texture-tiles.h"

#include <math.h>

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/widgets/pixels.h"

#define MAX_BYTES (384u << 20)
#define MAX_TILES 1500

typedef struct {
  GdkTexture *texture;
  GeglRectangle rect; /* in pixels of the level */
  int level;
  guint generation;
  CapraQuality quality;
} Tile;

struct _CapraTextureTiles {
  GMutex mutex;
  GPtrArray *list; /* of Tile, in drawing order */
  gsize bytes;
};

static void
tile_free (gpointer data)
{
  Tile *tile = data;

  g_object_unref (tile->texture);
  g_free (tile);
}

CapraTextureTiles *
capra_texture_tiles_new (void)
{
  CapraTextureTiles *tiles = g_new0 (CapraTextureTiles, 1);

  g_mutex_init (&tiles->mutex);
  tiles->list = g_ptr_array_new_with_free_func (tile_free);
  return tiles;
}

void
capra_texture_tiles_free (CapraTextureTiles *tiles)
{
  g_ptr_array_unref (tiles->list);
  g_mutex_clear (&tiles->mutex);
  g_free (tiles);
}

static gsize
tile_bytes (const Tile *tile)
{
  return (gsize) tile->rect.width * tile->rect.height * 4;
}

/* Returns: whether @a is drawn before @b */
static gboolean
is_below (const Tile *a, const Tile *b)
{
  if (a->generation != b->generation)
    return a->generation < b->generation;
  if (a->level != b->level)
    return a->level > b->level;
  return a->quality <= b->quality;
}

void
capra_texture_tiles_add (CapraTextureTiles *tiles, int level, const GeglRectangle *rect, guint generation,
                         CapraQuality quality, GBytes *pixels)
{
  Tile *tile = g_new0 (Tile, 1);
  guint at;

  tile->texture = capra_pixels_new (rect->width, rect->height, pixels);
  g_bytes_unref (pixels);
  tile->rect = *rect;
  tile->level = level;
  tile->generation = generation;
  tile->quality = quality;

  g_mutex_lock (&tiles->mutex);
  for (at = tiles->list->len; at > 0 && !is_below (tiles->list->pdata[at - 1], tile);)
    at--;
  g_ptr_array_insert (tiles->list, (int) at, tile);
  tiles->bytes += tile_bytes (tile);
  g_mutex_unlock (&tiles->mutex);
}

cairo_region_t *
capra_texture_tiles_get_missing (CapraTextureTiles *tiles, int level, const GeglRectangle *rect, guint generation,
                                 CapraQuality quality)
{
  cairo_rectangle_int_t wanted = { rect->x, rect->y, rect->width, rect->height };
  cairo_region_t *missing = cairo_region_create_rectangle (&wanted);

  g_mutex_lock (&tiles->mutex);
  for (guint i = 0; i < tiles->list->len; i++)
    {
      const Tile *tile = tiles->list->pdata[i];
      cairo_rectangle_int_t covered = { tile->rect.x, tile->rect.y, tile->rect.width, tile->rect.height };

      if (tile->level == level && tile->generation == generation && tile->quality >= quality)
        cairo_region_subtract_rectangle (missing, &covered);
    }
  g_mutex_unlock (&tiles->mutex);
  return missing;
}

static void
remove_at (CapraTextureTiles *tiles, guint at)
{
  tiles->bytes -= tile_bytes (tiles->list->pdata[at]);
  g_ptr_array_remove_index (tiles->list, at);
}

void
capra_texture_tiles_remove_older (CapraTextureTiles *tiles, guint generation)
{
  g_mutex_lock (&tiles->mutex);
  while (tiles->list->len > 0 && ((const Tile *) tiles->list->pdata[0])->generation < generation)
    remove_at (tiles, 0);
  g_mutex_unlock (&tiles->mutex);
}

/* The area of the image that the tile covers. */
static graphene_rect_t
get_area (const Tile *tile)
{
  double size = 1.0 / capra_pyramid_get_scale (tile->level);

  return GRAPHENE_RECT_INIT ((float) (tile->rect.x * size), (float) (tile->rect.y * size),
                             (float) (tile->rect.width * size), (float) (tile->rect.height * size));
}

void
capra_texture_tiles_limit (CapraTextureTiles *tiles, const GeglRectangle *visible)
{
  graphene_rect_t kept = GRAPHENE_RECT_INIT (visible->x, visible->y, visible->width, visible->height);

  g_mutex_lock (&tiles->mutex);
  for (guint i = 0; i < tiles->list->len && (tiles->bytes > MAX_BYTES || tiles->list->len > MAX_TILES);)
    {
      graphene_rect_t area = get_area (tiles->list->pdata[i]);

      if (graphene_rect_intersection (&area, &kept, NULL))
        i++;
      else
        remove_at (tiles, i);
    }
  g_mutex_unlock (&tiles->mutex);
}

/* With the mutex locked. Returns: (element-type Tile): the tiles in drawing order for a view of this level: of each
 * change its own level is last, as tiles of detailed levels lose pixels when they are reduced */
static GPtrArray *
order_tiles (const CapraTextureTiles *tiles, int level)
{
  GPtrArray *ordered = g_ptr_array_sized_new (tiles->list->len);
  Tile **all = (Tile **) tiles->list->pdata;

  for (guint start = 0, end; start < tiles->list->len; start = end)
    {
      for (end = start; end < tiles->list->len && all[end]->generation == all[start]->generation; end++)
        if (all[end]->level != level)
          g_ptr_array_add (ordered, all[end]);
      for (guint i = start; i < end; i++)
        if (all[i]->level == level)
          g_ptr_array_add (ordered, all[i]);
    }
  return ordered;
}

/* Returns: the first of @tiles to draw: the last one that covers whatever others show of @visible */
static guint
find_first (const GPtrArray *tiles, const graphene_rect_t *visible)
{
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  gboolean any = FALSE;
  guint first = 0;

  for (guint i = 0; i < tiles->len; i++)
    {
      graphene_rect_t area = get_area (tiles->pdata[i]), shown;

      if (!graphene_rect_intersection (&area, visible, &shown))
        continue;
      if (any)
        graphene_rect_union (&all, &shown, &all);
      else
        all = shown;
      any = TRUE;
      if (graphene_rect_contains_rect (&area, &all))
        first = i;
    }
  return first;
}

void
capra_texture_tiles_snapshot (CapraTextureTiles *tiles, GtkSnapshot *snapshot, GtkWidget *widget,
                              const graphene_rect_t *visible, int level, double scale, double x, double y)
{
  g_autoptr (GPtrArray) ordered = NULL;

  g_mutex_lock (&tiles->mutex);
  ordered = order_tiles (tiles, level);
  for (guint i = find_first (ordered, visible); i < ordered->len; i++)
    {
      const Tile *tile = ordered->pdata[i];
      graphene_rect_t area = get_area (tile);
      double left, top, right, bottom;

      if (!graphene_rect_intersection (&area, visible, NULL))
        continue;
      /* Rounded to whole pixels, so that adjacent tiles neither overlap nor leave a gap. */
      left = round (area.origin.x * scale + x);
      top = round (area.origin.y * scale + y);
      right = round ((area.origin.x + area.size.width) * scale + x);
      bottom = round ((area.origin.y + area.size.height) * scale + y);
      capra_pixels_draw (
        snapshot, widget, tile->texture,
        &GRAPHENE_RECT_INIT ((float) left, (float) top, (float) (right - left), (float) (bottom - top)));
    }
  g_mutex_unlock (&tiles->mutex);
}

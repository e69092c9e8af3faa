/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patches: the rendered parts of one image, as textures at several scales. */
#include "ui/panel/preview/texture-tiles.h"

#include <math.h>

#define MAX_BYTES (384u << 20)
#define MAX_PATCHES 1500

typedef struct {
  GdkTexture *texture;
  GeglRectangle rect; /* in pixels of the level */
  int level;
  guint generation;
  CapraQuality quality;
} Patch;

struct _CapraPatches {
  GMutex mutex;
  GPtrArray *list; /* of Patch, in the order of drawing */
  gsize bytes;
};

static void
patch_free (gpointer data)
{
  Patch *patch = data;

  g_object_unref (patch->texture);
  g_free (patch);
}

CapraPatches *
capra_patches_new (void)
{
  CapraPatches *patches = g_new0 (CapraPatches, 1);

  g_mutex_init (&patches->mutex);
  patches->list = g_ptr_array_new_with_free_func (patch_free);
  return patches;
}

void
capra_patches_free (CapraPatches *patches)
{
  g_ptr_array_unref (patches->list);
  g_mutex_clear (&patches->mutex);
  g_free (patches);
}

double
capra_level_get_scale (int level)
{
  return ldexp (1.0, -level);
}

static gsize
patch_bytes (const Patch *patch)
{
  return (gsize) patch->rect.width * patch->rect.height * 4;
}

/* Whether @a is to be drawn before @b. */
static gboolean
is_below (const Patch *a, const Patch *b)
{
  if (a->generation != b->generation)
    return a->generation < b->generation;
  if (a->level != b->level)
    return a->level > b->level;
  return a->quality <= b->quality;
}

void
capra_patches_add (CapraPatches *patches, int level, const GeglRectangle *rect, guint generation, CapraQuality quality,
                   GBytes *pixels)
{
  Patch *patch = g_new0 (Patch, 1);
  guint at;

  patch->texture = gdk_memory_texture_new (rect->width, rect->height, GDK_MEMORY_DEFAULT, pixels,
                                           (gsize) rect->width * 4);
  g_bytes_unref (pixels);
  patch->rect = *rect;
  patch->level = level;
  patch->generation = generation;
  patch->quality = quality;

  g_mutex_lock (&patches->mutex);
  for (at = patches->list->len; at > 0 && !is_below (patches->list->pdata[at - 1], patch);)
    at--;
  g_ptr_array_insert (patches->list, (int) at, patch);
  patches->bytes += patch_bytes (patch);
  g_mutex_unlock (&patches->mutex);
}

cairo_region_t *
capra_patches_get_missing (CapraPatches *patches, int level, const GeglRectangle *rect, guint generation,
                           CapraQuality quality)
{
  cairo_rectangle_int_t wanted = { rect->x, rect->y, rect->width, rect->height };
  cairo_region_t *missing = cairo_region_create_rectangle (&wanted);

  g_mutex_lock (&patches->mutex);
  for (guint i = 0; i < patches->list->len; i++)
    {
      const Patch *patch = patches->list->pdata[i];
      cairo_rectangle_int_t there = { patch->rect.x, patch->rect.y, patch->rect.width, patch->rect.height };

      if (patch->level == level && patch->generation == generation && patch->quality >= quality)
        cairo_region_subtract_rectangle (missing, &there);
    }
  g_mutex_unlock (&patches->mutex);
  return missing;
}

static void
remove_at (CapraPatches *patches, guint at)
{
  patches->bytes -= patch_bytes (patches->list->pdata[at]);
  g_ptr_array_remove_index (patches->list, at);
}

void
capra_patches_drop_older (CapraPatches *patches, guint generation)
{
  g_mutex_lock (&patches->mutex);
  while (patches->list->len > 0 && ((const Patch *) patches->list->pdata[0])->generation < generation)
    remove_at (patches, 0);
  g_mutex_unlock (&patches->mutex);
}

static graphene_rect_t
get_place (const Patch *patch)
{
  double size = 1.0 / capra_level_get_scale (patch->level);

  return GRAPHENE_RECT_INIT ((float) (patch->rect.x * size), (float) (patch->rect.y * size),
                             (float) (patch->rect.width * size), (float) (patch->rect.height * size));
}

void
capra_patches_limit (CapraPatches *patches, const GeglRectangle *keep)
{
  graphene_rect_t kept = GRAPHENE_RECT_INIT (keep->x, keep->y, keep->width, keep->height);

  g_mutex_lock (&patches->mutex);
  for (guint i = 0; i < patches->list->len && (patches->bytes > MAX_BYTES || patches->list->len > MAX_PATCHES);)
    {
      graphene_rect_t place = get_place (patches->list->pdata[i]);

      if (graphene_rect_intersection (&place, &kept, NULL))
        i++;
      else
        remove_at (patches, i);
    }
  g_mutex_unlock (&patches->mutex);
}

void
capra_patches_snapshot (CapraPatches *patches, GtkSnapshot *snapshot, const graphene_rect_t *visible, double scale,
                        double x, double y)
{
  g_mutex_lock (&patches->mutex);
  for (guint i = 0; i < patches->list->len; i++)
    {
      const Patch *patch = patches->list->pdata[i];
      graphene_rect_t place = get_place (patch);
      double left, top, right, bottom;

      if (!graphene_rect_intersection (&place, visible, NULL))
        continue;
      /* To whole pixels, so that neighbours neither overlap nor leave a seam. */
      left = round (place.origin.x * scale + x);
      top = round (place.origin.y * scale + y);
      right = round ((place.origin.x + place.size.width) * scale + x);
      bottom = round ((place.origin.y + place.size.height) * scale + y);
      gtk_snapshot_append_texture (
        snapshot, patch->texture,
        &GRAPHENE_RECT_INIT ((float) left, (float) top, (float) (right - left), (float) (bottom - top)));
    }
  g_mutex_unlock (&patches->mutex);
}

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Parts: an image in one array, or in several, one below the other, on whatever devices. */
#include "plugin/buffers/bands.h"

#include "algorithms/common/crop.h"

/* An evicted part of up to this many times the rows asked for is brought back whole. */
#define RESTORE_LIMIT 1.5

void
capra_pixels_clear (CapraPixels *pixels)
{
  g_clear_pointer (&pixels->array, capra_array_unref);
}

gboolean
capra_pixels_crop (CapraPixels *pixels, const CapraRect *rect, GError **error)
{
  CapraRect within = { rect->x - pixels->rect.x, rect->y - pixels->rect.y, rect->width, rect->height };
  CapraArray *cropped = capra_crop (pixels->array, &within, error);

  if (!cropped)
    return FALSE;
  capra_array_unref (pixels->array);
  *pixels = (CapraPixels){ cropped, *rect };
  return TRUE;
}

static void
part_clear (gpointer data)
{
  CapraPixels *part = data;

  if (part->array)
    capra_array_release_resident (part->array, FALSE);
}

GArray *
capra_bands_new (void)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (CapraPixels));

  g_array_set_clear_func (parts, part_clear);
  return parts;
}

void
capra_bands_add (GArray *parts, CapraPixels *pixels)
{
  capra_array_make_resident (pixels->array, FALSE);
  g_array_append_val (parts, *pixels);
  pixels->array = NULL;
}

void
capra_bands_move (GArray *parts, GArray *more)
{
  g_array_append_vals (parts, more->data, more->len);
  for (guint i = 0; i < more->len; i++)
    g_array_index (more, CapraPixels, i).array = NULL;
  g_array_set_size (more, 0);
}

static const CapraPixels *
get_part (const GArray *parts, guint i)
{
  return &g_array_index (parts, CapraPixels, i);
}

CapraRect
capra_bands_get_rect (const GArray *parts)
{
  CapraRect rect = get_part (parts, 0)->rect;

  for (guint i = 1; i < parts->len; i++)
    rect.height += get_part (parts, i)->rect.height;
  return rect;
}

/* Whether @part holds all the rows where they are wanted, and it pays to take them from there. */
static gboolean
serves (const CapraPixels *part, gint y, gint height, CapraDevice *device)
{
  return part->rect.y <= y && part->rect.y + part->rect.height >= y + height
         && capra_array_get_device (part->array) == device
         && (part->rect.height <= RESTORE_LIMIT * height || !capra_array_is_evicted (part->array));
}

/* Copies the rows that @part has of @target. */
static gboolean
copy_rows (CapraPixels *target, const CapraPixels *part, GError **error)
{
  gint begin = MAX (target->rect.y, part->rect.y);
  gint end = MIN (target->rect.y + target->rect.height, part->rect.y + part->rect.height);
  g_autoptr (CapraArray) source = NULL;

  if (begin >= end)
    return TRUE;
  source = capra_array_ref (part->array);
  return capra_array_copy_rows (target->array, begin - target->rect.y, source, begin - part->rect.y, end - begin,
                                error);
}

gboolean
capra_bands_get_rows (const GArray *parts, gint y, gint height, CapraDevice *device, CapraPixels *pixels,
                      GError **error)
{
  CapraRect rect = get_part (parts, 0)->rect;
  CapraShape shape = *capra_array_get_shape (get_part (parts, 0)->array);
  g_auto (CapraPixels) taken = { NULL, { rect.x, y, rect.width, height } };

  for (guint i = 0; i < parts->len; i++)
    if (serves (get_part (parts, i), y, height, device))
      {
        *pixels = *get_part (parts, i);
        capra_array_ref (pixels->array);
        return TRUE;
      }

  shape.height = height;
  taken.array = capra_array_new_for_upload (device, &shape, error);
  if (!taken.array)
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    if (!copy_rows (&taken, get_part (parts, i), error))
      return FALSE;
  *pixels = taken;
  taken.array = NULL;
  return TRUE;
}

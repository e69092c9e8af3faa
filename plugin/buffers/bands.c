/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Bands: an image in one array, or in several that hold one band of rows each, on any devices. */
#include "plugin/buffers/bands.h"

#include "algorithms/common/crop.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/array-residency.h"

/* An evicted band is restored whole if it has at most this many times the requested rows; otherwise only these rows are
 * copied from the host. */
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
band_clear (gpointer data)
{
  CapraPixels *band = data;

  if (band->array)
    capra_array_release_resident (band->array, FALSE);
}

GArray *
capra_bands_new (void)
{
  GArray *bands = g_array_new (FALSE, FALSE, sizeof (CapraPixels));

  g_array_set_clear_func (bands, band_clear);
  return bands;
}

static void
discardable_band_clear (gpointer data)
{
  CapraPixels *band = data;

  if (band->array)
    capra_array_release_resident (band->array, TRUE);
}

GArray *
capra_bands_new_discardable (const GArray *bands)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (CapraPixels));

  g_array_set_clear_func (copy, discardable_band_clear);
  g_array_append_vals (copy, bands->data, bands->len);
  for (guint i = 0; i < copy->len; i++)
    capra_array_make_resident (capra_array_ref (g_array_index (copy, CapraPixels, i).array), TRUE);
  return copy;
}

void
capra_bands_add (GArray *bands, CapraPixels *pixels)
{
  capra_array_make_resident (pixels->array, FALSE);
  g_array_append_val (bands, *pixels);
  pixels->array = NULL;
}

static int
compare_bands (gconstpointer a, gconstpointer b)
{
  const CapraPixels *one = a, *other = b;

  return (one->rect.y > other->rect.y) - (one->rect.y < other->rect.y);
}

void
capra_bands_sort (GArray *bands)
{
  g_array_sort (bands, compare_bands);
}

void
capra_bands_move (GArray *bands, GArray *source)
{
  g_array_append_vals (bands, source->data, source->len);
  for (guint i = 0; i < source->len; i++)
    g_array_index (source, CapraPixels, i).array = NULL;
  g_array_set_size (source, 0);
}

static const CapraPixels *
get_band (const GArray *bands, guint i)
{
  return &g_array_index (bands, CapraPixels, i);
}

CapraRect
capra_bands_get_rect (const GArray *bands)
{
  CapraRect rect = get_band (bands, 0)->rect;

  for (guint i = 1; i < bands->len; i++)
    rect.height += get_band (bands, i)->rect.height;
  return rect;
}

/* Whether @band holds all the rows on @device, and can be used without restoring many other rows. */
static gboolean
can_use (const CapraPixels *band, gint y, gint height, CapraDevice *device)
{
  return band->rect.y <= y && band->rect.y + band->rect.height >= y + height
         && capra_array_get_device (band->array) == device
         && (band->rect.height <= RESTORE_LIMIT * height || !capra_array_is_evicted (band->array));
}

/* Copies those rows of @target that @band holds. */
static gboolean
copy_rows (CapraPixels *target, const CapraPixels *band, GError **error)
{
  gint begin = MAX (target->rect.y, band->rect.y);
  gint end = MIN (target->rect.y + target->rect.height, band->rect.y + band->rect.height);
  g_autoptr (CapraArray) source = NULL;

  if (begin >= end)
    return TRUE;
  source = capra_array_ref (band->array);
  return capra_array_copy_rows (target->array, begin - target->rect.y, source, begin - band->rect.y, end - begin,
                                error);
}

gboolean
capra_bands_get_rows (const GArray *bands, gint y, gint height, CapraDevice *device, CapraPixels *pixels,
                      GError **error)
{
  CapraRect rect = get_band (bands, 0)->rect;
  CapraShape shape = *capra_array_get_shape (get_band (bands, 0)->array);
  g_auto (CapraPixels) copied = { NULL, { rect.x, y, rect.width, height } };

  for (guint i = 0; i < bands->len; i++)
    if (can_use (get_band (bands, i), y, height, device))
      {
        *pixels = *get_band (bands, i);
        capra_array_ref (pixels->array);
        return TRUE;
      }

  shape.height = height;
  copied.array = capra_array_new_for_upload (device, &shape, error);
  if (!copied.array)
    return FALSE;
  for (guint i = 0; i < bands->len; i++)
    if (!copy_rows (&copied, get_band (bands, i), error))
      return FALSE;
  *pixels = copied;
  copied.array = NULL;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host copy: the pixels of arrays on the host, cut into bands that serve as GEGL tiles. */
#include <string.h>

#include "plugin/host-copy.h"

/* About the size of a band, in bytes: small enough that a write in one place copies little. */
#define BAND_BYTES (256 * 1024)
/* Rows below which a band does not get for wide images, and above for narrow ones. */
#define BAND_MIN_ROWS 8
#define BAND_MAX_ROWS 512
/* What a thread should have to copy before another one helps, in bytes. */
#define COPY_COST (512.0 * 1024)

struct _CapraHostCopy {
  gatomicrefcount refs;
  CapraBands bands;
  CapraArray *array;  /* mapped, and so kept alive, as long as pixels points into it, else NULL */
  const guchar *pixels;
  guchar *memory;     /* our own: everything, or just the last band, which needs padding */
};

CapraBands
capra_bands_plan (gsize width, gsize height, gsize pixel)
{
  CapraBands bands = { width, height, pixel };
  gsize row = (width + width % 2) * pixel;
  gint rows = BAND_MIN_ROWS;

  while (rows < BAND_MAX_ROWS && 2 * rows * row <= BAND_BYTES && (gsize) rows < height)
    rows *= 2;
  bands.tile_width = width + width % 2;
  bands.tile_height = rows;
  bands.bands = (height + rows - 1) / rows;
  return bands;
}

static gsize
band_bytes (const CapraBands *bands)
{
  return (gsize) bands->tile_width * bands->tile_height * bands->pixel;
}

/* Rows of a part on their way. */
typedef struct {
  const guchar *from;
  guchar *to;
  gsize row, stride;
} Rows;

static void
copy_rows (gsize first, gsize n, gpointer data)
{
  const Rows *rows = data;

  for (gsize y = first; y < first + n; y++)
    {
      memcpy (rows->to + y * rows->stride, rows->from + y * rows->row, rows->row);
      memset (rows->to + y * rows->stride + rows->row, 0, rows->stride - rows->row);
    }
}

static gboolean
copy_part (CapraHostCopy *copy, const CapraPixels *part, GError **error)
{
  Rows rows = { NULL, NULL, copy->bands.width * copy->bands.pixel,
                copy->bands.tile_width * copy->bands.pixel };

  rows.from = capra_array_map_read (part->array, error);
  if (!rows.from)
    return FALSE;
  rows.to = copy->memory + part->rect.y * rows.stride;
  gegl_parallel_distribute_range (part->rect.height, COPY_COST / rows.stride, copy_rows, &rows);
  return capra_array_unmap (part->array, error);
}

/* Odd widths, so that rows get an even one, and several parts: everything is copied. */
static gboolean
copy_all (CapraHostCopy *copy, const GArray *parts, GError **error)
{
  gsize row = copy->bands.tile_width * copy->bands.pixel;
  gsize rows = (gsize) copy->bands.bands * copy->bands.tile_height;

  copy->memory = gegl_malloc (rows * row);
  for (guint i = 0; i < parts->len; i++)
    if (!copy_part (copy, &g_array_index (parts, CapraPixels, i), error))
      return FALSE;
  memset (copy->memory + copy->bands.height * row, 0, (rows - copy->bands.height) * row);
  copy->pixels = copy->memory;
  return TRUE;
}

/* Else the mapping itself is served. Only a last band that is not full is padded. */
static gboolean
map_all (CapraHostCopy *copy, CapraArray *array, GError **error)
{
  gsize band = band_bytes (&copy->bands);
  gsize total = copy->bands.width * copy->bands.height * copy->bands.pixel;
  gsize rest = total % band;

  copy->pixels = capra_array_map_read (array, error);
  if (!copy->pixels)
    return FALSE;
  copy->array = array;
  if (rest == 0)
    return TRUE;
  copy->memory = gegl_malloc (band);
  memcpy (copy->memory, copy->pixels + total - rest, rest);
  memset (copy->memory + rest, 0, band - rest);
  return TRUE;
}

CapraHostCopy *
capra_host_copy_new (const GArray *parts, const CapraBands *bands, GError **error)
{
  CapraHostCopy *copy = g_new0 (CapraHostCopy, 1);
  CapraArray *first = g_array_index (parts, CapraPixels, 0).array;

  g_atomic_ref_count_init (&copy->refs);
  copy->bands = *bands;
  if (bands->width % 2 == 0 && parts->len == 1 ? map_all (copy, first, error)
                                               : copy_all (copy, parts, error))
    return copy;
  capra_host_copy_unref (copy);
  return NULL;
}

CapraHostCopy *
capra_host_copy_ref (CapraHostCopy *copy)
{
  g_atomic_ref_count_inc (&copy->refs);
  return copy;
}

void
capra_host_copy_unref (CapraHostCopy *copy)
{
  if (!g_atomic_ref_count_dec (&copy->refs))
    return;
  if (copy->array)
    capra_array_unmap (copy->array, NULL);
  if (copy->memory)
    gegl_free (copy->memory);
  g_free (copy);
}

gboolean
capra_host_copy_is_shared (CapraHostCopy *copy)
{
  return !g_atomic_ref_count_compare (&copy->refs, 1);
}

GeglTile *
capra_host_copy_get_tile (CapraHostCopy *copy, gint index)
{
  gsize bytes = band_bytes (&copy->bands);
  gboolean padded = copy->array && copy->memory && index == copy->bands.bands - 1;
  const guchar *data = padded ? copy->memory : copy->pixels + index * bytes;
  GeglTile *tile = gegl_tile_new_bare ();

  gegl_tile_set_data_full (tile, (gpointer) data, bytes,
                           (GDestroyNotify) capra_host_copy_unref, capra_host_copy_ref (copy));
  gegl_tile_mark_as_stored (tile);
  return tile;
}

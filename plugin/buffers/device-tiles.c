/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device tiles: GEGL tiles whose pixels are in arrays on devices until the host reads one of them. */
#include "plugin/buffers/device-tiles.h"

#include "plugin/buffers/scatter.h"
#include "runtime/memory/array-residency.h"
#include "runtime/trace/timeline-scope.h"

struct _CapraDeviceTiles {
  gatomicrefcount refs;
  CapraTileGrid grid;
  GWeakRef operation; /* whose result it is */
  CapraLossFunc lost;
  CapraTimelineScope *scope; /* in which the bands were computed; NULL for none */
  gboolean for_host;         /* the bands are freed once they are downloaded */
  GMutex lock;               /* guards the rest */
  GArray *bands;             /* (nullable): discardable, or freed, once they are downloaded */
  GeglTile **tiles;          /* (nullable): a list of tiles, once they are downloaded */
  gboolean failed;           /* the bands could not be downloaded */
};

static CapraDeviceTiles *
new_device_tiles (const CapraTileGrid *grid)
{
  CapraDeviceTiles *self = g_new0 (CapraDeviceTiles, 1);

  g_atomic_ref_count_init (&self->refs);
  g_weak_ref_init (&self->operation, NULL);
  g_mutex_init (&self->lock);
  self->grid = *grid;
  return self;
}

CapraDeviceTiles *
capra_device_tiles_new (GArray *bands, const Babl *array_format, const Babl *tile_format, GeglOperation *operation,
                        CapraLossFunc lost)
{
  CapraRect rect = capra_bands_get_rect (bands);
  GeglRectangle extent = { rect.x, rect.y, rect.width, rect.height };
  CapraTileGrid grid = capra_tile_grid_new (&extent, array_format, tile_format);
  CapraDeviceTiles *self = new_device_tiles (&grid);

  for (guint i = 0; i < bands->len; i++)
    {
      CapraPixels *band = &g_array_index (bands, CapraPixels, i);

      band->rect.x -= rect.x;
      band->rect.y -= rect.y;
    }
  self->bands = bands;
  self->lost = lost;
  g_weak_ref_set (&self->operation, operation);
  if (capra_timeline_scope_get_current ())
    self->scope = capra_timeline_scope_ref (capra_timeline_scope_get_current ());
  return self;
}

CapraDeviceTiles *
capra_device_tiles_new_from_tiles (const CapraTileGrid *grid, GeglTile **tiles)
{
  CapraDeviceTiles *self = new_device_tiles (grid);

  self->tiles = tiles;
  return self;
}

void
capra_device_tiles_set_for_host (CapraDeviceTiles *self)
{
  self->for_host = TRUE;
}

CapraDeviceTiles *
capra_device_tiles_ref (CapraDeviceTiles *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
capra_device_tiles_unref (CapraDeviceTiles *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  capra_tile_grid_free_tiles (&self->grid, self->tiles);
  g_clear_pointer (&self->bands, g_array_unref);
  g_clear_pointer (&self->scope, capra_timeline_scope_unref);
  g_weak_ref_clear (&self->operation);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const CapraTileGrid *
capra_device_tiles_get_grid (CapraDeviceTiles *self)
{
  return &self->grid;
}

GArray *
capra_device_tiles_get_bands (CapraDeviceTiles *self)
{
  GArray *bands = NULL;

  g_mutex_lock (&self->lock);
  if (self->bands)
    bands = g_array_ref (self->bands);
  g_mutex_unlock (&self->lock);
  return bands;
}

gboolean
capra_device_tiles_is_on_host (CapraDeviceTiles *self)
{
  gboolean on_host = FALSE;

  g_mutex_lock (&self->lock);
  on_host = self->tiles != NULL;
  g_mutex_unlock (&self->lock);
  return on_host;
}

/* Whether an array is in memory of @device, and nobody uses one of them. */
static gboolean
bands_occupy (const GArray *bands, CapraDevice *device)
{
  gboolean found = FALSE;

  for (guint i = 0; i < bands->len; i++)
    {
      CapraArray *array = g_array_index (bands, CapraPixels, i).array;

      if (capra_array_is_shared (array, 1))
        return FALSE;
      found |= capra_array_get_device (array) == device && !capra_array_is_evicted (array);
    }
  return found;
}

gboolean
capra_device_tiles_occupies (CapraDeviceTiles *self, CapraDevice *device)
{
  gboolean found = FALSE;

  if (!g_atomic_ref_count_compare (&self->refs, 1) || !g_mutex_trylock (&self->lock))
    return FALSE;
  found = self->bands && bands_occupy (self->bands, device);
  g_mutex_unlock (&self->lock);
  return found;
}

GArray *
capra_device_tiles_take_bands (CapraDeviceTiles *self)
{
  GArray *bands = NULL;

  if (!g_mutex_trylock (&self->lock))
    return NULL;
  if (self->tiles)
    bands = g_steal_pointer (&self->bands);
  g_mutex_unlock (&self->lock);
  return bands;
}

gboolean
capra_device_tiles_has_failed (CapraDeviceTiles *self)
{
  gboolean failed = FALSE;

  g_mutex_lock (&self->lock);
  failed = self->failed;
  g_mutex_unlock (&self->lock);
  return failed;
}

static void
report_loss (CapraDeviceTiles *self, CapraDevice *device, const GError *error)
{
  g_autoptr (GeglOperation) operation = g_weak_ref_get (&self->operation);

  self->lost (operation, device, error);
}

/* From now on the device may free the bands without copying them to the host, or it frees them now. */
static void
discard_bands (CapraDeviceTiles *self)
{
  GArray *bands = self->for_host ? NULL : capra_bands_new_discardable (self->bands);

  g_array_unref (self->bands);
  self->bands = bands;
}

/* Tries a second time after a failure: the pixels are still on the device. If a kernel has failed, the download fails
 * again, as it waits for that kernel. */
static gboolean
download_band (CapraDeviceTiles *self, const CapraPixels *band, GError **error)
{
  return capra_scatter (&self->grid, self->tiles, band, FALSE, NULL)
         || capra_scatter (&self->grid, self->tiles, band, FALSE, error);
}

/* Downloads the bands into tiles, unless that was tried before. GEGL's own threads, which read tiles, too, are in no
 * scope. */
static void
download (CapraDeviceTiles *self)
{
  CapraTimelineScope *own = capra_timeline_scope_get_current ();

  if (self->tiles || self->failed)
    return;
  capra_timeline_scope_enter (own ? own : self->scope);
  self->tiles = capra_tile_grid_new_tiles (&self->grid);
  for (guint i = 0; i < self->bands->len && !self->failed; i++)
    {
      const CapraPixels *band = &g_array_index (self->bands, CapraPixels, i);
      g_autoptr (GError) error = NULL;

      if (download_band (self, band, &error))
        continue;
      self->failed = TRUE;
      capra_tile_grid_free_tiles (&self->grid, g_steal_pointer (&self->tiles));
      report_loss (self, capra_array_get_device (band->array), error);
    }
  if (!self->failed)
    discard_bands (self);
  capra_timeline_scope_enter (own);
}

GeglTile *
capra_device_tiles_get_tile (CapraDeviceTiles *self, gint x, gint y)
{
  gint index = capra_tile_grid_index (&self->grid, x, y);
  GeglTile *tile = NULL;

  g_return_val_if_fail (index >= 0, NULL);

  g_mutex_lock (&self->lock);
  download (self);
  if (self->tiles)
    {
      tile = gegl_tile_dup (self->tiles[index]);
      gegl_tile_mark_as_stored (tile);
    }
  g_mutex_unlock (&self->lock);
  return tile;
}

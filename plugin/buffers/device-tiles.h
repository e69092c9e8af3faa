/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device tiles: GEGL tiles whose pixels are in arrays on devices until the host reads one of them. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

/**
 * CapraDeviceTiles:
 *
 * A computed rectangle of an image, in bands of rows on devices, in tiles on the host, or in both. Several buffers may
 * show it. The pixels never change; all functions may be called from any thread.
 */
typedef struct _CapraDeviceTiles CapraDeviceTiles;

/**
 * CapraLossFunc:
 * @operation: (nullable): the operation whose result it was; %NULL if it no longer exists
 * @device: the device whose array could not be downloaded
 *
 * Called when a download fails. The tiles are empty from then on.
 */
typedef void (*CapraLossFunc) (GeglOperation *operation, CapraDevice *device, const GError *error);

/* The tiles of @bands (taken), the result of @operation, whose arrays hold @array_format. The rectangles of the bands
 * are those in the image. */
CapraDeviceTiles *capra_device_tiles_new (GArray *bands, const Babl *array_format, const Babl *tile_format,
                                          GeglOperation *operation, CapraLossFunc lost);

/* The list @tiles (taken) itself, without arrays: a result that was computed in bands. */
CapraDeviceTiles *capra_device_tiles_new_from_tiles (const CapraTileGrid *grid, GeglTile **tiles);

/* From now on the arrays are freed once they are downloaded. Called before other threads have the tiles, where only the
 * host reads them and its memory holds the arrays, too: one copy of the image suffices then. */
void capra_device_tiles_set_for_host (CapraDeviceTiles *self);

CapraDeviceTiles *capra_device_tiles_ref (CapraDeviceTiles *self);
void capra_device_tiles_unref (CapraDeviceTiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraDeviceTiles, capra_device_tiles_unref)

const CapraTileGrid *capra_device_tiles_get_grid (CapraDeviceTiles *self);

/* The arrays: (transfer full) (nullable): NULL if the pixels are in tiles alone. Their rectangles are relative to the
 * grid's extent. The contents of evicted arrays are lost if the tiles were downloaded. */
GArray *capra_device_tiles_get_bands (CapraDeviceTiles *self);

/* Whether the bands are downloaded. */
gboolean capra_device_tiles_is_on_host (CapraDeviceTiles *self);

/* Whether memory of @device is freed if the caller, who has a reference, releases it. Does not wait. */
gboolean capra_device_tiles_occupies (CapraDeviceTiles *self, CapraDevice *device);

/* Takes the arrays (transfer full) if the bands are downloaded, so that the pixels are in tiles alone; else NULL. Does
 * not wait. */
GArray *capra_device_tiles_take_bands (CapraDeviceTiles *self);

/* Whether the pixels were lost. */
gboolean capra_device_tiles_has_failed (CapraDeviceTiles *self);

/* A new clone, which copies on write, of tile (@x, @y) of the image, which must be in the grid. Downloads all bands if
 * that was not done before. Returns NULL if the pixels were lost. */
GeglTile *capra_device_tiles_get_tile (CapraDeviceTiles *self, gint x, gint y);

G_END_DECLS

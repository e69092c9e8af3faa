/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Out of memory: computes rows of a result on one device, in bands if the device's memory does not suffice.
 *
 * All rows are computed at once if they fit into the device's budget. If they do not, or an allocation fails:
 * 1. bands that are being downloaded are waited for, as they occupy memory;
 * 2. other arrays and unused memory on the device are freed (capra_memory_free_unused());
 * 3. the rows are computed in bands, whose height is halved until they fit, then their width: an operation may read
 *    many rows around few. Each band is downloaded into tiles on the host while the next one is computed. An
 *    operation that needs the whole image computes its bands itself (whole-bands.h); it begins with one band for each
 *    device if there are several.
 * If even the smallest band does not fit, the job fails with CAPRA_ERROR_MEMORY, and dispatch tries the next device. */
#pragma once

#include "plugin/compute/download-queue.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/**
 * CapraHostTiles:
 * @grid: valid if @tiles is set
 * @tiles: (nullable): all tiles of the image, created for the first band that is downloaded
 *
 * The tiles into which the results of all devices are downloaded.
 */
typedef struct {
  GMutex lock;
  const Babl *array_format, *tile_format;
  GeglRectangle extent;
  CapraTileGrid grid;
  GeglTile **tiles;
} CapraHostTiles;

void capra_host_tiles_init (CapraHostTiles *host, const GeglRectangle *extent, const Babl *array_format,
                            const Babl *tile_format);
void capra_host_tiles_clear (CapraHostTiles *host);

/**
 * CapraShare:
 * @job: what to compute: its region is the share, its device computes. Its output is set if the operation gives a
 *   buffer instead of pixels
 * @func: computes the job or a band of it
 * @host: the tiles of the whole image
 * @bands: the result, if it was computed at once; otherwise empty
 * @downloads: (nullable): downloads the result, if it is computed in bands
 * @lock: for devices that store bands of a whole result at the same time
 *
 * The rows of a result that one device computes.
 */
typedef struct {
  CapraJob job;
  CapraJobFunc func;
  CapraHostTiles *host;
  GArray *bands;
  CapraDownloadQueue *downloads;
  GMutex lock;
} CapraShare;

void capra_share_init (CapraShare *share, const CapraJob *job, CapraJobFunc func, CapraHostTiles *host);
void capra_share_clear (CapraShare *share);

/* Computes all rows on the job's device, and waits for downloads. May be called again with another device after a
 * failure. */
gboolean capra_share_compute (CapraShare *share, GError **error);

G_END_DECLS

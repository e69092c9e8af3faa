/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Download queue: downloads the bands of a result into tiles while the next band is computed. */
#pragma once

#include "plugin/buffers/scatter.h"

G_BEGIN_DECLS

typedef struct _CapraDownloadQueue CapraDownloadQueue;

/* A queue for bands of the image of @grid. @tiles are all tiles of @grid, and must exist as long as the queue; several
 * queues may write different rows of them. */
CapraDownloadQueue *capra_download_queue_new (const CapraTileGrid *grid, GeglTile *const *tiles);

/* Waits until the queue is empty. */
void capra_download_queue_free (CapraDownloadQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraDownloadQueue, capra_download_queue_free)

/* Downloads @band (taken) in another thread, and frees its memory on the device. */
void capra_download_queue_push (CapraDownloadQueue *queue, CapraPixels *band);

/* Waits until the queue is empty. Returns whether there was anything to wait for. */
gboolean capra_download_queue_wait (CapraDownloadQueue *queue);

/* Waits until the queue is empty. Returns whether all bands since the last call were downloaded; @error is set to the
 * first failure. */
gboolean capra_download_queue_finish (CapraDownloadQueue *queue, GError **error);

G_END_DECLS

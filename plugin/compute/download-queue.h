/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Landing: results of parts on their way to the host, while the next part is computed. */
#pragma once

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

typedef struct _CapraDownloadQueue CapraDownloadQueue;

/* Into @tiles, all of @grid, which outlive it; others may land in other rows of them. NULL with @error set if there is
 * no thread to be had. */
CapraDownloadQueue *capra_download_queue_new (const CapraTileGrid *grid, GeglTile *const *tiles, GError **error);
void capra_download_queue_free (CapraDownloadQueue *landing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraDownloadQueue, capra_download_queue_free)

/* Has the thread of @landing pull @pixels (taken), some rows of the image, into tiles; their memory on the device is
 * free then. */
void capra_download_queue_push (CapraDownloadQueue *landing, CapraPixels *pixels);

/* Waits until all that was added has landed. Returns whether there was anything to wait for. */
gboolean capra_download_queue_wait (CapraDownloadQueue *landing);

/* After a wait: whether everything did, since the last time that this was asked. */
gboolean capra_download_queue_check (CapraDownloadQueue *landing, GError **error);

G_END_DECLS

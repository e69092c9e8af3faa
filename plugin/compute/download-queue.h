/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Landing: results of parts on their way to the host, while the next part is computed. */
#pragma once

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

typedef struct _CapraLanding CapraLanding;

/* Into @tiles, all of @grid, which outlive it; others may land in other rows of them. NULL with @error set if there is
 * no thread to be had. */
CapraLanding *capra_landing_new (const CapraGrid *grid, GeglTile *const *tiles, GError **error);
void capra_landing_free (CapraLanding *landing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraLanding, capra_landing_free)

/* Has the thread of @landing pull @pixels (taken), some rows of the image, into tiles; their memory on the device is
 * free then. */
void capra_landing_add (CapraLanding *landing, CapraPixels *pixels);

/* Waits until all that was added has landed. Returns whether there was anything to wait for. */
gboolean capra_landing_wait (CapraLanding *landing);

/* After a wait: whether everything did, since the last time that this was asked. */
gboolean capra_landing_check (CapraLanding *landing, GError **error);

G_END_DECLS

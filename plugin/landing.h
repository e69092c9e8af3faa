/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Landing: results of parts on their way to the host, while the next part is computed. */
#pragma once

#include "plugin/parts.h"
#include "plugin/tiles.h"

G_BEGIN_DECLS

typedef struct _CapraLanding CapraLanding;

/* For the image @grid; NULL with @error set if there is no thread to be had. */
CapraLanding *capra_landing_new (const CapraGrid *grid, GError **error);
void capra_landing_free (CapraLanding *landing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraLanding, capra_landing_free)

/* Has the thread of @landing pull @pixels (taken), some rows of the image, into tiles; their memory on the device is
 * free then. */
void capra_landing_add (CapraLanding *landing, CapraPixels *pixels);

/* Waits until all that was added has landed. Returns whether there was anything to wait for. */
gboolean capra_landing_wait (CapraLanding *landing);

/* After a wait: whether everything did, since the last time that this was asked. */
gboolean capra_landing_check (CapraLanding *landing, GError **error);

/* After a wait: the image's tiles, row by row as @grid has them, for the caller to free. */
GeglTile **capra_landing_take_tiles (CapraLanding *landing, CapraGrid *grid);

G_END_DECLS

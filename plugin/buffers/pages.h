/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pages: memory for many tiles at a time, of the system's large pages. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

G_BEGIN_DECLS

typedef struct _CapraPages CapraPages;

/* Memory for @n tiles of @bytes each, with undefined contents; NULL if that is not worth it, or GEGL is one that
 * cannot clone such tiles. */
CapraPages *capra_pages_new (gsize n, gsize bytes);

/* The next tile; @n of them at most. Its memory is free again together with that of its neighbours in a
 * large page. */
GeglTile *capra_pages_take_tile (CapraPages *pages);

/* To be called when all tiles are taken; @pages may be NULL. */
void capra_pages_end (CapraPages *pages);

G_END_DECLS

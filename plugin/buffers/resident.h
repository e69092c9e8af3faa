/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels are in arrays on devices.
 *
 * The next operation uses the arrays. When the host reads a tile, the part of the image to which it belongs is
 * downloaded once, and its tiles are served from the host from then on. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

#include "plugin/buffers/tile-map.h"

G_BEGIN_DECLS

/* Exported by the library, but declared in none of its headers. Meson checks that it exists. */
GeglTileBackend *gegl_buffer_backend (GeglBuffer *buffer);

#define CAPRA_TYPE_RESIDENT (capra_resident_get_type ())
GType capra_resident_get_type (void);
#define CAPRA_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CAPRA_TYPE_RESIDENT, CapraResident))
#define CAPRA_IS_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CAPRA_TYPE_RESIDENT))
typedef struct _CapraResident CapraResident;
void capra_resident_register (GTypeModule *module);

/* A buffer that shows @map (taken). It is marked as forked, so that no operation writes into it in place. */
GeglBuffer *capra_resident_new_buffer (CapraTileMap *map);

/* The map that @buffer shows: (transfer none) (nullable): %NULL if @buffer is not resident, or its tiles were written
 * to. The buffer may be a sub-buffer or a shifted one, or interpret the pixels as another format. */
const CapraTileMap *capra_resident_get_map (GeglBuffer *buffer);

/* The map with which capra_resident_new_buffer() made @buffer, or a buffer on the same tiles; %NULL if @buffer is not
 * resident. Takes no lock. */
CapraTileMap *capra_resident_peek_map (GeglBuffer *buffer);

/* Whether the resident @buffer, or one of its tiles, was written to. Does not find tiles that were written whole
 * through a sub-buffer and are still in GEGL's cache: finding these takes longer than rendering a small chunk. */
gboolean capra_resident_is_written (GeglBuffer *buffer);

G_END_DECLS

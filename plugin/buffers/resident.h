/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels lie in arrays on devices.
 *
 * The next operation takes the arrays; if the host reads a tile, they are pulled once and tiles are
 * served from that. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

/* Exported by the library but in none of its headers; meson checks that it is there. */
GeglTileBackend *gegl_buffer_backend (GeglBuffer *buffer);

#define CAPRA_TYPE_RESIDENT (capra_resident_get_type ())
GType capra_resident_get_type (void);
#define CAPRA_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CAPRA_TYPE_RESIDENT, CapraResident))
#define CAPRA_IS_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CAPRA_TYPE_RESIDENT))
typedef struct _CapraResident CapraResident;
void capra_resident_register (GTypeModule *module);

/* A buffer in the format @shown over @parts (taken), the result of @operation, in @held. The buffer is marked as
 * forked: nobody may write into it in place. Should its pixels be lost with a device, @operation says so. */
GeglBuffer *capra_resident_new_buffer (GArray *parts, const Babl *held, const Babl *shown, GeglOperation *operation);

/* A buffer over @tiles (taken) of an image whose pixels lie in no array any more, because memory was short. */
GeglBuffer *capra_resident_new_from_tiles (const CapraTileGrid *grid, GeglTile **tiles, const Babl *shown);

/**
 * CapraView:
 * @resident: (nullable): keeps the arrays from being written to by anyone; a reference
 * @parts: the arrays; a reference. Their rectangles begin at 0, 0
 * @area: where their pixels lie in the buffer's coordinates
 * @visible: the part of @area that the buffer shows; it is zero elsewhere
 * @format: what the buffer takes its values for
 */
typedef struct {
  CapraResident *resident;
  GArray *parts;
  GeglRectangle area, visible;
  const Babl *format;
} CapraView;

/* How @buffer shows arrays; %FALSE if it does not, or was written to since. Works through
 * sub-buffers and shifted ones (gegl:crop, gegl:translate). */
gboolean capra_view_init (CapraView *view, GeglBuffer *buffer);
void capra_view_clear (CapraView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraView, capra_view_clear)

G_END_DECLS

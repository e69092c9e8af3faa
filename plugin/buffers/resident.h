/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resident buffers: a GeglBuffer whose pixels are in arrays on devices.
 *
 * The next operation uses the arrays. When the host reads a tile, all arrays are downloaded once, and tiles are served
 * from the host from then on. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

/* Exported by the library, but declared in none of its headers. Meson checks that it exists. */
GeglTileBackend *gegl_buffer_backend (GeglBuffer *buffer);

#define CAPRA_TYPE_RESIDENT (capra_resident_get_type ())
GType capra_resident_get_type (void);
#define CAPRA_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), CAPRA_TYPE_RESIDENT, CapraResident))
#define CAPRA_IS_RESIDENT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), CAPRA_TYPE_RESIDENT))
typedef struct _CapraResident CapraResident;
void capra_resident_register (GTypeModule *module);

/**
 * CapraLossFunc:
 * @operation: (nullable): the operation whose result it was; %NULL if it no longer exists
 * @device: the device whose array could not be downloaded
 *
 * Called when a download fails. The buffer is empty from then on.
 */
typedef void (*CapraLossFunc) (GeglOperation *operation, CapraDevice *device, const GError *error);

/* A buffer in @tile_format over @bands (taken), the result of @operation, whose arrays hold @array_format. The buffer
 * is marked as forked, so that no operation writes into it in place. */
GeglBuffer *capra_resident_new_buffer (GArray *bands, const Babl *array_format, const Babl *tile_format,
                                       GeglOperation *operation, CapraLossFunc lost);

/* A buffer over @tiles (taken), without arrays: the result of an operation that was computed in bands. */
GeglBuffer *capra_resident_new_from_tiles (const CapraTileGrid *grid, GeglTile **tiles, const Babl *tile_format);

/**
 * CapraView:
 * @resident: (nullable): a reference, while which nobody writes into the arrays
 * @bands: the arrays; a reference. Their rectangles begin at (0, 0)
 * @area: the rectangle of their pixels in the buffer's coordinates
 * @visible: the part of @area that the buffer shows; its other pixels are zero
 * @format: the format of the values, according to the buffer
 *
 * The arrays behind a buffer. The buffer may be a sub-buffer or a shifted one (gegl:crop, gegl:translate).
 */
typedef struct {
  CapraResident *resident;
  GArray *bands;
  GeglRectangle area, visible;
  const Babl *format;
} CapraView;

/* Sets @view to the arrays behind @buffer. Returns %FALSE if @buffer is not resident, or its tiles were written to. */
gboolean capra_view_init (CapraView *view, GeglBuffer *buffer);
void capra_view_clear (CapraView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraView, capra_view_clear)

G_END_DECLS

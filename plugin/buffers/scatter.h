/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Scatter: downloads arrays and copies their pixels into GEGL tiles. */
#pragma once

#include "plugin/buffers/bands.h"
#include "plugin/buffers/tile-grid.h"

G_BEGIN_DECLS

/* Downloads @band, which counts from the left and the top of the grid's extent, into @tiles. Several threads may
 * scatter bands that do not overlap. With @use_pool the plug-in's threads copy instead of GEGL's threads, which then
 * stay free for gathering the next band. */
gboolean capra_scatter (const CapraTileGrid *grid, GeglTile *const *tiles, const CapraPixels *band, gboolean use_pool,
                        GError **error);

G_END_DECLS

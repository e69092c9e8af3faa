/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile map: which device tiles hold each tile of an image whose parts were computed at different times. */
#pragma once

#include "plugin/buffers/device-tiles.h"

G_BEGIN_DECLS

/**
 * CapraTileMap:
 * @grid: the tiles of the image
 * @parts: (element-type CapraDeviceTiles): the computed parts, the oldest first
 * @state: the state of the operation, as it gave it
 * @limit: the maximum number of pixels of all parts, which may overlap
 * @changed: whether the input has changed, and parts were removed therefore, since the last part was added
 * @alone: the pixels of the input that were read since then for results that were not stored; atomic
 * @labels: (nullable): the numbers of the regions whose colors the image shows
 * @owners: the part that holds each tile, in the order of the grid; not a reference; NULL where none does
 *
 * Shared maps are not modified, but for @alone; a modified copy replaces them.
 */
typedef struct {
  gatomicrefcount refs;
  CapraTileGrid grid;
  GPtrArray *parts;
  guint state;
  gint64 limit;
  gboolean changed;
  gint alone;
  GeglBuffer *labels;
  CapraDeviceTiles **owners;
} CapraTileMap;

/* A map without parts. */
CapraTileMap *capra_tile_map_new (const CapraTileGrid *grid);
CapraTileMap *capra_tile_map_copy (const CapraTileMap *map);
CapraTileMap *capra_tile_map_ref (CapraTileMap *map);
void capra_tile_map_unref (CapraTileMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraTileMap, capra_tile_map_unref)

/* Adds @part (taken), which has the formats of the map. It replaces other parts in its tiles. */
void capra_tile_map_add (CapraTileMap *map, CapraDeviceTiles *part);

/* The map itself, if its parts are within its limit. Otherwise a copy without parts of which little is shown, as
 * strokes leave them, or without the oldest ones; their tiles are missing then. (transfer full) */
CapraTileMap *capra_tile_map_limit (CapraTileMap *map);

/* Removes @part, so that its tiles are missing. */
void capra_tile_map_remove_part (CapraTileMap *map, CapraDeviceTiles *part);

/* Removes the tiles that @rect touches, where the input has changed. If less than half of the tiles remain, removes
 * those, too: their parts would occupy the memory that the new ones need. */
void capra_tile_map_remove (CapraTileMap *map, const GeglRectangle *rect);

/* The part of the image that consists of all tiles that @rect touches. */
GeglRectangle capra_tile_map_align (const CapraTileMap *map, const GeglRectangle *rect);

/* The number of pixels in the tiles that @rect touches and that no part holds. Sets @hull (out, nullable) to the
 * smallest rectangle that contains these tiles. */
gint64 capra_tile_map_get_missing (const CapraTileMap *map, const GeglRectangle *rect, GeglRectangle *hull);

/* The parts (element-type CapraDeviceTiles, not references) that hold the tiles of @rect, the oldest first. */
GPtrArray *capra_tile_map_list_parts (const CapraTileMap *map, const GeglRectangle *rect);

G_END_DECLS

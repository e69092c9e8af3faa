/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile pages: memory for many tiles at once, in the system's large pages.
 *
 * GEGL allocates each tile in small pages, which the system has to clear, because GEGL returns freed memory to it. That
 * takes several times as long as copying an image into the tiles. Large pages are cleared faster, and freed ones are
 * kept for the next image.
 *
 * Measured on Debian 12 (GEGL 0.4.42, PoCL, 2 cores, other programs running), medians of 7 alternating runs with and
 * without these pages:
 *   bench-operations 4096 "RGBA float" 5 threshold   122 ms with, 342 ms without
 *   bench-operations 2048 "RGBA float" 11 box-15      56 ms with,  98 ms without
 *   bench-transfers 4096: scatter                     25 ms with, 288 ms without
 *   bench-transfers 4096: upload and download        130 ms with, 389 ms without
 *   gegl in.ppm -o out.ppm -- capra:box-blur (4096 x 4096): no difference, as nothing is used again */
#pragma once

#include <gegl-plugin.h>

#include <gegl-buffer-backend.h> /* needs the types above */

G_BEGIN_DECLS

typedef struct _CapraTilePages CapraTilePages;

/* A page holds tiles of one kind only. A host that renders in chunks copies the tiles at the edges of a chunk, and
 * drops them with the chunk, but shares the others for as long as the whole image: a page of both kinds would be kept
 * for the tiles that are shared, with the memory of the tiles that were dropped. */
typedef enum {
  CAPRA_TILE_INNER, /* within the image */
  CAPRA_TILE_EDGE,  /* partly outside of the image */
  CAPRA_N_TILE_KINDS,
} CapraTileKind;

/* Memory for @n tiles of each kind, of @bytes each, with undefined contents. %NULL if there are too few tiles for large
 * pages to pay off. */
CapraTilePages *capra_tile_pages_new (const gsize n[CAPRA_N_TILE_KINDS], gsize bytes);

/* Makes memory for such tiles ready: the system clears pages when they are used for the first time. For a thread beside
 * the one that will call capra_tile_pages_new(), which ends this function. */
void capra_tile_pages_prepare (const gsize n[CAPRA_N_TILE_KINDS], gsize bytes);

/* The next of at most @n tiles of @kind. A page is freed after all tiles within it. */
GeglTile *capra_tile_pages_take_tile (CapraTilePages *pages, CapraTileKind kind);

/* Frees @pages (nullable), but not the tiles that were taken. */
void capra_tile_pages_free (CapraTilePages *pages);

G_END_DECLS

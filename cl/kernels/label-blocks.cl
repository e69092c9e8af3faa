/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connected components by blocks, for devices with many work-items.
 *
 * Here the lines of label.clh are columns: a word of the mask holds 64 pixels below one another,
 * bits[tile row * width + x] (label_pack_columns), so that neighbouring work-items read and write
 * neighbouring pixels. A strip is SPAN columns. A tile is TILE columns by 64 rows, one work-group
 * of TILE work-items; each strip is served by SPAN work-items, each for its part of the words.
 *
 * A node is named by the flat index y * width + x of its first pixel in raster order, and
 * parent[name] is where its parent stands. Smaller names win, so that a component's root is named
 * by the component's first pixel: roots in rising order are the labels in order.
 *
 * Macros: SPAN, TILE (even), FILTER if regions may be left out. */
#include "label.clh"

/* The part of a strip's nodes that a work-item serves: those that begin in these rows. */
#if SPAN == 2
#define STRIP(lx) ((lx) / 2)
#define PART(lx) ((lx) % 2 ? ~0ul << 32 : ~0ul >> 32)
#else
#define STRIP(lx) (lx)
#define PART(lx) (~0ul)
#endif

/* How many nodes a tile has at most, and where one is kept that begins at a row and in a strip of
 * the tile: nodes of one strip are at least two rows apart. */
#define SLOTS (32 * TILE / SPAN)
#define SLOT(row, strip) (((row) >> 1) * (TILE / SPAN) + (strip))

/* The column of a node's first pixel within its strip. */
inline uint
first_column (ulong left, uint row)
{
  return SPAN == 2 && !(left >> row & 1);
}

/* Where the last node begins that does so at or before a row. */
inline uint
node_start (ulong starts, uint row)
{
  return highest (starts & up_to (row));
}

/* The rows of the node that begins at a row of a strip. */
inline ulong
node_rows (ulong strip, uint row)
{
  return strip & ~(strip + (1ul << row));
}

#include "label-blocks-tile.clh"
#include "label-blocks-merge.clh"
#include "label-blocks-write.clh"

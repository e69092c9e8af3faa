/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region tables: sums over labelled regions.
 *
 * The table has a row of ROW 32-bit words for each label, all 0 at first:
 *   0 pixels, 1 whether a value is NaN, 2 ~min x, 3 max x, 4 ~min y, 5 max y, 6 ~(key of the
 *   smallest value), 7 key of the largest one, 8 sum of x, 10 sum of y (64 bits each, low word
 *   first), and with VALUES 12 sum of q, 16 sum of q², 20 sum of xq, 24 sum of yq (128 bits each).
 *   q is a value as an integer, see size_of(). A row before all others holds the image's largest label.
 * Only whole numbers are added and compared, so that no order of work changes a bit.
 *
 * Two passes, measure_shapes and measure_sums (which needs the first one's extremes), each in two
 * variants: for few strong work-items, which take stripes of rows (measure-stripes.clh), and for
 * many, which take tiles (TILES, measure-tiles.clh) that measure_pieces has looked through before.
 *
 * Macros: VALUES if there are values; IN (their type), REAL if that is float, else BIAS (what makes
 * the smallest value 0 in wrapping 32-bit arithmetic); TILES; GROUP (TILES), the work-items that take
 * a tile, 64 or more; ALIGNED (TILES) if rows begin at whole vectors of four; CACHE (else);
 * CARRY to do without 64-bit atomics where there are some. */
#ifdef VALUES
#define ROW 28
#else
#define ROW 12
#define IN uint
#define BIAS 0
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_ (a, b)
#define IN2 JOIN (IN, 2)
#define IN4 JOIN (IN, 4)
#define IN8 JOIN (IN, 8)

#include "wide.clh"

/* The row of a label in the table, which holds those from `first` on. */
inline volatile global uint *
table_row (volatile global uint *table, uint label, uint first)
{
  return table + (size_t) (label - first + 1) * ROW;
}

#include "measure-shapes.clh"
#ifdef VALUES
#include "measure-sums.clh"
#endif
#ifdef TILES
#include "measure-tiles.clh"
#include "measure-tiles-pieces.clh"
#include "measure-tiles-shapes.clh"
#ifdef VALUES
#include "measure-tiles-sums.clh"
#endif
#else
#include "measure-stripes.clh"
#include "measure-stripes-shapes.clh"
#ifdef VALUES
#include "measure-stripes-sums.clh"
#endif
#endif

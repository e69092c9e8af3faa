/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Transfers of an array in pieces of rows, which the host fills or reads during the transfer of another piece. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraRowsFunc:
 * @host: @rows consecutive rows of the array, beginning with row @first
 */
typedef void (*CapraRowsFunc) (gpointer host, gsize first, gsize rows, gpointer data);

/**
 * CapraRowsUnit:
 * @first: a row at which a unit begins
 * @rows: the rows of a unit, at least 1
 *
 * Rows that the host handles together, such as those of tiles: pieces end between units if possible.
 */
typedef struct {
  gsize first, rows;
} CapraRowsUnit;

/**
 * capra_array_write_rows:
 * @unit: (nullable): rows that the host handles together
 * @fill: writes all rows that it gets; called in this thread, for one piece after the other
 *
 * Replaces the array's contents. A piece is uploaded while the next one is filled.
 */
CAPRA_API
gboolean capra_array_write_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc fill, gpointer data,
                                 GError **error);

/**
 * capra_array_read_rows:
 * @unit: (nullable): rows that the host handles together
 * @drain: reads the rows that it gets; called in this thread, for one piece after the other
 *
 * Reads the array's contents. The next piece is downloaded while one is drained.
 */
CAPRA_API
gboolean capra_array_read_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc drain, gpointer data,
                                GError **error);

G_END_DECLS

/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tables: where the numbers that operations find are written to. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* An operation that has a table says so by the key "capra:table".
 *
 * Writes @table as `CAPRA_TABLES` says ("-": standard output; a path), or not at all without it. The
 * first operation of the process that has a table writes to the path itself, the second one to
 * path-2, and so on; the same operation replaces its own table. */
gboolean capra_table_output_write (GeglOperation *operation, const CapraTable *table, GError **error);

G_END_DECLS

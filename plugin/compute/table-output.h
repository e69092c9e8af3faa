/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table output: writes the tables of operations to the file that CAPRA_TABLES names. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* Writes @table to the path in the environment variable `CAPRA_TABLES`; "-" stands for standard output. Without the
 * variable nothing is written. The first operation of the process writes to the path itself, the second one to path-2,
 * and so on. An operation overwrites its own earlier table.
 *
 * Classes of operations with a table set the key "capra:table". */
gboolean capra_table_output_write (GeglOperation *operation, const CapraTable *table, GError **error);

G_END_DECLS

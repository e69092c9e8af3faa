/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table output: writes the tables of operations to the file that CAPRA_TABLES or the graph names. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* A program that runs several graphs at once sets data with one of these keys on the node of each graph: the path of a
 * file (char *), or a text to which the tables are appended (GString *). */
#define CAPRA_TABLE_PATH_KEY "capra:table-path"
#define CAPRA_TABLE_TEXT_KEY "capra:table-text"
/* Data of the node of a graph: not NULL to keep the last table of each of its operations. */
#define CAPRA_TABLE_KEEP_KEY "capra:keep-tables"
/* Data of the node of an operation then: its table (CapraTable *), as of its last run that did not fail. */
#define CAPRA_TABLE_KEPT_KEY "capra:kept-table"

/* Writes @table to the path that the graph of @operation names, or else the environment variable `CAPRA_TABLES`; "-" is
 * standard output. Without either nothing is written. The first operation of the graph, or of the process, writes to
 * the path itself, the second one to path-2, and so on. An operation overwrites its own earlier table.
 *
 * Fails as capra_table_output_check().
 *
 * Classes of operations with a table set the key "capra:table". */
gboolean capra_table_output_write (GeglOperation *operation, CapraTable *table, GError **error);

/* Fails if an operation of Capra upstream failed: it outputs its input then, and the table would be of that. */
gboolean capra_table_output_check (GeglOperation *operation, GError **error);

/* The path that capra_table_output_write() writes to: "-", or a file; NULL if no file is written. */
char *capra_table_output_get_path (GeglOperation *operation);

G_END_DECLS

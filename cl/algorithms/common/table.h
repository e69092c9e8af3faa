/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table: named columns of numbers, as text, CSV or JSON. */
#pragma once

#include <glib.h>

#include "runtime/device/api.h"

G_BEGIN_DECLS

/**
 * CapraTable:
 *
 * Rows of numbers (`double`, exact for integers to 2^53) under named columns. Numbers are written as
 * the shortest text that reads back the same, independent of the locale; NaN is "nan" in text and
 * CSV and null in JSON.
 */
typedef struct _CapraTable CapraTable;

CAPRA_API
CapraTable *capra_table_new (const char *const *columns); /* NULL-terminated names */
CAPRA_API
CapraTable *capra_table_ref (CapraTable *table);
CAPRA_API
void capra_table_unref (CapraTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraTable, capra_table_unref)

CAPRA_API
void capra_table_add_row (CapraTable *table, const double *values); /* one value a column */
CAPRA_API
gsize capra_table_get_rows (const CapraTable *table);
CAPRA_API
guint capra_table_get_columns (const CapraTable *table);
CAPRA_API
const char *capra_table_get_name (const CapraTable *table, guint column);
CAPRA_API
double capra_table_get (const CapraTable *table, gsize row, guint column);

CAPRA_API
char *capra_table_to_text (const CapraTable *table); /* aligned, for people */
CAPRA_API
char *capra_table_to_csv (const CapraTable *table); /* RFC 4180, a head line */
CAPRA_API
char *capra_table_to_json (const CapraTable *table); /* an array of objects */

/**
 * capra_table_save:
 * @path: "-" for standard output (text), a name that ends in ".json" for JSON, any other for CSV
 *
 * Replaces the file as a whole: it is written beside it first, then renamed.
 */
CAPRA_API
gboolean capra_table_save (const CapraTable *table, const char *path, GError **error);

G_END_DECLS

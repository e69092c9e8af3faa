/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table: rows of numbers with named columns, written as text, CSV, JSON or an array of NumPy. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraTable:
 *
 * Rows of numbers with named columns. Numbers are doubles, which represent integers up to 2^53 exactly. They are
 * written as the shortest text that converts back to the same number, independently of the locale. NaN is "nan" in
 * text and CSV, and null in JSON.
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
void capra_table_add_row (CapraTable *table, const double *values); /* one value for each column */
CAPRA_API
gsize capra_table_get_rows (const CapraTable *table);
CAPRA_API
guint capra_table_get_columns (const CapraTable *table);
CAPRA_API
const char *capra_table_get_name (const CapraTable *table, guint column);
CAPRA_API
double capra_table_get (const CapraTable *table, gsize row, guint column);

CAPRA_API
char *capra_table_to_text (const CapraTable *table); /* in aligned columns */
CAPRA_API
char *capra_table_to_csv (const CapraTable *table); /* RFC 4180, with a header line */
CAPRA_API
char *capra_table_to_tsv (const CapraTable *table); /* with tabs between the columns, for pasting into other programs */
CAPRA_API
char *capra_table_to_json (const CapraTable *table); /* an array of objects */

/**
 * capra_table_save:
 * @path: "-" for text on standard output, a name that ends in ".json" for JSON, in ".npy" for an array of NumPy (one
 *   dimension, with a field of doubles for each column), any other name for CSV
 *
 * Replaces the file atomically: writes a temporary file in the same folder and renames it.
 */
CAPRA_API
gboolean capra_table_save (const CapraTable *table, const char *path, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns: tables of numbers in text files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraColumns:
 * @names: (nullable): of the columns, NULL-terminated
 * @values: column after column
 */
typedef struct {
  guint n_columns;
  gsize n_rows;
  char **names;
  double *values;
} CapraColumns;

/**
 * capra_columns_parse:
 * @text: lines of numbers, separated by spaces, tabs, commas or semicolons. Lines that start with "#" are comments.
 *   Names of the columns are in the last comment before the numbers, if it has as many words, as pyFAI writes it; in a
 *   comment after "columns:", separated by commas, as `capra integrate` writes it; or in a first line of other words,
 * as in CSV files. A comment or two empty lines between numbers begin another block of rows.
 * @block: which block, from 0
 *
 * Returns: (nullable): %NULL with @error set if a line has other text than numbers, or another number of them, or if
 *   the text has fewer blocks
 */
CapraColumns *capra_columns_parse (const char *text, guint block, GError **error);
CapraColumns *capra_columns_read (const char *path, guint block, GError **error);
void capra_columns_free (CapraColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraColumns, capra_columns_free)

/* The index of the column with that name, in any case, or -1. */
int capra_columns_find (const CapraColumns *columns, const char *name);
const double *capra_columns_get (const CapraColumns *columns, guint column);

G_END_DECLS

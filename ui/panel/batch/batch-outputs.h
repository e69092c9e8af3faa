/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-outputs: the names of the results of a batch. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * capra_batch_outputs_set:
 * @items: (element-type CapraBatchItem)
 * @folder: (type filename)
 * @names: such as "{name}-capra.png"
 * @raw: whether raw values are written
 * @tables: whether each image has a table
 *
 * Sets the output of each item, and the file of its table.
 *
 * Returns: (transfer full) (nullable) (type filename): the argument of `capra run --output`; %NULL with @error set if
 *   the names cannot be used
 */
char *capra_batch_outputs_set (GListModel *items, const char *folder, const char *names, gboolean raw, gboolean tables,
                               GError **error);

/* (transfer full): the name of the table of a result: that of the result, with another ending.
 * @output: (type filename): a path, or the pattern of paths */
char *capra_batch_outputs_name_table (const char *output);

/* The number of results and tables that exist already. */
guint capra_batch_outputs_count_existing (GListModel *items);

G_END_DECLS

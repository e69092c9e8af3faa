/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-item: a file that the steps are applied to, and what has become of it. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_BATCH_WAITING,
  CAPRA_BATCH_DONE,
  CAPRA_BATCH_FAILED,
  CAPRA_BATCH_LEFT, /* was not processed */
} CapraBatchState;

/**
 * CapraBatchItem:
 *
 * Properties (read-only, for rows of a list): "name" and "folder" (string) of the file; "icon-name" (string) of the
 * state; "message" (string), "" for none; "has-message" (boolean); "uri", "result-uri" and "table-uri" (GVariant): the
 * string of an action's parameter, "" for none; "has-result" and "has-table" (boolean): whether they were written.
 */
#define CAPRA_TYPE_BATCH_ITEM (capra_batch_item_get_type ())
G_DECLARE_FINAL_TYPE (CapraBatchItem, capra_batch_item, CAPRA, BATCH_ITEM, GObject)

/* @path: (type filename) */
CapraBatchItem *capra_batch_item_new (const char *path);

const char *capra_batch_item_get_path (CapraBatchItem *item);
/* (nullable): the file for the result. */
const char *capra_batch_item_get_output (CapraBatchItem *item);
/* (nullable): the file for the table of its measurements. */
const char *capra_batch_item_get_table (CapraBatchItem *item);
/* @table: (nullable): %NULL without measurements */
void capra_batch_item_set_output (CapraBatchItem *item, const char *path, const char *table);
CapraBatchState capra_batch_item_get_state (CapraBatchItem *item);
const char *capra_batch_item_get_message (CapraBatchItem *item);
/* @message: (nullable): an error or a warning */
void capra_batch_item_set_state (CapraBatchItem *item, CapraBatchState state, const char *message);

/* (transfer full): "8 results, 8 tables, 2 files failed, 3 were not processed".
 * @items: (element-type CapraBatchItem)
 * @failed: (out): whether any of them failed */
char *capra_batch_items_summarize (GListModel *items, gboolean *failed);

G_END_DECLS

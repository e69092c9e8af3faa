/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items: what a batch processes one by one: images, their frames, and the values that a property takes. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RunItem:
 * @input: (nullable): the name of the file; %NULL if the graph loads its images itself
 * @file: the number of the input, from 0
 * @source: the number of the image, from 0: consecutive items with different values have the same image
 * @frame: from 0; -1 if the file is read as one image
 * @frames: the number of frames of the file
 * @value: from 0; -1 without values
 * @output: (nullable): the file for the result
 */
typedef struct {
  const char *input;
  guint file, source;
  gint64 frame, frames;
  gint value;
  char *output;
} RunItem;

/**
 * RunItemsOptions:
 * @inputs: NULL-terminated; may be empty
 * @frames: (nullable): "all", or a range such as "5", "0-99", "10-" or "0-99:10"; %NULL to read files as one image
 * @dataset: (nullable): of HDF5 files
 * @values: the number of values, 0 without
 */
typedef struct {
  char **inputs;
  const char *frames, *dataset;
  guint values;
} RunItemsOptions;

/* Returns: (element-type RunItem) (nullable): the items in order; %NULL with @error set. A file that cannot be read is
 * one item, which fails when it is processed. */
GArray *run_items_new (const RunItemsOptions *options, GError **error);

/* Reads @text as a range of frames of a file with @count frames. FALSE with @error set if it is not a range. */
gboolean run_items_parse_range (const char *text, guint64 count, guint64 *first, guint64 *last, guint64 *step,
                                GError **error);

/* The name of an item in messages, such as "a.tif, frame 3". */
char *run_item_dup_name (const RunItem *item);

/* Replaces {name}, {n}, {frame} and {value} in @pattern. @number: of the item, from 0; @items: the number of items */
char *run_item_expand (const char *pattern, const RunItem *item, guint number, guint items, guint values);

/* Sets the outputs to names from @output, which is a pattern or a folder. FALSE with @error set if two are equal. */
gboolean run_items_set_outputs (GArray *items, const char *output, guint values, const char *const *suffixes,
                                GError **error);

/* FALSE with @error set if no tables can be written to @path, a pattern or "-". @several: whether there are several
 * images */
gboolean run_items_check_tables (const char *path, gboolean several, GError **error);

G_END_DECLS

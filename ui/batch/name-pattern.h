/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Name-pattern: the names of the files that a batch writes. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From 0 to the number of frames less 1, and from 1 to the numbers of items and values. */
#define CAPRA_NAME_INPUT "{name}"
#define CAPRA_NAME_NUMBER "{n}"
#define CAPRA_NAME_FRAME "{frame}"
#define CAPRA_NAME_VALUE "{value}"

/**
 * CapraNameValues:
 * @input: (nullable) (type filename): the image
 * @number: of the item, from 0
 * @items: the number of items
 * @frame: from 0
 * @frames: the number of frames of the image
 * @value: from 1
 * @values: the number of values
 */
typedef struct {
  const char *input;
  guint64 number, items, frame, frames, value, values;
} CapraNameValues;

/* Replaces {name}, {n}, {frame} and {value} in @pattern. Numbers have as many digits as the largest one. */
char *capra_name_pattern_expand (const char *pattern, const CapraNameValues *values);

/* Whether @pattern names one file for each item, however many there are. */
gboolean capra_name_pattern_varies (const char *pattern);

/* "frames/a.b.png": "a.b", and "png" (nullable) in lower case. */
char *capra_name_split (const char *path, char **suffix);

G_END_DECLS

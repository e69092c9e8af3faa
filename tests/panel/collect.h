/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of readers of numbers share: a reader's numbers as doubles, and files that must be refused. */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* What a reader gave; the values are to be freed. */
typedef struct {
  CapraSampleLayout layout;
  double *values;
  int rows;
} CollectedNumbers;

/* A folder for all files. */
void collect_begin (void);
/* The whole path of a file there (g_free). */
char *collect_path (const char *name);
char *collect_write (const char *name, gconstpointer bytes, gsize length);

/* What @read gives; it must be all rows, in order. */
CollectedNumbers collect_numbers (CapraSampleReader read, const char *path);
/* A sink into @numbers, which starts as zeros. */
CapraSampleSink collect_sink (CollectedNumbers *numbers);

void collect_assert_layout (const CollectedNumbers *numbers, int width, int height, int channels, CapraSampleType type);
/* The file must be refused with @text in the message. */
void collect_assert_refused (CapraSampleReader read, const char *path, const char *text);
/* Every shorter file must be an error that says so. */
void collect_assert_cut_fails (CapraSampleReader read, const guint8 *bytes, gsize length);

G_END_DECLS

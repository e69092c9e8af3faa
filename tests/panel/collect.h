/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the samples that a reader decodes, and checks that damaged files are refused. */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* The result of a reader. Free the values. */
typedef struct {
  CapraSampleLayout layout;
  double *values;
  int rows;
} CollectedNumbers;

/* Runs the tests, with a folder for all their files, which is removed after them. Returns the exit status. */
int collect_run (void);
/* The absolute path of a file in the folder (g_free). */
char *collect_path (const char *name);
char *collect_write (const char *name, gconstpointer bytes, gsize length);

/* Reads the file and asserts that all rows arrive in order. */
CollectedNumbers collect_numbers (CapraSampleReader read, const char *path);
/* A sink that fills @numbers, which must be zero-initialized. */
CapraSampleSink collect_sink (CollectedNumbers *numbers);

void collect_assert_layout (const CollectedNumbers *numbers, int width, int height, int channels, CapraSampleType type);
/* Asserts that reading fails with @text in the message. */
void collect_assert_refused (CapraSampleReader read, const char *path, const char *text);
/* Asserts that reading fails for every truncated version of the file. */
void collect_assert_truncated_fails (CapraSampleReader read, const guint8 *bytes, gsize length);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress-bar: the progress of a batch on one line of a terminal. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RunProgress:
 * @items: of the whole batch
 * @before: items that an earlier process has finished
 * @done: items that this process has finished
 * @failed: how many of these have failed
 * @seconds: since it began
 */
typedef struct {
  guint items, before, done, failed;
  double seconds;
} RunProgress;

/* The line: a bar, the number of items, items a second, and the time left, or at the end the time that it took.
 * @columns: the width of the terminal */
char *run_progress_format (const RunProgress *progress, guint columns);

/* Whether standard error is a terminal that can replace a line. */
gboolean run_progress_is_possible (void);

/* Replaces the line on the terminal at standard error by @text (nullable), or by what fits into it. */
void run_progress_show (const char *text);
guint run_progress_get_columns (void);

G_END_DECLS

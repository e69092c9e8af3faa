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
 * @seconds: since it began
 */
typedef struct {
  guint items, before, done;
  double seconds;
} RunProgress;

/* The line: a bar, the number of items, items a second, and the time left. @columns: the width of the terminal */
char *run_progress_format (const RunProgress *progress, guint columns);

/* Replaces the line on the terminal at standard error by @text (nullable). */
void run_progress_show (const char *text);
guint run_progress_get_columns (void);

G_END_DECLS

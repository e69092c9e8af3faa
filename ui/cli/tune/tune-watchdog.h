/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends the program where a driver does not come back: some take minutes to build a kernel, or never end it. */
#pragma once

#include <glib.h>

typedef struct {
  GMutex lock;
  GCond change;
  gint64 limit; /* monotonic time */
  gboolean over;
  char *trying; /* under the lock */
  GThread *thread;
} TuneGuard;

/* At @limit the program ends with status 1 and a word on what was tried, until the guard is stopped. */
void tune_guard_start (TuneGuard *guard, gint64 limit);
void tune_guard_set (TuneGuard *guard, const char *key, const char *value);
void tune_guard_stop (TuneGuard *guard);

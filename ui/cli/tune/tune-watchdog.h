/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends the program when a driver hangs: some need minutes to build a kernel, or never return. */
#pragma once

#include <glib.h>

typedef struct {
  GMutex lock;
  GCond change;
  gint64 limit; /* monotonic time */
  gboolean stopped;
  char *trying; /* under the lock */
  GThread *thread;
} TuneWatchdog;

/* Unless stopped before @limit, the watchdog ends the program with status 1 and names the value that was tried. */
void tune_watchdog_start (TuneWatchdog *watchdog, gint64 limit);
void tune_watchdog_set (TuneWatchdog *watchdog, const char *key, const char *value);
void tune_watchdog_stop (TuneWatchdog *watchdog);

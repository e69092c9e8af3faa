/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of `capra tune`: the time spent, the time expected, and what ends the search early. */
#pragma once

#include <glib.h>

/* Monotonic times; the runs (of a candidate on a workload) that are done, and all of them. */
typedef struct {
  gint64 start, limit;
  guint done, all;
} TuneClock;

/* Makes SIGINT, SIGTERM and SIGHUP end the search instead of the program; a second signal ends the program. Call it
 * before any thread is started: one thread waits for the signals and all others block them, since compilers in drivers
 * replace signal handlers. */
void tune_clock_catch_signals (void);
/* The signal that was received; 0 if none was. */
int tune_clock_signal (void);
/* Ends the program by a signal, so that its parent sees that it was stopped. */
void tune_clock_raise (int number);

/* @seconds: the time limit. */
void tune_clock_start (TuneClock *clock, int seconds);
double tune_clock_elapsed (const TuneClock *clock);
/* The expected total in seconds, from the speed until now; at most the limit. */
double tune_clock_expected (const TuneClock *clock);
/* Whether the limit is reached, or a signal was received. */
gboolean tune_clock_is_over (const TuneClock *clock);
/* The same, or whether another candidate of @runs runs is expected to exceed the limit. */
gboolean tune_clock_is_short (const TuneClock *clock, guint runs);

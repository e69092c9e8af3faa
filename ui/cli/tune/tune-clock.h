/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of `capra tune`: how much is spent, how much it still takes, and what ends it early. */
#pragma once

#include <glib.h>

/* Monotonic times, and how many runs of a candidate on a workload are over, and there are in all. */
typedef struct {
  gint64 start, limit;
  guint done, all;
} TuneClock;

/* Has SIGINT, SIGTERM and SIGHUP end the search instead of the program; a second one ends the program. Before anything
 * starts threads: a thread waits for the signals, and all others block them, since compilers in drivers put handlers of
 * their own in the place of others'. */
void tune_clock_catch_signals (void);
/* The signal that came; 0 if none did. */
int tune_clock_signal (void);
/* Ends the program by a signal, so that whoever started it sees that it was stopped. */
void tune_clock_raise (int number);

/* @seconds: the most that may be spent. */
void tune_clock_start (TuneClock *clock, int seconds);
double tune_clock_elapsed (const TuneClock *clock);
/* How long it takes in all, as it went until now and at most the limit; in seconds. */
double tune_clock_expected (const TuneClock *clock);
/* Whether time is up, or a signal came. */
gboolean tune_clock_is_over (const TuneClock *clock);
/* The same, or another candidate would take longer than there is time, as it went until now. */
gboolean tune_clock_is_short (const TuneClock *clock, guint runs);

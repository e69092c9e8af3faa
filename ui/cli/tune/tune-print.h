/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `capra tune` prints: a line a key, in a terminal one that says what is tried at the moment, and a summary. */
#pragma once

#include "ui/cli/tune/tune-search.h"

/* Where the search stands: the @number-th key of @count. */
typedef struct {
  const TuneClock *clock;
  guint number, count;
} TuneProgress;

void tune_print_head (CapraDevice *device, gsize size, guint keys, int seconds);
/* In terminals, until the next line is printed. */
void tune_print_trying (const TuneProgress *progress, const char *key, const char *value);
void tune_print_result (const TuneProgress *progress, const TuneResult *result);
void tune_print_forced (const TuneProgress *progress, const char *key, const char *value);

/* @results: of TuneResult; @measured, @shipped: "key=value" of keys that were not tried to the end, for which another
 * search found the value, or none did. */
void tune_print_summary (const TuneProgress *progress, const GPtrArray *results, const GPtrArray *measured,
                         const GPtrArray *shipped);

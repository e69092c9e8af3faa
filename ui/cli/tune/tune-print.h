/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of `capra tune`: a line for each key, in a terminal a line for the value being tried, and a summary. */
#pragma once

#include "ui/cli/tune/tune-search.h"

/* The position of the search: key @number of @count. */
typedef struct {
  const TuneClock *clock;
  guint number, count;
} TuneProgress;

void tune_print_head (CapraDevice *device, gsize size, guint keys, int seconds);
/* In terminals only; the next line replaces it. */
void tune_print_trying (const TuneProgress *progress, const char *key, const char *value);
void tune_print_result (const TuneProgress *progress, const TuneResult *result);
void tune_print_forced (const TuneProgress *progress, const char *key, const char *value);

/* @results: of TuneResult
 * @measured, @shipped: "key=value" of keys that were not completed, with a value from an earlier search or from the
 *   defaults */
void tune_print_summary (const TuneProgress *progress, const GPtrArray *results, const GPtrArray *measured,
                         const GPtrArray *shipped);

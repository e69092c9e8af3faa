/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of `capra tune` for the best value of one key. */
#pragma once

#include "capra.h"
#include "ui/cli/tune/tune-clock.h"
#include "ui/cli/tune/tune-race.h"

/* @value: an interned string; @gain: the speed relative to the shipped value. */
typedef struct {
  const char *value;
  TuneVerdict verdict;
  double gain;
} TuneCandidate;

/**
 * TuneResult:
 * @shipped: the value from the defaults; @winner: the fastest value, which this process uses from then on
 * @gain: the speed of the winner relative to the shipped value
 * @candidates: (element-type TuneCandidate): the candidates that were tried
 * @complete: whether all candidates were tried
 */
typedef struct {
  char *key, *shipped, *winner;
  double gain;
  GArray *candidates;
  gboolean complete;
} TuneResult;

void tune_result_free (TuneResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TuneResult, tune_result_free)

typedef struct _TuneSearch TuneSearch;

/* Called before the shipped value and each candidate are built and run. */
typedef void TuneTryFunc (const char *key, const char *value, gpointer data);

/* A search on @device with images of @size pixels a side, until the time of @clock is over. */
TuneSearch *tune_search_new (CapraDevice *device, gsize size, TuneClock *clock, TuneTryFunc *try_func, gpointer data);
void tune_search_free (TuneSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TuneSearch, tune_search_free)

/* The runs of all candidates of @key, in the unit of TuneClock. */
guint tune_search_runs (CapraDevice *device, const char *key);

/* Tries the candidates of @key. Returns %NULL with @error set on failure. */
TuneResult *tune_search_key (TuneSearch *search, const char *key, GError **error);

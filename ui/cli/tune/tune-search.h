/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of `capra tune`: tries the candidates of one key, one after the other. */
#pragma once

#include "capra.h"
#include "ui/cli/tune/tune-clock.h"
#include "ui/cli/tune/tune-race.h"

/* @value: the candidate, of GLib's interned strings; @gain: how many times as fast as the shipped value. */
typedef struct {
  const char *value;
  TuneOutcome outcome;
  double gain;
} TuneCandidate;

/**
 * TuneResult:
 * @shipped: the value to beat; @winner: the fastest value, in use from then on in this process
 * @gain: how many times as fast as the shipped value it is
 * @candidates: (element-type TuneCandidate): those that were tried
 * @complete: whether all were
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
typedef void TuneTrying (const char *key, const char *value, gpointer data);

/* A search on @device with images of @size pixels a side, until @clock says that it is over. */
TuneSearch *tune_search_new (CapraDevice *device, gsize size, TuneClock *clock, TuneTrying *trying, gpointer data);
void tune_search_free (TuneSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TuneSearch, tune_search_free)

/* What it counts a key as in the clock: its candidates' runs. */
guint tune_search_runs (CapraDevice *device, const char *key);

/* Tries the candidates for @key; %NULL on errors. */
TuneResult *tune_search_key (TuneSearch *search, const char *key, GError **error);

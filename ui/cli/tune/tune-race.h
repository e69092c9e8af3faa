/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A race of `capra tune`: whether a candidate beats the value in use, by as few runs as tell. */
#pragma once

#include <glib.h>

typedef enum {
  TUNE_FASTER,
  TUNE_NOT_FASTER,
  TUNE_WRONG,   /* its results differ from those of the value in use */
  TUNE_FAILED,  /* the device refused it */
  TUNE_STOPPED, /* nobody knows */
} TuneOutcome;

/**
 * TuneRunner:
 * @n: workloads that judge
 * @run: runs a workload once with a value; @ms: milliseconds on the device
 * @verify: whether the results with a value are right, for all workloads
 * @stop: whether to leave off; asked before each run
 */
typedef struct {
  gpointer data;
  guint n;
  gboolean (*run) (gpointer data, guint workload, const char *value, double *ms, GError **error);
  gboolean (*verify) (gpointer data, const char *value);
  gboolean (*stop) (gpointer data);
} TuneRunner;

/**
 * tune_race:
 * @used: the value in use; @value: the candidate
 * @gain: how many times as fast as @used @value is: the geometric mean over the workloads; where one is
 *   clearly slower, the race ends there, and that one's. 1 where nobody knows.
 *
 * A candidate wins if it is faster in three heats by more than the noise, with the right results.
 *
 * Returns: the outcome; TUNE_FAILED with @error set where it is @used that the device no longer runs
 */
TuneOutcome tune_race (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error);

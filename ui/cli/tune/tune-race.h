/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a candidate of `capra tune` with the value in use, in as few runs as needed. */
#pragma once

#include <glib.h>

typedef enum {
  TUNE_FASTER,
  TUNE_NOT_FASTER,
  TUNE_WRONG,   /* its results differ from those of the value in use */
  TUNE_FAILED,  /* the device refused it */
  TUNE_STOPPED, /* not decided */
} TuneVerdict;

/**
 * TuneRunner:
 * @n: number of workloads
 * @run: runs a workload once with a value; sets @ms to milliseconds on the device
 * @verify: whether the results with a value are correct, for all workloads
 * @stop: whether to stop; called before each run
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
 * @gain: the speed of @value relative to @used, as the geometric mean over the workloads; if it is clearly slower on
 *   one workload, the comparison ends there with the gain on that one. 1 if not decided.
 *
 * A candidate wins if it is faster than the noise in three rounds, with correct results.
 *
 * Returns: the verdict; TUNE_FAILED with @error set if the device no longer runs @used
 */
TuneVerdict tune_race (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error);

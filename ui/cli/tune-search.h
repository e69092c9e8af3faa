/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of `capra tune`: tries the candidates of one key, one after the other. */
#pragma once

#include "capra.h"

typedef enum {
  TUNE_FASTER,
  TUNE_NOT_FASTER,
  TUNE_WRONG,  /* its results differ from those of the value in use */
  TUNE_FAILED, /* the device refused it */
} TuneOutcome;

/* Called after each candidate; @gain: how many times as fast as the value in use, where its results are right. */
typedef void TuneReport (const char *key, const char *value, TuneOutcome outcome, double gain, gpointer data);

/* Tries the candidates for @key on @device with images of @size pixels a side, until @deadline (monotonic time).
 * Returns the value that won, in use from then on in this process, %NULL on errors; @gain: how many times as fast as
 * the value at the start. */
char *tune_key (CapraDevice *device, const char *key, gsize size, gint64 deadline, TuneReport report, gpointer data,
                double *gain, GError **error);

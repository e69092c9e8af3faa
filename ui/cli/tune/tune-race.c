/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A race of `capra tune`: the candidate and the value in use take turns. */
#include <math.h>

#include "ui/cli/bench/bench-run.h"
#include "ui/cli/tune/tune-race.h"

#define WORTH 1.03 /* a candidate wins from here on, */
#define HEATS 3    /* so often */

/* A candidate is given up if, after so many turns as the index tells, its best run is not this many times as fast as
 * the best one of the value in use: a run may meet a busy moment. */
static const double hopeless[] = { 0.25, 0.5, 0.85, 0.9, 0.9, 0.9, 0.9 };
#define REPEATS G_N_ELEMENTS (hopeless)

/* TUNE_FASTER as long as the candidate is not clearly slower; @gain: its own on this workload. Its first run, which
 * builds its kernels, does not count but for that. */
static TuneOutcome
take_turns (const TuneRunner *runner, guint workload, const char *used, const char *value, double *gain, GError **error)
{
  double times[2][REPEATS], least[2] = { INFINITY, INFINITY };

  if (runner->stop (runner->data))
    return TUNE_STOPPED;
  if (!runner->run (runner->data, workload, value, &least[1], NULL))
    return TUNE_FAILED;
  for (guint i = 0; i < REPEATS; i++)
    {
      if (runner->stop (runner->data))
        return TUNE_STOPPED;
      for (guint k = 0; k < 2; k++)
        {
          guint which = (i + k) % 2; /* first comes the one that was last */

          if (!runner->run (runner->data, workload, which ? value : used, &times[which][i], which ? NULL : error))
            return TUNE_FAILED;
          least[which] = MIN (least[which], times[which][i]);
        }
      *gain = least[0] / least[1];
      if (*gain < hopeless[i])
        return TUNE_NOT_FASTER;
    }
  *gain = bench_median (times[0], REPEATS) / bench_median (times[1], REPEATS);
  /* Where medians and the shortest times (sorted by now) disagree, other work was in the way. */
  if (*gain > 1)
    *gain = CLAMP (times[0][0] / times[1][0], 1, *gain);
  return TUNE_FASTER;
}

/* On all workloads. */
static TuneOutcome
run_heat (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error)
{
  double sum = 0;

  for (guint i = 0; i < runner->n; i++)
    {
      TuneOutcome outcome = take_turns (runner, i, used, value, gain, error);

      if (outcome != TUNE_FASTER)
        return outcome;
      sum += log (*gain);
    }
  *gain = exp (sum / runner->n);
  return *gain >= WORTH ? TUNE_FASTER : TUNE_NOT_FASTER;
}

TuneOutcome
tune_race (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error)
{
  TuneOutcome outcome = TUNE_STOPPED;
  double again = 0;

  *gain = 1;
  outcome = run_heat (runner, used, value, gain, error);
  if (outcome == TUNE_FASTER && !runner->verify (runner->data, value))
    outcome = TUNE_WRONG;
  /* What wins must win again and again: a busy moment must not decide for years. */
  for (guint heat = 1; heat < HEATS && outcome == TUNE_FASTER; heat++)
    {
      outcome = run_heat (runner, used, value, &again, error);
      *gain = MIN (*gain, again);
    }
  if (outcome != TUNE_FASTER && outcome != TUNE_NOT_FASTER)
    *gain = 1;
  return outcome;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a candidate of `capra tune` with the value in use, by alternating runs. */
#include <math.h>

#include "ui/cli/bench/bench-run.h"
#include "ui/cli/tune/tune-race.h"

#define MIN_GAIN 1.03 /* of a candidate that wins a round */
#define ROUNDS 3      /* that it must win */

/* A candidate is dropped after i runs if the gain of its best run is below element i. The first limits are low, since a
 * single run may be slowed down by other programs. */
static const double min_gains[] = { 0.25, 0.5, 0.85, 0.9, 0.9, 0.9, 0.9 };
#define REPEATS G_N_ELEMENTS (min_gains)

/* Returns TUNE_FASTER unless the candidate is clearly slower on this workload; @gain: its gain there. Its first run
 * builds kernels and is not timed. */
static TuneVerdict
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
          guint which = (i + k) % 2; /* the order alternates */

          if (!runner->run (runner->data, workload, which ? value : used, &times[which][i], which ? NULL : error))
            return TUNE_FAILED;
          least[which] = MIN (least[which], times[which][i]);
        }
      *gain = least[0] / least[1];
      if (*gain < min_gains[i])
        return TUNE_NOT_FASTER;
    }
  *gain = bench_median (times[0], REPEATS) / bench_median (times[1], REPEATS);
  /* Medians and minima (times are sorted by now) that disagree show that other programs interfered. */
  if (*gain > 1)
    *gain = CLAMP (times[0][0] / times[1][0], 1, *gain);
  return TUNE_FASTER;
}

/* On all workloads. */
static TuneVerdict
run_round (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error)
{
  double sum = 0;

  for (guint i = 0; i < runner->n; i++)
    {
      TuneVerdict verdict = take_turns (runner, i, used, value, gain, error);

      if (verdict != TUNE_FASTER)
        return verdict;
      sum += log (*gain);
    }
  *gain = exp (sum / runner->n);
  return *gain >= MIN_GAIN ? TUNE_FASTER : TUNE_NOT_FASTER;
}

TuneVerdict
tune_race (const TuneRunner *runner, const char *used, const char *value, double *gain, GError **error)
{
  TuneVerdict verdict = TUNE_STOPPED;
  double again = 0;

  *gain = 1;
  verdict = run_round (runner, used, value, gain, error);
  if (verdict == TUNE_FASTER && !runner->verify (runner->data, value))
    verdict = TUNE_WRONG;
  /* A result that is stored for years must not depend on one busy moment. */
  for (guint round = 1; round < ROUNDS && verdict == TUNE_FASTER; round++)
    {
      verdict = run_round (runner, used, value, &again, error);
      *gain = MIN (*gain, again);
    }
  if (verdict != TUNE_FASTER && verdict != TUNE_NOT_FASTER)
    *gain = 1;
  return verdict;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of `capra tune`. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "tune-clock.h"

/* So long after the first signal another one belongs to it: `timeout` sends two. */
#define SAME 0.5

/* Written by the handler alone. */
static volatile sig_atomic_t caught;
static struct timespec first;

static void
note_signal (int number)
{
  static const char text[] = "\nEnds after this run; once more: at once.\n";
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  if (!caught)
    {
      caught = number;
      first = now;
      if (write (STDERR_FILENO, text, sizeof text - 1) < 0)
        return; /* nobody reads it */
    }
  else if ((double) (now.tv_sec - first.tv_sec) + (double) (now.tv_nsec - first.tv_nsec) * 1e-9 > SAME)
    tune_clock_raise (number);
}

void
tune_clock_catch_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART }, before;

  sigfillset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* as under nohup */
      sigaction (numbers[i], &action, NULL);
}

void
tune_clock_raise (int number)
{
  signal (number, SIG_DFL);
  raise (number);
}

int
tune_clock_signal (void)
{
  return caught;
}

void
tune_clock_start (TuneClock *clock, int seconds)
{
  clock->start = g_get_monotonic_time ();
  clock->limit = clock->start + seconds * G_USEC_PER_SEC;
  clock->done = clock->all = 0;
}

double
tune_clock_elapsed (const TuneClock *clock)
{
  return (double) (g_get_monotonic_time () - clock->start) * 1e-6;
}

double
tune_clock_expected (const TuneClock *clock)
{
  double most = (double) (clock->limit - clock->start) * 1e-6, elapsed = tune_clock_elapsed (clock);

  if (clock->done == 0)
    return most;
  return MAX (MIN (elapsed * MAX (clock->all, clock->done) / clock->done, most), elapsed);
}

gboolean
tune_clock_is_over (const TuneClock *clock)
{
  return tune_clock_signal () || g_get_monotonic_time () >= clock->limit;
}

gboolean
tune_clock_is_short (const TuneClock *clock, guint runs)
{
  double left = (double) (clock->limit - g_get_monotonic_time ()) * 1e-6;

  return tune_clock_is_over (clock)
         || (clock->done > 0 && tune_clock_elapsed (clock) / clock->done * runs > left);
}

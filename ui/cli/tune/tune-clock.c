/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of `capra tune`. */
#include <signal.h>
#include <stdio.h>

#include "ui/cli/tune/tune-clock.h"

/* A signal this soon after the first one belongs to it: `timeout` sends two. */
#define SAME_INTERVAL (G_USEC_PER_SEC / 2)

static int caught; /* atomic */

/* Waits for the signals in @data, a sigset_t. */
static gpointer
watch (gpointer data)
{
  const sigset_t *signals = data;
  gint64 first = 0;
  int number = 0;

  while (sigwait (signals, &number) == 0)
    if (!tune_clock_signal ())
      {
        first = g_get_monotonic_time ();
        g_atomic_int_set (&caught, number);
        fprintf (stderr, "\nStopping after this run; press Ctrl-C again to stop now.\n");
      }
    else if (g_get_monotonic_time () - first > SAME_INTERVAL)
      tune_clock_raise (number);
  return NULL;
}

void
tune_clock_catch_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  static sigset_t signals;
  struct sigaction action;

  sigemptyset (&signals);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) /* as under nohup */
      sigaddset (&signals, numbers[i]);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_thread_unref (g_thread_new ("capra-signals", watch, &signals));
}

void
tune_clock_raise (int number)
{
  sigset_t signals;

  signal (number, SIG_DFL);
  sigemptyset (&signals);
  sigaddset (&signals, number);
  pthread_sigmask (SIG_UNBLOCK, &signals, NULL);
  raise (number);
}

int
tune_clock_signal (void)
{
  return g_atomic_int_get (&caught);
}

void
tune_clock_start (TuneClock *clock, int seconds)
{
  clock->start = g_get_monotonic_time ();
  clock->limit = clock->start + (gint64) seconds * G_USEC_PER_SEC;
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
  double limit = (double) (clock->limit - clock->start) * 1e-6, elapsed = tune_clock_elapsed (clock);

  if (clock->done == 0)
    return limit;
  return MAX (MIN (elapsed * MAX (clock->all, clock->done) / clock->done, limit), elapsed);
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

  return tune_clock_is_over (clock) || (clock->done > 0 && tune_clock_elapsed (clock) / clock->done * runs > left);
}

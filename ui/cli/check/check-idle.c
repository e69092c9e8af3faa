/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idle: the times of all processors in /proc/stat, and the load of NVIDIA's cards. */
#include "ui/cli/check/check-idle.h"

#include <stdio.h>

#include "ui/cards/nvml.h"

/* In ticks since the machine was started. */
typedef struct {
  guint64 free, total;
} Times;

/* FALSE where /proc cannot be read. */
static gboolean
read_times (Times *times)
{
  enum { USER, NICE, SYSTEM, IDLE, WAITING, INTERRUPTS, SOFT_INTERRUPTS, STOLEN, N_COLUMNS };
  guint64 columns[N_COLUMNS] = { 0 };
  FILE *file = fopen ("/proc/stat", "r");
  gboolean read = file && fscanf (file, "cpu") == 0;

  for (guint i = 0; i < N_COLUMNS && read; i++)
    read = fscanf (file, "%" G_GUINT64_FORMAT, &columns[i]) == 1;
  if (file)
    fclose (file);
  *times = (Times){ columns[NICE] + columns[IDLE] + columns[WAITING], 0 };
  for (guint i = 0; i < N_COLUMNS; i++)
    times->total += columns[i];
  return read;
}

gboolean
check_idle (void)
{
  static gint64 last;
  static Times before;
  static gboolean idle;
  gint64 now = g_get_monotonic_time ();
  Times times;

  if (last > 0 && now - last < G_USEC_PER_SEC)
    return idle;
  if (!read_times (&times))
    return TRUE;
  idle = last > 0 && 2 * (times.free - before.free) >= times.total - before.total;
  before = times;
  last = now;
  return idle;
}

gboolean
check_idle_card (const char *id)
{
  CapraCard card;

  return !capra_nvml_query (id, &card) || card.busy < 50;
}

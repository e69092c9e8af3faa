/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedule: which item of a batch a free thread takes next. */
#include "ui/cli/run/schedule.h"

enum { OPEN, SKIPPED, RUNNING, DONE };

typedef struct {
  guint workers; /* that still take items */
  guint running, done;
  double time; /* of all finished items, in microseconds */
} Device;

struct _RunSchedule {
  GMutex mutex;
  GCond changed;
  guint8 *states;
  guint items, next, open, skipped, done;
  Device *devices;
  guint n_devices;
  gboolean stopped;
};

RunSchedule *
run_schedule_new (guint items, const guint *workers, guint devices)
{
  RunSchedule *schedule = g_new0 (RunSchedule, 1);

  g_mutex_init (&schedule->mutex);
  g_cond_init (&schedule->changed);
  schedule->states = g_new0 (guint8, items);
  schedule->items = schedule->open = items;
  schedule->devices = g_new0 (Device, devices);
  schedule->n_devices = devices;
  for (guint i = 0; i < devices; i++)
    schedule->devices[i].workers = workers[i];
  return schedule;
}

void
run_schedule_free (RunSchedule *schedule)
{
  g_mutex_clear (&schedule->mutex);
  g_cond_clear (&schedule->changed);
  g_free (schedule->states);
  g_free (schedule->devices);
  g_free (schedule);
}

void
run_schedule_skip (RunSchedule *schedule, guint item)
{
  if (schedule->states[item] != OPEN)
    return;
  schedule->states[item] = SKIPPED;
  schedule->open--;
  schedule->skipped++;
}

/* Whether the other devices are expected to finish all open items before @own finishes one. */
static gboolean
others_are_faster (RunSchedule *schedule, const Device *own)
{
  double rate = 0.0, in_work = 0.0; /* items per microsecond; items */

  if (own->done == 0)
    return FALSE;
  for (guint i = 0; i < schedule->n_devices; i++)
    {
      const Device *device = &schedule->devices[i];

      if (device == own || device->workers == 0)
        continue;
      if (device->done > 0 && device->time > 0.0)
        rate += device->workers * (double) device->done / device->time;
      in_work += device->running / 2.0; /* half finished on average */
    }
  return rate > 0.0 && (schedule->open + in_work) / rate < own->time / own->done;
}

gboolean
run_schedule_take (RunSchedule *schedule, guint device, guint *item)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&schedule->mutex);
  Device *own = &schedule->devices[device];

  while (schedule->next < schedule->items && schedule->states[schedule->next] != OPEN)
    schedule->next++;
  if (schedule->stopped || schedule->next >= schedule->items || others_are_faster (schedule, own))
    {
      own->workers--;
      return FALSE;
    }
  *item = schedule->next++;
  schedule->states[*item] = RUNNING;
  schedule->open--;
  own->running++;
  return TRUE;
}

void
run_schedule_finish (RunSchedule *schedule, guint item, guint device, gint64 time)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&schedule->mutex);
  Device *own = &schedule->devices[device];

  schedule->states[item] = DONE;
  schedule->done++;
  own->running--;
  own->done++;
  own->time += (double) time;
  g_cond_broadcast (&schedule->changed);
}

void
run_schedule_stop (RunSchedule *schedule)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&schedule->mutex);

  schedule->stopped = TRUE;
  g_cond_broadcast (&schedule->changed);
}

RunItemState
run_schedule_wait (RunSchedule *schedule, guint item, gint64 until)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&schedule->mutex);
  gboolean waiting = TRUE;

  while (waiting && (schedule->states[item] == RUNNING || (schedule->states[item] == OPEN && !schedule->stopped)))
    if (until > 0)
      waiting = g_cond_wait_until (&schedule->changed, &schedule->mutex, until);
    else
      g_cond_wait (&schedule->changed, &schedule->mutex);
  switch (schedule->states[item])
    {
    case SKIPPED: return RUN_ITEM_SKIPPED;
    case DONE: return RUN_ITEM_DONE;
    case OPEN: return schedule->stopped ? RUN_ITEM_LEFT : RUN_ITEM_OPEN;
    default: return RUN_ITEM_OPEN;
    }
}

guint
run_schedule_count_done (RunSchedule *schedule, guint *skipped)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&schedule->mutex);

  *skipped = schedule->skipped;
  return schedule->done;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedule: which item of a batch a free thread takes next. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _RunSchedule RunSchedule;

/**
 * run_schedule_new:
 * @workers: the number of threads of each device
 * @devices: the number of devices
 *
 * Items are taken in order by the next free thread, so that a fast device takes more of them. A device takes none of
 * the last items if, by the times measured so far, the others will finish them sooner.
 */
RunSchedule *run_schedule_new (guint items, const guint *workers, guint devices);
void run_schedule_free (RunSchedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunSchedule, run_schedule_free)

/* @item is finished already. Before any item is taken. */
void run_schedule_skip (RunSchedule *schedule, guint item);

/* FALSE if this thread is not needed any more. */
gboolean run_schedule_take (RunSchedule *schedule, guint device, guint *item);

/* @time: in microseconds */
void run_schedule_finish (RunSchedule *schedule, guint item, guint device, gint64 time);

/* No further item is taken. */
void run_schedule_stop (RunSchedule *schedule);

typedef enum {
  RUN_ITEM_OPEN,    /* not finished when the time was over */
  RUN_ITEM_SKIPPED, /* by run_schedule_skip() */
  RUN_ITEM_DONE,
  RUN_ITEM_LEFT, /* never taken, since the schedule was stopped */
} RunItemState;

/* Waits until @item is finished or will not be taken; with @until > 0, no longer than that monotonic time. */
RunItemState run_schedule_wait (RunSchedule *schedule, guint item, gint64 until);

/* The number of items that threads have finished. @skipped: (out): the number of those that were skipped */
guint run_schedule_count_done (RunSchedule *schedule, guint *skipped);

G_END_DECLS

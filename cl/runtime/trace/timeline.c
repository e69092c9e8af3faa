/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline: collects finished events into records and running statistics. */
#include <string.h>

#include "runtime/device/fork.h"
#include "runtime/trace/running-statistics.h"
#include "runtime/trace/timeline-private.h"

#define KEPT_RECORDS 65536
/* From so many unfinished records on, finished ones are collected while adding. */
#define COLLECT_AT 512

typedef struct {
  guint64 number; /* from 0, in the order of enqueueing */
  CapraRecord record;
  cl_event event;
  CapraContext *context;
} Pending;

typedef struct {
  CapraDevice *device;
  const char *name;
  CapraSeries times;
} Series;

static GMutex lock;
static GQueue pending = G_QUEUE_INIT; /* of Pending, in the order of enqueueing */
static guint64 n_added;               /* that were ever pending */
static GArray *records;               /* a ring of CapraRecord */
static guint64 n_records;             /* since the last reset */
static GPtrArray *series;             /* of Series, in the order of first use */

static Series *
series_get (CapraDevice *device, const char *name)
{
  Series *found = NULL;

  if (!series)
    series = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < series->len; i++)
    {
      found = series->pdata[i];
      if (found->device == device && g_str_equal (found->name, name))
        return found;
    }
  found = g_new0 (Series, 1);
  found->device = device;
  found->name = name;
  g_ptr_array_add (series, found);
  return found;
}

static void
record_add (const CapraRecord *record)
{
  Series *into = series_get (record->device, record->name);

  if (!records)
    records = g_array_sized_new (FALSE, FALSE, sizeof (CapraRecord), 1024);
  if (records->len < KEPT_RECORDS)
    g_array_append_val (records, *record);
  else
    g_array_index (records, CapraRecord, n_records % KEPT_RECORDS) = *record;
  n_records++;
  capra_series_add (&into->times, (double) (record->end - record->start) * 1e-6, record->bytes);
}

/* Turns a finished event into a record; failed commands leave none. */
static void
pending_finish (Pending *done)
{
  CapraRecord *record = &done->record;
  cl_ulong queued = 0, start = 0, end = 0;

  if (clGetEventProfilingInfo (done->event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL) == CL_SUCCESS
      && clGetEventProfilingInfo (done->event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS
      && clGetEventProfilingInfo (done->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS
      && end >= start)
    {
      record->queued = queued;
      record->start = start;
      record->end = end;
      record_add (record);
    }
  clReleaseEvent (done->event);
  g_free (done);
}

static gboolean
is_done (cl_event event)
{
  cl_int status = CL_QUEUED;

  return clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS
         || status <= CL_COMPLETE;
}

static void
collect_done (void)
{
  Pending *oldest = NULL;

  if (capra_fork_is_child ())
    return;
  while ((oldest = g_queue_peek_head (&pending)) && is_done (oldest->event))
    pending_finish (g_queue_pop_head (&pending));
}

/* Collects everything that was enqueued until now, waiting for it. Takes and keeps the lock. */
static void
lock_and_collect (void)
{
  Pending *last = NULL;
  gboolean waited = TRUE;
  guint64 end = 0;

  capra_fork_lock (&lock);
  end = n_added;
  collect_done ();
  while (!capra_fork_is_child () && (last = g_queue_peek_head (&pending)) && last->number < end)
    {
      cl_event event = last->event;

      clRetainEvent (event);
      for (int i = 0; i < CAPRA_N_QUEUES; i++)
        clFlush (last->context->queues[i]);
      g_mutex_unlock (&lock);
      waited = clWaitForEvents (1, &event) == CL_SUCCESS;
      capra_fork_lock (&lock);
      collect_done ();
      /* Without it, if it cannot be waited for; unless another thread has taken it meanwhile. */
      if (!waited && (last = g_queue_peek_head (&pending)) && last->event == event)
        pending_finish (g_queue_pop_head (&pending));
      clReleaseEvent (event);
    }
}

void
capra_timeline_add (CapraContext *context, const char *name, guint64 bytes, cl_event event)
{
  Pending *added = g_new0 (Pending, 1);

  clRetainEvent (event);
  added->record = (CapraRecord){ .device = context->device, .name = name, .bytes = bytes };
  added->event = event;
  added->context = context;

  capra_fork_lock (&lock);
  added->number = n_added++;
  g_queue_push_tail (&pending, added);
  if (pending.length >= COLLECT_AT)
    collect_done ();
  g_mutex_unlock (&lock);
}

/* The statistics of now, from copies, so that medians hold nobody up. Gives the lock back. */
static GArray *
unlock_with_statistics (void)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_free);
  GArray *statistics = g_array_new (FALSE, FALSE, sizeof (CapraTiming));

  for (guint i = 0; series && i < series->len; i++)
    g_ptr_array_add (copies, g_memdup2 (series->pdata[i], sizeof (Series)));
  g_mutex_unlock (&lock);

  for (guint i = 0; i < copies->len; i++)
    {
      Series *from = copies->pdata[i];
      const CapraSeries *times = &from->times;
      CapraTiming timing = { from->device, from->name,  times->count,
                             times->bytes, times->min,  0,
                             times->max,   times->mean, capra_series_std (times),
                             times->total };

      timing.median = capra_series_take_median (&from->times);
      g_array_append_val (statistics, timing);
    }
  return statistics;
}

/* The records from number @since on. Gives the lock back. */
static GArray *
unlock_with_records (guint64 since)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (CapraRecord));

  if (n_records > KEPT_RECORDS)
    since = MAX (since, n_records - KEPT_RECORDS);
  for (guint64 i = since; i < n_records; i++)
    g_array_append_val (copy, g_array_index (records, CapraRecord, i % KEPT_RECORDS));
  g_mutex_unlock (&lock);
  return copy;
}

GArray *
capra_timeline_statistics (void)
{
  lock_and_collect ();
  return unlock_with_statistics ();
}

GArray *
capra_timeline_records (guint64 since)
{
  lock_and_collect ();
  return unlock_with_records (since);
}

guint64
capra_timeline_count_finished (void)
{
  guint64 count = 0;

  capra_fork_lock (&lock);
  collect_done ();
  count = n_records;
  g_mutex_unlock (&lock);
  return count;
}

GArray *
capra_timeline_finished_statistics (void)
{
  capra_fork_lock (&lock);
  return unlock_with_statistics ();
}

GArray *
capra_timeline_finished_records (guint64 *since)
{
  guint64 from = 0;

  capra_fork_lock (&lock);
  collect_done ();
  from = *since <= n_records ? *since : 0;
  *since = n_records;
  return unlock_with_records (from);
}

double
capra_timeline_total (CapraDevice *device, const char *name, guint64 *count, guint64 *bytes)
{
  g_autoptr (GArray) statistics = capra_timeline_statistics ();
  guint64 n = 0, moved = 0;
  double total = 0;

  for (guint i = 0; i < statistics->len; i++)
    {
      const CapraTiming *timing = &g_array_index (statistics, CapraTiming, i);

      if ((device && timing->device != device) || (name && !g_str_equal (timing->name, name)))
        continue;
      n += timing->count;
      moved += timing->bytes;
      total += timing->total;
    }
  if (count)
    *count = n;
  if (bytes)
    *bytes = moved;
  return total;
}

void
capra_timeline_reset (void)
{
  lock_and_collect ();
  g_clear_pointer (&series, g_ptr_array_unref);
  g_clear_pointer (&records, g_array_unref);
  n_records = 0;
  g_mutex_unlock (&lock);
}

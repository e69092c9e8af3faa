/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline: turns finished events into records and running statistics. */
#include <string.h>

#include "runtime/base/fork.h"
#include "runtime/trace/running-statistics.h"
#include "runtime/trace/timeline-private.h"
#include "runtime/trace/timeline-scope-private.h"

#define MAX_RECORDS 65536
/* The number of pending records from which on adding one collects those that are finished. */
#define COLLECT_AT 512

typedef struct {
  guint64 number; /* from 0, in the order of enqueueing */
  CapraRecord record;
  cl_event event;
  CapraContext *context;
  CapraTimelineScope *scope; /* NULL for none */
  gboolean first;
} Pending;

typedef struct {
  CapraDevice *device;
  const char *name;
  CapraRunningStatistics times;
} Statistics;

static GMutex lock;
static GQueue pending = G_QUEUE_INIT; /* of Pending, in the order of enqueueing */
static guint64 n_added;               /* all that have been added */
static GArray *records;               /* a ring of CapraRecord */
static guint64 n_records;             /* since the last reset */
static GPtrArray *statistics;         /* of Statistics, in the order of first use */

/* @all: (element-type Statistics) */
static Statistics *
get_statistics (GPtrArray *all, CapraDevice *device, const char *name)
{
  Statistics *found = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      found = all->pdata[i];
      if (found->device == device && g_str_equal (found->name, name))
        return found;
    }
  found = g_new0 (Statistics, 1);
  found->device = device;
  found->name = name;
  g_ptr_array_add (all, found);
  return found;
}

static void
add_to_statistics (GPtrArray *all, const CapraRecord *record)
{
  Statistics *into = get_statistics (all, record->device, record->name);

  capra_running_statistics_add (&into->times, (double) (record->end - record->start) * 1e-6, record->bytes);
}

static void
record_add (const CapraRecord *record)
{
  if (!statistics)
    statistics = g_ptr_array_new_with_free_func (g_free);
  if (!records)
    records = g_array_sized_new (FALSE, FALSE, sizeof (CapraRecord), 1024);
  if (records->len < MAX_RECORDS)
    g_array_append_val (records, *record);
  else
    g_array_index (records, CapraRecord, n_records % MAX_RECORDS) = *record;
  n_records++;
  add_to_statistics (statistics, record);
}

/* The driver may have compiled the kernel of @done while the device had nothing else to do, before it started. */
static void
add_build (const Pending *done)
{
  const CapraRecord *record = &done->record;
  guint64 idle = MAX (record->queued, done->context->last_end);

  if (record->start > idle)
    capra_timeline_scope_add_build (done->scope, record->enqueued + (gint64) (idle - record->queued) / 1000,
                                    record->enqueued + (gint64) (record->start - record->queued) / 1000);
}

/* Turns a finished event into a record. A failed command leaves none. */
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
      if (!capra_timeline_scope_is_separate (done->scope))
        record_add (record);
      if (done->scope)
        capra_timeline_scope_add (done->scope, record);
      if (done->scope && done->first)
        add_build (done);
      done->context->last_end = MAX (done->context->last_end, end);
    }
  g_clear_pointer (&done->scope, capra_timeline_scope_unref);
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

/* Waits for all commands enqueued so far and collects them. Returns with the lock held. */
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
      /* An event that cannot be waited for is dropped, unless another thread has collected it meanwhile. */
      if (!waited && (last = g_queue_peek_head (&pending)) && last->event == event)
        pending_finish (g_queue_pop_head (&pending));
      clReleaseEvent (event);
    }
}

void
capra_timeline_add (CapraContext *context, const char *name, guint64 bytes, gboolean first, cl_event event)
{
  Pending *added = g_new0 (Pending, 1);

  clRetainEvent (event);
  added->record = (CapraRecord){
    .device = context->device,
    .name = name,
    .bytes = bytes,
    .enqueued = g_get_monotonic_time (),
    .scope = capra_timeline_scope_get_number (capra_timeline_scope_get_current ()),
  };
  added->event = event;
  added->context = context;
  added->first = first;
  if (capra_timeline_scope_get_current ())
    added->scope = capra_timeline_scope_ref (capra_timeline_scope_get_current ());

  capra_fork_lock (&lock);
  added->number = n_added++;
  g_queue_push_tail (&pending, added);
  if (pending.length >= COLLECT_AT)
    collect_done ();
  g_mutex_unlock (&lock);
}

/* @all: (element-type Statistics): nothing can be added afterwards */
static GArray *
make_timings (GPtrArray *all)
{
  GArray *timings = g_array_new (FALSE, FALSE, sizeof (CapraTiming));

  for (guint i = 0; i < all->len; i++)
    {
      Statistics *from = all->pdata[i];
      const CapraRunningStatistics *times = &from->times;
      CapraTiming timing = { from->device, from->name,  times->count,
                             times->bytes, times->min,  0,
                             times->max,   times->mean, capra_running_statistics_std (times),
                             times->total };

      timing.median = capra_running_statistics_median (&from->times);
      g_array_append_val (timings, timing);
    }
  return timings;
}

/* Releases the lock, and computes the medians from copies, so that no thread waits for them. */
static GArray *
unlock_with_statistics (void)
{
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; statistics && i < statistics->len; i++)
    g_ptr_array_add (copies, g_memdup2 (statistics->pdata[i], sizeof (Statistics)));
  g_mutex_unlock (&lock);
  return make_timings (copies);
}

GArray *
capra_timeline_statistics_of (const GArray *of)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < of->len; i++)
    add_to_statistics (all, &g_array_index (of, CapraRecord, i));
  return make_timings (all);
}

GArray *
capra_timeline_scope_records (CapraTimelineScope *scope)
{
  GArray *copy = NULL;

  g_return_val_if_fail (scope != NULL, NULL);
  lock_and_collect ();
  copy = capra_timeline_scope_copy_records (scope);
  g_mutex_unlock (&lock);
  return copy;
}

double
capra_timeline_scope_get_build_time (CapraTimelineScope *scope)
{
  g_return_val_if_fail (scope != NULL, 0.0);
  lock_and_collect ();
  g_mutex_unlock (&lock);
  return capra_timeline_scope_sum_builds (scope);
}

/* The records from number @since on. Releases the lock. */
static GArray *
unlock_with_records (guint64 since)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (CapraRecord));

  if (n_records > MAX_RECORDS)
    since = MAX (since, n_records - MAX_RECORDS);
  for (guint64 i = since; i < n_records; i++)
    g_array_append_val (copy, g_array_index (records, CapraRecord, i % MAX_RECORDS));
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

double
capra_timeline_finished_transfers (CapraDevice *device, guint64 *bytes)
{
  double total = 0;

  *bytes = 0;
  capra_fork_lock (&lock);
  collect_done ();
  for (guint i = 0; statistics && i < statistics->len; i++)
    {
      const Statistics *own = statistics->pdata[i];

      if (own->device != device || (!g_str_equal (own->name, "upload") && !g_str_equal (own->name, "download")))
        continue;
      *bytes += own->times.bytes;
      total += own->times.total;
    }
  g_mutex_unlock (&lock);
  return total;
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
  g_autoptr (GArray) timings = capra_timeline_statistics ();
  guint64 n = 0, moved = 0;
  double total = 0;

  for (guint i = 0; i < timings->len; i++)
    {
      const CapraTiming *timing = &g_array_index (timings, CapraTiming, i);

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
  g_clear_pointer (&statistics, g_ptr_array_unref);
  g_clear_pointer (&records, g_array_unref);
  n_records = 0;
  g_mutex_unlock (&lock);
}

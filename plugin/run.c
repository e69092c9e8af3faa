/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run: on which devices a job is done, and in how many parts. */
#include "plugin/run.h"

#include "plugin/choice.h"
#include "plugin/common.h"
#include "plugin/plan.h"
#include "plugin/resident.h"
#include "runtime/error.h"

/* Parts do not become smaller than this, in rows. */
#define MIN_ROWS 8

/* A stretch of the job's rows on its way, on one device after the other if need be. */
typedef struct {
  CapraJob job;
  CapraJobFunc func;
  const GPtrArray *devices;
  guint first;     /* the device to begin with */
  gboolean whole;  /* whether this is all of the job */
  gboolean wait;   /* until the results are there, so that the time tells something */
  GArray *parts;   /* the results */
  gint64 time;     /* what it took, in microseconds */
  GError *error;
} Errand;

/* Does the rows from @y on, and adds the result to the parts. */
static gboolean
do_rows (Errand *errand, gint y, gint rows, GError **error)
{
  CapraJob part = errand->job;
  gboolean whole = errand->whole && rows == errand->job.roi.height;
  CapraRect rect;

  part.roi.y = y;
  part.roi.height = rows;
  part.result.array = NULL;
  part.output = NULL;
  if (!errand->func (&part, error))
    {
      capra_pixels_clear (&part.result);
      g_clear_object (&part.output);
      return FALSE;
    }
  errand->job.output = part.output;
  if (!part.result.array)
    return TRUE;

  /* A result may be larger than what was asked for; parts must fit together. */
  rect = capra_rect (&part.roi);
  if (!whole && !capra_pixels_crop (&part.result, &rect, error))
    {
      capra_pixels_clear (&part.result);
      return FALSE;
    }
  capra_parts_add (errand->parts, &part.result);
  return TRUE;
}

/* Does all rows on one device: at once, or, as long as its memory does not suffice, ever fewer at a time. */
static gboolean
do_on_device (Errand *errand, GError **error)
{
  const GeglRectangle *roi = &errand->job.roi;
  gint y = roi->y, end = roi->y + roi->height, rows = roi->height;
  g_autoptr(GError) first = NULL; /* what it says is about the whole */

  g_array_set_size (errand->parts, 0);
  for (;;)
    {
      g_autoptr(GError) local = NULL;

      if (do_rows (errand, y, MIN (rows, end - y), &local))
        {
          y += MIN (rows, end - y);
          if (y >= end)
            return TRUE;
          continue;
        }
      if (!g_error_matches (local, CAPRA_ERROR, CAPRA_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (first && (!errand->job.divisible || rows < 2 * MIN_ROWS))
        {
          g_propagate_error (error, g_steal_pointer (&first));
          return FALSE;
        }
      if (first)
        rows = (rows + 1) / 2;
      else
        first = g_steal_pointer (&local);
      capra_memory_free_unused (errand->job.device);
    }
}

/* Tells that the work goes on elsewhere than one would expect. */
static void
remark (Errand *errand, const GError *error, CapraDevice *device)
{
  const CapraDeviceInfo *next = capra_device_get_info (device);
  g_autofree char *text = g_strdup_printf ("%s; the work moves on to %s (%s)", error->message, next->name,
                                           next->id);

  capra_outcome_remark (capra_common_get (errand->job.operation)->outcome, next->id, text);
}

static gboolean
do_anywhere (Errand *errand, GError **error)
{
  guint n = errand->devices->len;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GError) local = NULL;

      errand->job.device = errand->devices->pdata[(errand->first + i) % n];
      if (do_on_device (errand, &local))
        return TRUE;
      if (i + 1 == n || !capra_choice_may_move_on (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      remark (errand, local, errand->devices->pdata[(errand->first + i + 1) % n]);
    }
  return FALSE;
}

static gpointer
errand_run (gpointer data)
{
  Errand *errand = data;
  gint64 begin = g_get_monotonic_time ();

  if (do_anywhere (errand, &errand->error) && errand->wait)
    for (guint i = 0; i < errand->parts->len && !errand->error; i++)
      capra_array_wait (g_array_index (errand->parts, CapraPixels, i).array, &errand->error);
  errand->time = g_get_monotonic_time () - begin;
  return NULL;
}

/* Runs them at once, the first one in this thread. */
static gboolean
run_errands (Errand *errands, guint n, GError **error)
{
  GThread *threads[CAPRA_PLAN_MAX] = { NULL };
  gboolean done = TRUE;

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("capra-part", errand_run, &errands[i], NULL);
  for (guint i = 0; i < n; i++)
    {
      if (threads[i])
        g_thread_join (threads[i]);
      else
        errand_run (&errands[i]);
      if (!errands[i].error)
        continue;
      if (done)
        g_propagate_error (error, g_steal_pointer (&errands[i].error));
      g_clear_error (&errands[i].error);
      done = FALSE;
    }
  return done;
}

/* Splits the job's rows over the devices as planned; the parts come in their order. */
static gboolean
run_planned (CapraJob *job, CapraJobFunc func, const GPtrArray *devices, GArray *parts, GError **error)
{
  CapraPlan plan = capra_plan_begin (gegl_operation_get_name (job->operation), &job->roi, devices);
  Errand errands[CAPRA_PLAN_MAX];
  gint64 times[CAPRA_PLAN_MAX];
  gint y = job->roi.y;
  gboolean done = FALSE;

  for (guint i = 0; i < plan.n; i++)
    {
      errands[i] = (Errand) { *job, func, devices, plan.device[i], plan.n == 1, plan.measures,
                               capra_parts_new () };
      errands[i].job.roi.y = y;
      errands[i].job.roi.height = plan.rows[i];
      y += plan.rows[i];
    }
  done = run_errands (errands, plan.n, error);
  for (guint i = 0; i < plan.n; i++)
    {
      capra_parts_move (parts, errands[i].parts);
      g_array_unref (errands[i].parts);
      times[i] = errands[i].time;
    }
  if (done)
    capra_plan_end (&plan, times);
  return done;
}

gboolean
capra_job_run (CapraJob *job, CapraJobFunc func, GError **error)
{
  g_autofree char *name = capra_common_dup_device (job->operation);
  g_autoptr(GPtrArray) devices = capra_choice_list (name, error);
  g_autoptr(GArray) parts = capra_parts_new ();
  Errand errand = { *job, func, devices, 0, TRUE, FALSE, parts };

  if (!devices)
    return FALSE;
  if (job->divisible && devices->len > 1 && capra_device_is_all (name))
    {
      if (!run_planned (job, func, devices, parts, error))
        return FALSE;
    }
  else if (!do_anywhere (&errand, error))
    return FALSE;

  g_clear_object (&job->output);
  if (parts->len > 0)
    job->output = capra_resident_new_buffer (g_steal_pointer (&parts),
                                             gegl_operation_get_format (job->operation, "output"),
                                             job->operation);
  else
    job->output = errand.job.output;
  return TRUE;
}

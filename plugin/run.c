/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run: on which devices a job is done, and in how many parts. */
#include "plugin/run.h"

#include "plugin/choice.h"
#include "plugin/common.h"
#include "plugin/landing.h"
#include "plugin/plan.h"
#include "plugin/resident.h"
#include "plugin/target.h"
#include "runtime/error.h"

/* Parts do not become smaller than this, in rows. */
#define MIN_ROWS 8
/* Parts become smaller than they would have to be, so that one is computed while others come and go, as long as no
 * more than this many times their pixels is needed for them. */
#define MOST_NEEDED 1.25

/* A stretch of the job's rows on its way, on one device after the other if need be. */
typedef struct {
  CapraJob job;
  CapraJobFunc func;
  const GPtrArray *devices;
  guint first;     /* the device to begin with */
  gboolean whole;  /* whether this is all of the job */
  gboolean wait;   /* until the results are there, so that the time tells something */
  gboolean lands;  /* what is done in parts goes to the host at once, as memory is short */
  const Babl *held, *shown; /* the format of results, and that of their tiles */
  GArray *parts;   /* the results that stay where they are */
  CapraLanding *landing; /* (nullable): those that do not */
  gint64 time;     /* what it took, in microseconds */
  GError *error;
} Errand;

/* What to do with a result: a whole one waits on the device for the next operation. */
static gboolean
keep_result (Errand *errand, const GeglRectangle *roi, CapraPixels *result, GError **error)
{
  CapraRect rect = capra_rect (roi);

  if (errand->whole && roi->height == errand->job.roi.height)
    {
      capra_parts_add (errand->parts, result);
      return TRUE;
    }
  /* A result may be larger than what was asked for; parts must fit together. */
  if (!capra_pixels_crop (result, &rect, error))
    return FALSE;
  if (errand->lands && !errand->landing)
    {
      CapraGrid grid = capra_grid_plan (&errand->job.roi, errand->held, errand->shown);

      errand->landing = capra_landing_new (&grid, error);
      if (!errand->landing)
        return FALSE;
    }
  if (errand->landing)
    capra_landing_add (errand->landing, result);
  else
    capra_parts_add (errand->parts, result);
  return TRUE;
}

/* Does the rows from @y on. */
static gboolean
do_rows (Errand *errand, gint y, gint rows, GError **error)
{
  CapraJob part = errand->job;
  gboolean done = FALSE;

  part.roi.y = y;
  part.roi.height = rows;
  part.result.array = NULL;
  part.output = NULL;
  done = errand->func (&part, error)
         && (!part.result.array || keep_result (errand, &part.roi, &part.result, error));
  if (done)
    g_set_object (&errand->job.output, part.output);
  capra_pixels_clear (&part.result);
  g_clear_object (&part.output);
  return done;
}

/* What is needed for so many rows of the result. */
static GeglRectangle
needed_for (Errand *errand, gint rows)
{
  GeglRectangle part = errand->job.roi;

  part.height = MIN (rows, part.height);
  return gegl_operation_get_required_for_output (errand->job.operation, "input", &part);
}

/* Whether the device could have room for so many rows and what is needed for them, if there was nothing else. */
static gboolean
may_fit (Errand *errand, gint rows)
{
  GeglRectangle needed = needed_for (errand, rows);
  const Babl *input = gegl_operation_get_format (errand->job.operation, "input");
  CapraMemory memory;
  double bytes = 0.0;

  capra_memory_query (errand->job.device, &memory);
  if (input)
    bytes += (double) needed.width * needed.height * babl_format_get_bytes_per_pixel (input);
  if (errand->held)
    bytes += (double) errand->job.roi.width * rows * babl_format_get_bytes_per_pixel (errand->held);
  return bytes <= (double) memory.budget;
}

/* How many rows to begin with: all, or half of those that may have room. */
static gint
rows_at_a_time (Errand *errand)
{
  gint rows = errand->job.roi.height, half = 0;

  if (!errand->job.divisible || may_fit (errand, rows))
    return rows;
  while (rows >= 2 * MIN_ROWS && !may_fit (errand, rows))
    rows = (rows + 1) / 2;
  half = MAX ((rows + 1) / 2, MIN_ROWS);
  return errand->lands && needed_for (errand, half).height <= MOST_NEEDED * half ? half : rows;
}

/* Waits for what is on its way to the host. */
static gboolean
land (Errand *errand, GError **error)
{
  if (!errand->landing)
    return TRUE;
  capra_landing_wait (errand->landing);
  return capra_landing_check (errand->landing, error);
}

/* Does all rows on one device: at once, or, as long as its memory does not suffice, ever fewer at a time. */
static gboolean
do_all_rows (Errand *errand, GError **error)
{
  const GeglRectangle *roi = &errand->job.roi;
  gint y = roi->y, end = roi->y + roi->height, rows = rows_at_a_time (errand);
  g_autoptr(GError) first = NULL;

  while (y < end)
    {
      g_autoptr(GError) local = NULL;

      if (do_rows (errand, y, MIN (rows, end - y), &local))
        {
          y += MIN (rows, end - y);
          continue;
        }
      if (!g_error_matches (local, CAPRA_ERROR, CAPRA_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      /* Results on their way have memory, too. */
      if (errand->landing && capra_landing_wait (errand->landing))
        continue;
      if (first && (!errand->job.divisible || rows < 2 * MIN_ROWS))
        {
          g_propagate_error (error, g_steal_pointer (&first));
          return FALSE;
        }
      if (!first)
        {
          first = g_steal_pointer (&local);
          capra_memory_free_unused (errand->job.device);
        }
      if (errand->job.divisible && rows >= 2 * MIN_ROWS)
        rows = (rows + 1) / 2;
    }
  return TRUE;
}

static gboolean
do_on_device (Errand *errand, GError **error)
{
  gboolean done = FALSE;

  g_array_set_size (errand->parts, 0);
  done = do_all_rows (errand, error);
  return land (errand, done ? error : NULL) && done;
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
run_planned (Errand *whole, GError **error)
{
  const CapraJob *job = &whole->job;
  CapraPlan plan = capra_plan_begin (gegl_operation_get_name (job->operation), &job->roi, whole->devices);
  Errand errands[CAPRA_PLAN_MAX];
  gint64 times[CAPRA_PLAN_MAX];
  gint y = job->roi.y;
  gboolean done = FALSE;

  for (guint i = 0; i < plan.n; i++)
    {
      errands[i] = *whole;
      errands[i].first = plan.device[i];
      errands[i].whole = errands[i].lands = plan.n == 1;
      errands[i].wait = plan.measures;
      errands[i].parts = capra_parts_new ();
      errands[i].job.roi.y = y;
      errands[i].job.roi.height = plan.rows[i];
      y += plan.rows[i];
    }
  done = run_errands (errands, plan.n, error);
  for (guint i = 0; i < plan.n; i++)
    {
      capra_parts_move (whole->parts, errands[i].parts);
      g_array_unref (errands[i].parts);
      times[i] = errands[i].time;
    }
  whole->landing = errands[0].landing;
  whole->job.output = g_steal_pointer (&errands[0].job.output);
  if (done)
    capra_plan_end (&plan, times);
  return done;
}

/* The buffer over what an errand has brought. */
static GeglBuffer *
take_result (Errand *errand)
{
  CapraGrid grid;
  GeglTile **tiles = NULL;

  if (errand->parts->len > 0)
    return capra_resident_new_buffer (g_steal_pointer (&errand->parts), errand->held, errand->shown,
                                      errand->job.operation);
  if (!errand->landing)
    return g_steal_pointer (&errand->job.output);
  tiles = capra_landing_take_tiles (errand->landing, &grid);
  return capra_resident_new_landed (&grid, tiles, errand->shown);
}

static void
errand_clear (Errand *errand)
{
  g_clear_pointer (&errand->parts, g_array_unref);
  g_clear_pointer (&errand->landing, capra_landing_free);
  g_clear_object (&errand->job.output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Errand, errand_clear)

gboolean
capra_job_run (CapraJob *job, CapraJobFunc func, GError **error)
{
  g_autofree char *name = capra_common_dup_device (job->operation);
  g_autoptr(GPtrArray) devices = capra_choice_list (name, error);
  const Babl *held = gegl_operation_get_format (job->operation, "output");
  g_auto(Errand) errand = { *job, func, devices, .whole = TRUE, .lands = TRUE, .held = held,
                            .shown = held ? capra_target_get_format (job->operation, held) : NULL,
                            .parts = capra_parts_new () };
  gboolean done = FALSE;

  g_clear_object (&job->output);
  errand.job.output = NULL;
  if (!devices)
    return FALSE;
  if (job->divisible && devices->len > 1 && capra_device_is_all (name))
    done = run_planned (&errand, error);
  else
    done = do_anywhere (&errand, error);
  if (done)
    job->output = take_result (&errand);
  return done;
}

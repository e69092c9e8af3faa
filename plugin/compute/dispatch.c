/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Run: on which devices a job is done, and in how many parts. */
#include "plugin/compute/dispatch.h"

#include "plugin/compute/fallback.h"
#include "plugin/properties.h"
#include "plugin/compute/download-queue.h"
#include "plugin/compute/device-split.h"
#include "plugin/buffers/resident.h"
#include "plugin/buffers/output-format.h"
#include "runtime/device/error.h"

/* Parts do not become smaller than this, in rows. */
#define MIN_ROWS 8
/* Parts become smaller than they would have to be, so that one is computed while others come and go, as long as no
 * more than this many times their pixels is needed for them. */
#define MOST_NEEDED 1.25

/* What is to be done, and where results meet that do not stay on their devices. */
typedef struct {
  CapraJob job;
  CapraJobFunc func;
  const GPtrArray *devices;
  const Babl *held, *shown; /* the format of results, and that of tiles */
  GMutex lock;              /* guards what follows */
  CapraTileGrid grid;
  GeglTile **tiles; /* (nullable): of what is done in parts, as memory is short */
} Work;

/* A stretch of the work's rows on its way, on one device after the other if need be. */
typedef struct {
  Work *work;
  CapraJob job;
  guint first;                 /* the device to begin with */
  gboolean wait;               /* until the results are there, so that the time tells something */
  GArray *parts;               /* the result of all its rows, if that stays where it is */
  CapraDownloadQueue *landing; /* (nullable): what takes results to the host, if they come in parts */
  gint64 time;                 /* what it took, in microseconds */
  GError *error;
} Errand;

static GeglTile *const *
get_tiles (Work *work)
{
  g_mutex_lock (&work->lock);
  if (!work->tiles)
    {
      work->grid = capra_tile_grid_new (&work->job.roi, work->held, work->shown);
      work->tiles = capra_tile_grid_new_tiles (&work->grid);
    }
  g_mutex_unlock (&work->lock);
  return work->tiles;
}

/* What to do with a result: that of all rows waits on the device for the next operation. */
static gboolean
keep_result (Errand *errand, const GeglRectangle *roi, CapraPixels *result, GError **error)
{
  CapraRect rect = capra_rect (roi);
  gboolean all = roi->height == errand->job.roi.height;

  /* A result may be larger than what was asked for; parts must fit together. */
  if (!(all && gegl_rectangle_equal (roi, &errand->work->job.roi)) && !capra_pixels_crop (result, &rect, error))
    return FALSE;
  if (all)
    {
      capra_bands_add (errand->parts, result);
      return TRUE;
    }
  if (!errand->landing)
    {
      GeglTile *const *tiles = get_tiles (errand->work);

      errand->landing = capra_download_queue_new (&errand->work->grid, tiles, error);
    }
  if (!errand->landing)
    return FALSE;
  capra_download_queue_push (errand->landing, result);
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
  done = errand->work->func (&part, error)
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

/* Whether the device could have room for so many rows, what is needed for them, and one image in between, if there was
 * nothing else. To take too many at first costs more than to take a few less: what was done is done again, in memory
 * that is fresh. */
static gboolean
may_fit (Errand *errand, gint rows)
{
  GeglRectangle needed = needed_for (errand, rows);
  const Babl *input = gegl_operation_get_format (errand->job.operation, "input"), *held = errand->work->held;
  CapraMemory memory;
  double in = 0.0, out = 0.0;

  capra_memory_query (errand->job.device, &memory);
  if (input)
    in = (double) needed.width * needed.height * babl_format_get_bytes_per_pixel (input);
  if (held)
    out = (double) errand->job.roi.width * rows * babl_format_get_bytes_per_pixel (held);
  return in + out + MAX (in, out) <= (double) memory.budget;
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
  return needed_for (errand, half).height <= MOST_NEEDED * half ? half : rows;
}

/* Waits for what is on its way to the host. */
static gboolean
land (Errand *errand, GError **error)
{
  if (!errand->landing)
    return TRUE;
  capra_download_queue_wait (errand->landing);
  return capra_download_queue_check (errand->landing, error);
}

/* Does all rows on one device: at once, or, as long as its memory does not suffice, ever fewer at a time. */
static gboolean
do_all_rows (Errand *errand, GError **error)
{
  const GeglRectangle *roi = &errand->job.roi;
  gint y = roi->y, end = roi->y + roi->height, rows = rows_at_a_time (errand);
  g_autoptr (GError) first = NULL;

  while (y < end)
    {
      g_autoptr (GError) local = NULL;

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
      if (errand->landing && capra_download_queue_wait (errand->landing))
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
  g_autofree char *text = g_strdup_printf ("%s; the work moves on to %s (%s)", error->message, next->name, next->id);

  capra_error_report_warn (capra_properties_get (errand->job.operation)->report, next->id, text);
}

static gboolean
do_anywhere (Errand *errand, GError **error)
{
  const GPtrArray *devices = errand->work->devices;
  guint n = devices->len;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) local = NULL;

      errand->job.device = devices->pdata[(errand->first + i) % n];
      if (do_on_device (errand, &local))
        return TRUE;
      if (i + 1 == n || !capra_fallback_is_allowed (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      remark (errand, local, devices->pdata[(errand->first + i + 1) % n]);
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
  GThread *threads[CAPRA_DEVICE_SPLIT_MAX] = { NULL };
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

/* The results of some devices went to the host: so do those of the others. */
static gboolean
land_rest (Work *work, Errand *errands, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < errands[i].parts->len; k++)
      {
        CapraPixels part = g_array_index (errands[i].parts, CapraPixels, k);

        part.rect.y -= work->grid.extent.y;
        if (!capra_scatter (&work->grid, work->tiles, &part, FALSE, error))
          return FALSE;
      }
  return TRUE;
}

/* Makes a buffer over what errands have brought, one below the other; some bring nothing, or a buffer of their own. */
static gboolean
take_result (Work *work, Errand *errands, guint n, GeglBuffer **output, GError **error)
{
  guint kept = 0;
  GArray *parts = NULL;

  for (guint i = 0; i < n; i++)
    kept += errands[i].parts->len > 0;
  if (kept < n && work->tiles)
    {
      if (!land_rest (work, errands, n, error))
        return FALSE;
      *output = capra_resident_new_from_tiles (&work->grid, g_steal_pointer (&work->tiles), work->shown);
      return TRUE;
    }
  if (kept == 0)
    {
      *output = g_steal_pointer (&errands[0].job.output);
      return TRUE;
    }
  parts = capra_bands_new ();
  for (guint i = 0; i < n; i++)
    capra_bands_move (parts, errands[i].parts);
  *output = capra_resident_new_buffer (parts, work->held, work->shown, work->job.operation);
  return TRUE;
}

static void
errand_clear (Errand *errand)
{
  g_clear_pointer (&errand->landing, capra_download_queue_free);
  g_clear_pointer (&errand->parts, g_array_unref);
  g_clear_object (&errand->job.output);
}

/* The job's rows on one device, or divided among several as planned. */
static gboolean
run_plan (Work *work, const CapraDeviceSplit *plan, gint64 *times, GeglBuffer **output, GError **error)
{
  Errand errands[CAPRA_DEVICE_SPLIT_MAX];
  gint y = work->job.roi.y;
  gboolean done = FALSE;

  for (guint i = 0; i < plan->n; i++)
    {
      errands[i] = (Errand){ work, work->job, plan->device[i], plan->measures, capra_bands_new () };
      errands[i].job.roi.y = y;
      errands[i].job.roi.height = plan->rows[i];
      y += plan->rows[i];
    }
  done = run_errands (errands, plan->n, error) && take_result (work, errands, plan->n, output, error);
  for (guint i = 0; i < plan->n; i++)
    {
      times[i] = errands[i].time;
      errand_clear (&errands[i]);
    }
  return done;
}

static void
work_clear (Work *work)
{
  capra_tile_grid_free_tiles (&work->grid, work->tiles);
  g_mutex_clear (&work->lock);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

gboolean
capra_dispatch (CapraJob *job, CapraJobFunc func, GError **error)
{
  g_autofree char *name = capra_properties_dup_device (job->operation);
  g_autoptr (GPtrArray) devices = capra_fallback_list_devices (name, error);
  const Babl *held = gegl_operation_get_format (job->operation, "output");
  gboolean planned = devices && job->divisible && devices->len > 1 && capra_device_is_all (name);
  CapraDeviceSplit plan = { .n = 1, .rows = { job->roi.height } };
  gint64 times[CAPRA_DEVICE_SPLIT_MAX];
  gboolean done = FALSE;
  g_auto (Work) work = { *job, func, devices, held, held ? capra_output_format_get (job->operation, held) : NULL };

  g_mutex_init (&work.lock);
  g_clear_object (&job->output);
  work.job.output = NULL;
  if (!devices)
    return FALSE;
  if (planned)
    plan = capra_device_split_begin (gegl_operation_get_name (job->operation), &job->roi, devices);
  done = run_plan (&work, &plan, times, &job->output, error);
  if (planned && done)
    capra_device_split_end (&plan, times);
  return done;
}

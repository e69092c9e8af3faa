/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Dispatch: chooses the devices of a job, runs it there, and collects the results. */
#include "plugin/compute/dispatch.h"

#include <glib/gi18n-lib.h>

#include "plugin/buffers/first-result.h"
#include "plugin/buffers/output-format.h"
#include "plugin/buffers/scatter.h"
#include "plugin/compute/auto-device.h"
#include "plugin/compute/device-split.h"
#include "plugin/compute/fallback.h"
#include "plugin/compute/out-of-memory.h"
#include "plugin/properties.h"
#include "plugin/thread-pool.h"
#include "runtime/device/device-select.h"

/* A share of the rows, and the devices that may compute it. */
typedef struct {
  CapraShare share;
  const GPtrArray *devices;
  guint first;       /* the index of the device to begin with */
  gboolean measured; /* the time includes waiting for the results */
  gint64 time;       /* in microseconds */
  GError *error;
} DeviceTask;

static void
warn_of_fallback (CapraJob *job, const GError *error, CapraDevice *device)
{
  const CapraDeviceInfo *next = capra_device_get_info (device);
  g_autofree char *text = g_strdup_printf (_ ("%s; trying %s (%s) instead"), error->message, next->name, next->id);

  capra_error_report_warn (capra_properties_get (job->operation)->report, next->id, text);
}

/* Tries the devices one after the other: after several of them together, if the job has parts. */
static gboolean
compute_with_fallback (DeviceTask *task, GError **error)
{
  guint n = task->devices->len, i = 0;
  CapraJob *job = &task->share.job;

  for (;;)
    {
      g_autoptr (GError) local = NULL;

      job->device = task->devices->pdata[(task->first + i) % n];
      if (capra_share_compute (&task->share, &local))
        return TRUE;
      if (job->n_parts > 0)
        job->n_parts = 0;
      else
        i++;
      if (i == n || !capra_fallback_is_allowed (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      warn_of_fallback (job, local, task->devices->pdata[(task->first + i) % n]);
    }
}

static void
task_run (gpointer data)
{
  DeviceTask *task = data;
  const GArray *bands = task->share.bands;
  gint64 begin = g_get_monotonic_time ();

  if (compute_with_fallback (task, &task->error) && task->measured)
    for (guint i = 0; i < bands->len && !task->error; i++)
      capra_array_wait (g_array_index (bands, CapraPixels, i).array, &task->error);
  task->time = g_get_monotonic_time () - begin;
}

/* Runs all tasks at once, the first one in this thread. On failure @failed is set to the device of the first error. */
static gboolean
run_tasks (DeviceTask *tasks, guint n, CapraDevice **failed, GError **error)
{
  CapraTask *threads[CAPRA_DEVICE_SPLIT_MAX] = { NULL };
  gboolean done = TRUE;

  for (guint i = 1; i < n; i++)
    threads[i] = capra_task_start (task_run, &tasks[i]);
  task_run (&tasks[0]);
  for (guint i = 1; i < n; i++)
    capra_task_finish (threads[i]);
  for (guint i = 0; i < n; i++)
    {
      if (!tasks[i].error)
        continue;
      if (done)
        {
          *failed = tasks[i].share.job.device;
          g_propagate_error (error, g_steal_pointer (&tasks[i].error));
        }
      g_clear_error (&tasks[i].error);
      done = FALSE;
    }
  return done;
}

/* Downloads the results that are still on devices, after other devices have downloaded theirs. */
static gboolean
download_rest (CapraHostTiles *host, DeviceTask *tasks, guint n, CapraDevice **failed, GError **error)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < tasks[i].share.bands->len; k++)
      {
        CapraPixels band = g_array_index (tasks[i].share.bands, CapraPixels, k);

        band.rect.x -= host->extent.x;
        band.rect.y -= host->extent.y;
        *failed = tasks[i].share.job.device;
        if (!capra_scatter (&host->grid, host->tiles, &band, FALSE, error))
          return FALSE;
      }
  return TRUE;
}

/* Whether the result is read by the host alone, whose memory its @bands are in. */
static gboolean
is_for_host (const CapraJob *job, const GArray *bands)
{
  for (guint i = 0; i < bands->len; i++)
    if (!capra_device_get_info (capra_array_get_device (g_array_index (bands, CapraPixels, i).array))->unified)
      return FALSE;
  return !capra_output_format_has_device_readers (job->operation);
}

/* Sets the job's tiles to the results of all tasks, or its output to the buffer that the operation gave. */
static gboolean
take_results (CapraJob *job, CapraHostTiles *host, DeviceTask *tasks, guint n, GError **error)
{
  guint on_device = 0;
  GArray *bands = NULL;
  CapraDevice *device = NULL;
  gboolean for_host = FALSE;

  for (guint i = 0; i < n; i++)
    on_device += tasks[i].share.bands->len > 0;
  if (on_device < n && host->tiles)
    {
      if (!download_rest (host, tasks, n, &job->device, error))
        return FALSE;
      job->tiles = capra_device_tiles_new_from_tiles (&host->grid, g_steal_pointer (&host->tiles));
      return TRUE;
    }
  if (on_device == 0)
    {
      job->output = g_steal_pointer (&tasks[0].share.job.output);
      return TRUE;
    }
  bands = capra_bands_new ();
  for (guint i = 0; i < n; i++)
    capra_bands_move (bands, tasks[i].share.bands);
  for_host = is_for_host (job, bands);
  device = capra_array_get_device (g_array_index (bands, CapraPixels, 0).array);
  job->tiles = capra_device_tiles_new (bands, host->array_format, host->tile_format, job->operation,
                                       capra_properties_report_loss);
  if (!for_host)
    return TRUE;
  capra_device_tiles_set_for_host (job->tiles);
  if (!gegl_rectangle_is_empty (&job->extent))
    capra_first_result_add (&job->roi, &job->extent, device);
  return TRUE;
}

/* Computes the job on the devices of @split, and sets @times to what each has taken. */
static gboolean
run_split (CapraJob *job, CapraJobFunc func, const GPtrArray *devices, const CapraDeviceSplit *split, gint64 *times,
           GError **error)
{
  const Babl *format = job->array_format ? job->array_format : gegl_operation_get_format (job->operation, "output");
  const Babl *tile_format = job->tile_format || !format ? job->tile_format
                                                        : capra_output_format_get (job->operation, format);
  DeviceTask tasks[CAPRA_DEVICE_SPLIT_MAX];
  CapraHostTiles host;
  CapraJob rows = *job;
  gboolean done = FALSE;

  capra_host_tiles_init (&host, &job->roi, format, tile_format);
  for (guint i = 0; i < split->n; i++)
    {
      rows.roi.height = split->rows[i];
      tasks[i] = (DeviceTask){ .devices = devices, .first = split->device[i], .measured = split->measured };
      capra_share_init (&tasks[i].share, &rows, func, &host);
      rows.roi.y += split->rows[i];
    }
  done = run_tasks (tasks, split->n, &job->device, error) && take_results (job, &host, tasks, split->n, error);
  if (done)
    job->labels = g_steal_pointer (&tasks[0].share.job.labels);
  for (guint i = 0; i < split->n; i++)
    {
      times[i] = tasks[i].time;
      capra_share_clear (&tasks[i].share);
    }
  capra_host_tiles_clear (&host);
  return done;
}

/* Computes a job that depends on the whole image on the devices of @split together. */
static gboolean
run_parts (CapraJob *job, CapraJobFunc func, const GPtrArray *devices, const CapraDeviceSplit *split, gint64 *times,
           GError **error)
{
  CapraDeviceSplit whole = { .n = 1, .rows = { job->roi.height }, .measured = split->measured };
  CapraBandPart parts[CAPRA_DEVICE_SPLIT_MAX];
  gint64 time = 0;
  gboolean done = FALSE;

  for (guint i = 0; i < split->n; i++)
    parts[i] = (CapraBandPart){ devices->pdata[split->device[i]], (gsize) split->rows[i] };
  job->parts = parts;
  job->n_parts = split->n;
  done = run_split (job, func, devices, &whole, &time, error);
  job->parts = NULL;
  job->n_parts = 0;
  /* What is done once for all parts takes time, too. */
  for (guint i = 0; i < split->n; i++)
    times[i] = split->measures_rates ? parts[i].time : time;
  return done;
}

/* Computes the job on the device that finishes first, or on the next one if that fails. */
static gboolean
run_auto (CapraJob *job, CapraJobFunc func, const GPtrArray *devices, CapraDeviceSplit *split, GError **error)
{
  CapraDeviceWork work;
  CapraDeviceRun run;
  gint64 time = 0;
  gboolean done = FALSE;

  capra_auto_device_get_work (job, &work);
  split->device[0] = capra_device_choose (&work, devices);
  capra_device_run_begin (&run, &work, devices->pdata[split->device[0]]);
  done = run_split (job, func, devices, split, &time, error);
  capra_device_run_end (&run, done);
  return done;
}

gboolean
capra_dispatch (CapraJob *job, CapraJobFunc func, GError **error)
{
  g_autofree char *name = capra_properties_dup_device (job->operation);
  g_autoptr (GPtrArray) devices = capra_fallback_list_devices (name, error);
  CapraDeviceSplit split = { .n = 1, .rows = { job->roi.height } };
  gint64 times[CAPRA_DEVICE_SPLIT_MAX];
  gboolean several = FALSE, done = FALSE;

  g_clear_object (&job->output);
  g_clear_object (&job->labels);
  g_clear_pointer (&job->tiles, capra_device_tiles_unref);
  job->device = NULL;
  if (!devices)
    return FALSE;
  if (devices->len > 1 && capra_device_is_auto (name))
    return run_auto (job, func, devices, &split, error);
  several = (job->divisible || (job->in_bands && !job->one_device)) && devices->len > 1
            && capra_device_is_several (name);
  if (several)
    split = capra_device_split_begin (gegl_operation_get_name (job->operation), &job->roi, devices);
  done = job->divisible || split.n == 1 ? run_split (job, func, devices, &split, times, error)
                                        : run_parts (job, func, devices, &split, times, error);
  if (several && done)
    capra_device_split_end (&split, times);
  return done;
}

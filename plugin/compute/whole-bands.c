/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Whole bands: an operation that needs the whole image, but not at once on one device. */
#include "plugin/compute/whole-bands.h"

#include "runtime/memory/array-rows.h"

void
capra_whole_bands_init (CapraWholeBands *bands, CapraJob *job, CapraWholeRead read)
{
  *bands = (CapraWholeBands){ job, read };
  g_mutex_init (&bands->lock);
}

void
capra_whole_bands_clear (CapraWholeBands *bands)
{
  g_clear_pointer (&bands->labels, g_array_unref);
  g_mutex_clear (&bands->lock);
}

/* The rows of the job's region from @first on. */
static GeglRectangle
get_rect (const CapraJob *job, gsize first, gsize rows)
{
  return (GeglRectangle){ job->roi.x, job->roi.y + (gint) first, job->roi.width, (gint) rows };
}

/* A CapraBandFunc. */
static CapraArray *
read_band (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  CapraWholeBands *bands = data;
  GeglRectangle rect = get_rect (bands->job, first, rows);
  g_auto (CapraPixels) pixels = { NULL };
  CapraJob job = *bands->job;

  job.device = device;
  return bands->read (&job, &rect, &pixels, error) ? g_steal_pointer (&pixels.array) : NULL;
}

CapraBandSource
capra_whole_bands_get_source (CapraWholeBands *bands, guint channels, CapraType type)
{
  const CapraJob *job = bands->job;
  CapraShape shape = { (gsize) job->roi.width, (gsize) job->roi.height, 1, channels, type };

  return (CapraBandSource){ job->device, shape, (gsize) job->band_rows, read_band, bands, 0, job->parts, job->n_parts };
}

/* Labels that are written to the job's buffer. */
typedef struct {
  CapraJob *job;
  GeglRectangle rect;
} LabelRows;

static void
write_labels (gpointer host, gsize first, gsize rows, gpointer data)
{
  const LabelRows *labels = data;
  GeglRectangle rect = { labels->rect.x, labels->rect.y + (gint) first, labels->rect.width, (gint) rows };

  gegl_buffer_set (labels->job->labels, &rect, 0, CAPRA_FORMAT_LABELS, host, GEGL_AUTO_ROWSTRIDE);
}

static gboolean
download_labels (CapraJob *job, CapraArray *labels, const GeglRectangle *rect, GError **error)
{
  LabelRows rows = { job, *rect };

  if (!job->labels)
    job->labels = gegl_buffer_new (&job->roi, CAPRA_FORMAT_LABELS);
  return capra_array_read_rows (labels, NULL, write_labels, &rows, error);
}

gboolean
capra_whole_bands_store_labels (CapraWholeBands *bands, CapraArray *labels, gsize first, GError **error)
{
  GeglRectangle rect = get_rect (bands->job, first, capra_array_get_shape (labels)->height);
  g_auto (CapraPixels) pixels = { labels, capra_rect (&rect) };
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&bands->lock);

  if (!capra_job_is_at_once (bands->job))
    return download_labels (bands->job, labels, &rect, error);
  if (!bands->labels)
    bands->labels = capra_bands_new ();
  capra_bands_add (bands->labels, &pixels);
  return TRUE;
}

void
capra_whole_bands_set_labels (CapraWholeBands *bands)
{
  if (!bands->labels)
    return;
  capra_bands_sort (bands->labels);
  capra_job_set_labels (bands->job, g_steal_pointer (&bands->labels));
}

gboolean
capra_whole_bands_store (CapraWholeBands *bands, CapraArray *array, gsize first, GError **error)
{
  CapraJob *job = bands->job;
  GeglRectangle rect = get_rect (job, first, capra_array_get_shape (array)->height);
  g_auto (CapraPixels) pixels = { array, capra_rect (&rect) };

  return job->store (job->share, &pixels, error);
}

typedef struct {
  CapraWholeBands *bands;
  CapraWholeCompute compute;
  gpointer data;
} Computation;

/* A CapraBandPartFunc. */
static gboolean
compute_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Computation *computation = data;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);
      CapraArray *result = band ? computation->compute (band, computation->data, error) : NULL;

      g_clear_pointer (&band, capra_array_unref);
      if (!result || !capra_whole_bands_store (computation->bands, result, part->first + i * part->rows, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_whole_bands_compute (CapraWholeBands *bands, CapraWholeCompute compute, gpointer data, GError **error)
{
  Computation computation = { bands, compute, data };
  CapraBandSource source = capra_whole_bands_get_source (bands, 1, CAPRA_F32);

  return capra_band_source_run (&source, compute_part, &computation, error);
}

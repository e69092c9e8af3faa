/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Whole bands: an operation that needs the whole image, but not at once. */
#include "plugin/compute/whole-bands.h"

#include "runtime/memory/array-rows.h"

static CapraArray *
read_band (gsize first, gsize rows, gpointer data, GError **error)
{
  CapraWholeBands *bands = data;
  GeglRectangle rect = bands->job->roi;
  g_auto (CapraPixels) pixels = { NULL };

  rect.y += (gint) first;
  rect.height = (gint) rows;
  return bands->read (bands->job, &rect, &pixels, error) ? g_steal_pointer (&pixels.array) : NULL;
}

CapraBandSource
capra_whole_bands_get_source (CapraWholeBands *bands, guint channels, CapraType type)
{
  const CapraJob *job = bands->job;
  CapraShape shape = { (gsize) job->roi.width, (gsize) job->roi.height, 1, channels, type };

  return (CapraBandSource){ job->device, shape, (gsize) job->band_rows, read_band, bands };
}

guint
capra_whole_bands_count (const CapraJob *job)
{
  return (guint) ((job->roi.height - 1) / job->band_rows + 1);
}

GeglRectangle
capra_whole_bands_get (const CapraJob *job, guint i)
{
  gint first = (gint) i * job->band_rows;

  return (GeglRectangle){ job->roi.x, job->roi.y + first, job->roi.width,
                          MIN (job->band_rows, job->roi.height - first) };
}

/* Labels that are written to the job's buffer. */
typedef struct {
  CapraJob *job;
  const GeglRectangle *rect;
} LabelRows;

static void
write_labels (gpointer host, gsize first, gsize rows, gpointer data)
{
  const LabelRows *labels = data;
  GeglRectangle rect = { labels->rect->x, labels->rect->y + (gint) first, labels->rect->width, (gint) rows };

  gegl_buffer_set (labels->job->labels, &rect, 0, CAPRA_FORMAT_LABELS, host, GEGL_AUTO_ROWSTRIDE);
}

gboolean
capra_whole_bands_store_labels (CapraJob *job, CapraArray *labels, const GeglRectangle *rect, GError **error)
{
  LabelRows rows = { job, rect };

  if (!job->labels)
    job->labels = gegl_buffer_new (&job->roi, CAPRA_FORMAT_LABELS);
  return capra_array_read_rows (labels, NULL, write_labels, &rows, error);
}

gboolean
capra_whole_bands_store (CapraJob *job, CapraArray *array, const GeglRectangle *rect, GError **error)
{
  CapraPixels pixels = { array, capra_rect (rect) };
  gboolean done = job->store (job->share, &pixels, error);

  capra_pixels_clear (&pixels);
  return done;
}

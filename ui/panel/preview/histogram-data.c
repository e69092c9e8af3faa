/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-data: counts the values of a pipeline's result in a thread. */
#include "ui/panel/preview/histogram-data.h"

#include <math.h>

#include "ui/panel/preview/histogram-bars.h"
#include "ui/pipeline/graph/graph.h"

#define SIDE 512            /* largest side of the reduced image, in pixels */
#define MAX_WHOLE (1 << 20) /* pixels of the largest image whose result is computed at full size */

typedef struct {
  CapraPyramid *pyramid;
  GPtrArray *steps;
  gboolean written;
  const char *format;
} Request;

void
capra_histogram_data_free (CapraHistogramData *data)
{
  g_free (data->counts);
  g_free (data->percentiles);
  g_free (data);
}

/* Returns: the value at position @k of the sorted values. Hoare's selection, which reorders them. */
static float
select_value (float *values, gsize count, gsize k)
{
  gsize first = 0, last = count - 1;

  while (first < last)
    {
      float pivot = values[first + (last - first) / 2];
      gsize i = first, j = last;

      while (TRUE)
        {
          while (values[i] < pivot)
            i++;
          while (values[j] > pivot)
            j--;
          if (i >= j)
            break;
          {
            float other = values[i];

            values[i++] = values[j];
            values[j--] = other;
          }
        }
      if (k <= j)
        last = j;
      else
        first = j + 1;
    }
  return values[k];
}

static void
find_percentiles (const float *values, gsize pixels, guint channels, guint channel, float *copy, double *percentiles)
{
  gsize n = 0;

  for (gsize i = 0; i < pixels; i++)
    if (isfinite (values[i * channels + channel]))
      copy[n++] = values[i * channels + channel];
  for (guint i = 0; i < CAPRA_HISTOGRAM_N_PERCENTILES; i++)
    percentiles[i] = n ? select_value (copy, n,
                                       (gsize) lround (CAPRA_HISTOGRAM_PERCENTILES[i] / 100 * (double) (n - 1)))
                       : NAN;
}

/* Conversions of gray pixels to colors round each channel for itself. */
static gboolean
is_gray (const float *values, gsize pixels, guint channels, float tolerance)
{
  guint colors = channels >= 3 ? 3 : 1; /* without alpha */

  for (gsize i = 0; i < pixels; i++)
    for (guint c = 1; c < colors; c++)
      if (fabsf (values[i * channels + c] - values[i * channels]) > tolerance)
        return FALSE;
  return TRUE;
}

static CapraHistogramData *
count (const float *values, gsize pixels, guint channels)
{
  CapraHistogramData *data = g_new0 (CapraHistogramData, 1);
  g_autofree float *copy = g_new (float, MAX (pixels, 1));
  double low = 0.0, high = 1.0;

  for (gsize i = 0; i < pixels * channels; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  data->channels = channels;
  data->gray = is_gray (values, pixels, channels, (float) (1e-5 * (high - low)));
  data->low = low;
  data->high = high;
  data->counts = g_new0 (guint64, channels * CAPRA_HISTOGRAM_BINS);
  for (gsize i = 0; i < pixels * channels; i++)
    if (isfinite (values[i]))
      {
        int bin = (int) ((values[i] - low) / (high - low) * CAPRA_HISTOGRAM_BINS);

        bin = CLAMP (bin, 0, CAPRA_HISTOGRAM_BINS - 1);
        data->counts[(i % channels) * CAPRA_HISTOGRAM_BINS + bin]++;
      }
  data->percentiles = g_new (double, channels *CAPRA_HISTOGRAM_N_PERCENTILES);
  for (guint c = 0; c < channels; c++)
    find_percentiles (values, pixels, channels, c, copy, data->percentiles + c * CAPRA_HISTOGRAM_N_PERCENTILES);
  return data;
}

static gboolean
has_enabled (GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      return TRUE;
  return FALSE;
}

static CapraHistogramData *
count_sample (const CapraValueSample *sample)
{
  CapraHistogramData *found = count (sample->values, sample->count, sample->channels);

  found->pixels = capra_value_sample_get_share (sample);
  return found;
}

/* Counts an image that no step changes. */
static CapraHistogramData *
count_image (GeglBuffer *image, const Babl *format)
{
  g_autoptr (CapraValueSample) sample = capra_value_sample_new (gegl_buffer_get_extent (image),
                                                                (guint) babl_format_get_n_components (format));
  GeglRectangle square;
  float *values;

  while ((values = capra_value_sample_next (sample, &square)))
    gegl_buffer_get (image, &square, 1.0, format, values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return count_sample (sample);
}

static CapraHistogramData *
count_result (const Request *request, int level, const Babl *format)
{
  GeglBuffer *reduced = capra_pyramid_get_buffer (request->pyramid, level);
  const GeglRectangle *whole = gegl_buffer_get_extent (capra_pyramid_get_buffer (request->pyramid, 0));
  const GeglRectangle *extent = gegl_buffer_get_extent (reduced); /* pixels outside the image are not counted */
  guint channels = (guint) babl_format_get_n_components (format);
  gsize pixels = (gsize) extent->width * extent->height;
  g_autofree float *values = g_new (float, pixels * channels);
  g_autoptr (CapraGraph) graph = request->written ? capra_pyramid_make_graph (request->pyramid, level, FALSE)
                                                  : capra_graph_new (reduced, capra_pyramid_get_scale (level), FALSE);
  CapraHistogramData *found = NULL;

  capra_graph_update (graph, request->steps);
  capra_graph_render (graph, extent, format, values, GEGL_AUTO_ROWSTRIDE);
  found = count (values, pixels, channels);
  found->pixels = (double) whole->width * whole->height / (double) pixels;
  found->reduced = level > 0;
  return found;
}

const Babl *
capra_histogram_data_get_format (GeglBuffer *image, const char *name)
{
  const Babl *space = capra_raw_values_get (image) ? babl_format_get_space (gegl_buffer_get_format (image)) : NULL;

  return babl_format_with_space (name, space);
}

static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Request *request = data;
  GeglBuffer *image = capra_pyramid_get_buffer (request->pyramid, 0);
  const Babl *format = capra_histogram_data_get_format (image, request->format);
  const GeglRectangle *whole = gegl_buffer_get_extent (image);
  gboolean large = (double) whole->width * whole->height > MAX_WHOLE;
  CapraHistogramData *found = NULL;

  if (large && !has_enabled (request->steps))
    found = count_image (image, format);
  else
    found = count_result (request, large ? capra_pyramid_fill_overview (request->pyramid, SIDE) : 0, format);
  g_task_return_pointer (task, found, (GDestroyNotify) capra_histogram_data_free);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  capra_pyramid_unref (request->pyramid);
  g_ptr_array_unref (request->steps);
  g_free (request);
}

void
capra_histogram_data_compute_async (CapraPyramid *pyramid, GPtrArray *steps, gboolean written, const char *format,
                                    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Request *request = g_new0 (Request, 1);

  request->pyramid = capra_pyramid_ref (pyramid);
  request->steps = g_ptr_array_ref (steps);
  request->written = written;
  request->format = g_intern_string (format);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, compute);
}

static void
compute_sample (GTask *task, gpointer source, gpointer sample, GCancellable *cancellable)
{
  g_task_return_pointer (task, count_sample (sample), (GDestroyNotify) capra_histogram_data_free);
}

void
capra_histogram_data_count_async (CapraValueSample *sample, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);

  g_task_set_task_data (task, capra_value_sample_ref (sample), (GDestroyNotify) capra_value_sample_unref);
  g_task_run_in_thread (task, compute_sample);
}

CapraHistogramData *
capra_histogram_data_compute_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

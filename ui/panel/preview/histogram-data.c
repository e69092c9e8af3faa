/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-data: counts the values of a pipeline's result in a thread, in a reduced image. */
#include "ui/panel/preview/histogram-data.h"

#include <math.h>

#include "ui/panel/preview/histogram.h"
#include "ui/pipeline/graph/graph.h"

#define SIDE 512 /* largest side of the reduced image, in pixels */

typedef struct {
  CapraPyramid *pyramid;
  GPtrArray *steps;
  const char *format;
} Request;

void
capra_histogram_data_free (CapraHistogramData *data)
{
  g_free (data->counts);
  g_free (data);
}

static CapraHistogramData *
count (const float *values, gsize pixels, guint channels)
{
  CapraHistogramData *data = g_new0 (CapraHistogramData, 1);
  double low = 0.0, high = 1.0;

  for (gsize i = 0; i < pixels * channels; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  data->channels = channels;
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
  return data;
}

static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Request *request = data;
  GeglBuffer *image = capra_pyramid_get_buffer (request->pyramid, 0);
  const Babl *space = capra_raw_values_get (image) ? babl_format_get_space (gegl_buffer_get_format (image)) : NULL;
  const Babl *format = babl_format_with_space (request->format, space);
  guint channels = (guint) babl_format_get_n_components (format);
  int level = capra_pyramid_fill_overview (request->pyramid, SIDE);
  GeglBuffer *reduced = capra_pyramid_get_buffer (request->pyramid, level);
  const GeglRectangle *extent = gegl_buffer_get_extent (reduced); /* pixels outside the image are not counted */
  gsize pixels = (gsize) extent->width * extent->height;
  g_autofree float *values = g_new (float, pixels * channels);
  g_autoptr (CapraGraph) graph = capra_graph_new (reduced, capra_pyramid_get_scale (level), FALSE);

  capra_graph_update (graph, request->steps);
  capra_graph_render (graph, extent, format, values, GEGL_AUTO_ROWSTRIDE);
  g_task_return_pointer (task, count (values, pixels, channels), (GDestroyNotify) capra_histogram_data_free);
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
capra_histogram_data_compute_async (CapraPyramid *pyramid, GPtrArray *steps, const char *format,
                                    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Request *request = g_new0 (Request, 1);

  request->pyramid = capra_pyramid_ref (pyramid);
  request->steps = g_ptr_array_ref (steps);
  request->format = g_intern_string (format);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, compute);
}

CapraHistogramData *
capra_histogram_data_compute_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins: counts of values of a pipeline's result, from a small picture of it, in a thread. */
#include "ui/panel/preview/histogram-data.h"

#include <math.h>

#include "ui/pipeline/graph/graph.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/preview/texture-tiles.h"

#define SIDE 512 /* of the small picture */

typedef struct {
  CapraPyramid *pyramid;
  GPtrArray *steps;
  const char *format;
} Request;

void
capra_bins_free (CapraBins *bins)
{
  g_free (bins->counts);
  g_free (bins);
}

static CapraBins *
count (const float *values, gsize pixels, guint channels)
{
  CapraBins *bins = g_new0 (CapraBins, 1);
  double low = 0.0, high = 1.0;

  for (gsize i = 0; i < pixels * channels; i++)
    if (isfinite (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  bins->channels = channels;
  bins->low = low;
  bins->high = high;
  bins->counts = g_new0 (guint64, channels * CAPRA_HISTOGRAM_BINS);
  for (gsize i = 0; i < pixels * channels; i++)
    if (isfinite (values[i]))
      {
        int bin = (int) ((values[i] - low) / (high - low) * CAPRA_HISTOGRAM_BINS);

        bin = CLAMP (bin, 0, CAPRA_HISTOGRAM_BINS - 1);
        bins->counts[(i % channels) * CAPRA_HISTOGRAM_BINS + bin]++;
      }
  return bins;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* What operations have to say by a main loop stays here; the main thread's would say it while they work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Request *request = data;
  const GeglRectangle *whole = gegl_buffer_get_extent (capra_pyramid_get_buffer (request->pyramid, 0));
  GeglBuffer *image = capra_pyramid_get_buffer (request->pyramid, 0);
  const Babl *format = babl_format_with_space (
    request->format, capra_raw_values_get (image) ? babl_format_get_space (gegl_buffer_get_format (image)) : NULL);
  guint channels = (guint) babl_format_get_n_components (format);
  int level = 0;
  g_autoptr (CapraGraph) graph = NULL;
  g_autofree float *values = NULL;
  GeglBuffer *small;
  GeglRectangle bounds;
  gsize pixels;

  while (level < CAPRA_PYRAMID_MAX_LEVEL && MAX (whole->width, whole->height) >> level > SIDE)
    level++;
  small = capra_pyramid_get_buffer (request->pyramid, level);
  capra_pyramid_fill (request->pyramid, level, gegl_buffer_get_extent (small), NULL, 0);
  graph = capra_graph_new (small, capra_level_get_scale (level), FALSE);
  capra_graph_update (graph, request->steps);
  bounds = *gegl_buffer_get_extent (small); /* what lies beyond the image is not counted */
  pixels = (gsize) bounds.width * bounds.height;
  values = g_new (float, pixels * channels);
  capra_graph_render (graph, &bounds, format, values, GEGL_AUTO_ROWSTRIDE);
  g_task_return_pointer (task, count (values, pixels, channels), (GDestroyNotify) capra_bins_free);
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
capra_bins_count_async (CapraPyramid *pyramid, GPtrArray *steps, const char *format, GAsyncReadyCallback callback,
                        gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Request *request = g_new0 (Request, 1);

  request->pyramid = capra_pyramid_ref (pyramid);
  request->steps = g_ptr_array_ref (steps);
  request->format = g_intern_string (format);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, run);
}

CapraBins *
capra_bins_count_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

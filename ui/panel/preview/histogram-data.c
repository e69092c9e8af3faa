/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-data: counts the values of a pipeline's result in a thread. */
#include "ui/panel/preview/histogram-data.h"

#include <math.h>

#include "ui/panel/preview/histogram-bars.h"
#include "ui/pipeline/graph/graph.h"

#define SIDE 512            /* largest side of the reduced image, in pixels */
#define MAX_WHOLE (1 << 20) /* pixels of the largest image that is counted at full size */

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

/* Counts an image that no step changes. A reduced image has means of pixels, which neither noise nor small details
 * leave where they are, so that rows of a large image are read at full size: each at random in its share of the height,
 * because a pattern in the image could meet regular distances. */
static CapraHistogramData *
count_rows (GeglBuffer *image, const Babl *format)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  guint channels = (guint) babl_format_get_n_components (format);
  int rows = CLAMP (MAX_WHOLE / extent->width, 1, extent->height);
  gsize row = (gsize) extent->width * channels;
  g_autofree float *values = g_new (float, row * (gsize) rows);
  g_autoptr (GRand) random = g_rand_new_with_seed (1); /* the same rows for each state of the image */
  CapraHistogramData *found = NULL;

  for (int i = 0; i < rows; i++)
    {
      int first = (int) ((gint64) extent->height * i / rows), end = (int) ((gint64) extent->height * (i + 1) / rows);
      int y = extent->y + g_rand_int_range (random, first, end);

      gegl_buffer_get (image, GEGL_RECTANGLE (extent->x, y, extent->width, 1), 1.0, format, values + row * (gsize) i,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    }
  found = count (values, (gsize) extent->width * (gsize) rows, channels);
  found->pixels = (double) extent->height / rows;
  return found;
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
  return found;
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
  const GeglRectangle *whole = gegl_buffer_get_extent (image);
  gboolean large = (double) whole->width * whole->height > MAX_WHOLE;
  CapraHistogramData *found = NULL;

  if (large && !has_enabled (request->steps))
    found = count_rows (image, format);
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

CapraHistogramData *
capra_histogram_data_compute_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
